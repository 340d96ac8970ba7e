import type { Effect } from '@steward/kernel';
import { isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import type { GraphContext } from '../context.ts';
import { type Arguments, type Declared, effectOf } from './effect.ts';

/** Lets the caller of an operation do what a field does. @throws Problem */
export type FieldAdmission = (context: GraphContext) => void | Promise<void>;

/** The admission to a field's work; undefined if everyone is admitted. `field`: such as `Mutation.createParty`. */
export type AdmitField = (effect: Effect, field: string) => FieldAdmission | undefined;

/** Puts admission before the fields that say what they do. @throws Error for one of a root type that does not say it */
export function admitFields(schema: GraphQLSchema, admit: AdmitField): void {
  const roots = new Set([schema.getQueryType(), schema.getMutationType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const effect = effectOf(field);
      if (effect !== undefined) admitField(field, effect, (one) => admit(one, name));
      else if (roots.has(type)) throw new Error(`${name} does not say what it does`);
    }
  }
}

function admitField(
  field: GraphQLField<unknown, GraphContext>,
  effect: Declared,
  admit: (effect: Effect) => FieldAdmission | undefined,
): void {
  const { resolve } = field;
  if (resolve === undefined) throw new Error(`${field.name} is read without a call: admission has no place before it`);
  const fixed = typeof effect === 'function' ? undefined : admit(effect);
  if (typeof effect !== 'function' && fixed === undefined) return;
  const known = new Map<Effect, FieldAdmission | undefined>();
  const admissionTo = (one: Effect): FieldAdmission | undefined => {
    if (!known.has(one)) known.set(one, admit(one));
    return known.get(one);
  };
  field.resolve = (source, args: Arguments, context, info) => {
    const admission = typeof effect === 'function' ? admissionTo(effect(args)) : fixed;
    const admitted = admission?.(context);
    if (admitted instanceof Promise) return admitted.then(() => resolve(source, args, context, info));
    return resolve(source, args, context, info);
  };
}
