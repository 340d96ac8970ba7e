import type { ArgumentRef, FieldMap, InputTypeParam } from '@pothos/core';
import type { Fixed } from '@steward/contract';
import type { z } from 'zod';
import type { GraphContext } from '../context.ts';
import type { GraphBuilder } from './builder.ts';
import { checkedBy, checking } from './check.ts';

type Types = GraphBuilder['$inferSchemaTypes'];
type Shape<S extends z.ZodObject> = Fixed<z.output<S>>;

/** What the graph says of a member: its description, or more. */
type Said =
  | string
  | {
      readonly description?: string;
      /** Where it does not follow from the schema. */
      readonly type?: InputTypeParam<Types>;
      /** Of an argument, where its schema leaves it to the verb. */
      readonly defaultValue?: string;
      readonly extensions?: Readonly<Record<string, unknown>>;
    };

interface Words<S extends z.ZodObject, W extends keyof S['shape'] = keyof S['shape']> {
  readonly description?: string;
  readonly members?: { readonly [K in keyof S['shape']]?: Said };
  /** Members that the graph does not have. */
  readonly without?: readonly W[];
}

interface ObjectWords<S extends z.ZodObject> extends Words<S> {
  /** Fields beside the members. */
  readonly fields?: (t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shape<S>>) => FieldMap;
}

/**
 * The type of what a schema describes, made once for each schema of the graph. An id is an `ID`, an integer an `Int`, a moment a `DateTime`,
 * any other text a `String`; objects and enums in it are the types that are made of their schemas.
 * @example const line = objectOf(builder, 'DocumentLine', documentLine, { members: { quantity: 'A decimal.' } })
 */
export const objectOf = <S extends z.ZodObject>(
  builder: GraphBuilder,
  name: string,
  schema: S,
  words: ObjectWords<S> = {},
) =>
  once(builder, 'output', schema, () =>
    builder.objectRef<Shape<S>>(name).implement({
      ...described(words),
      fields: (t) => ({
        ...membersOf(builder, 'output', schema, words, (member, options) =>
          t.expose(member as never, { ...options, nullable: !options.required } as never),
        ),
        ...words.fields?.(t),
      }),
    }),
  );

/** The enum of a schema's values. */
export const enumOf = <const V extends Readonly<Record<string, string>>>(
  builder: GraphBuilder,
  name: string,
  schema: z.ZodEnum<V>,
) => once(builder, 'output', schema, () => builder.enumType(name, { values: schema.options as V[keyof V][] }));

/** The input type of a schema; what it has a default for is not required. */
export const inputOf = <S extends z.ZodObject>(
  builder: GraphBuilder,
  name: string,
  schema: S,
  words: Words<S> = {},
): PothosSchemaTypes.InputObjectRef<Types, Fixed<z.output<S>>> =>
  once(builder, 'input', schema, () =>
    builder.inputType(name, {
      ...described(words),
      fields: (t) => membersOf(builder, 'input', schema, words, (_member, options) => t.field(options as never)),
    }),
  ) as never;

/**
 * What a field takes: arguments are the members of a schema, and before `run` they are checked by it, as routes and tools check theirs.
 * @example t.field({ type: page, ...taking(builder, listTaxes.input, async (args, { tenant }) => listTaxes(tenant, args)) })
 */
export function taking<S extends z.ZodObject, R, P = unknown, W extends keyof S['shape'] = never>(
  builder: GraphBuilder,
  schema: S,
  run: (args: Omit<Shape<S>, W>, context: GraphContext, source: P) => R,
  words: Words<S, W> = {},
) {
  const { without = [] } = words;
  // What judges several members together stays with all of them.
  const input =
    without.length === 0 ? schema : schema.omit(Object.fromEntries(without.map((name) => [name, true])) as never);
  return {
    args: builder.args((t) =>
      membersOf(builder, 'input', schema, words, (_member, options) =>
        t.field({ ...options, extensions: { ...options.extensions, ...checkedBy(input) } } as never),
      ),
    ) as Readonly<Record<string, ArgumentRef<Types, unknown>>>,
    resolve: checking<P, Omit<Shape<S>, W>, R>(input, run),
  };
}

type Sort = 'input' | 'output';

interface Options {
  readonly type: unknown;
  readonly required: boolean;
  readonly defaultValue?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

const described = ({ description }: { readonly description?: string | undefined }) =>
  description === undefined ? {} : { description };

function membersOf<S extends z.ZodObject, F>(
  builder: GraphBuilder,
  sort: Sort,
  schema: S,
  { members = {}, without = [] }: Pick<Words<S>, 'members' | 'without'>,
  make: (member: string, options: Options) => F,
): Record<string, F> {
  const own = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(
    own
      .filter(([name]) => !without.includes(name))
      .map(([name, member]) => {
        const said = members[name as keyof typeof members] as Said | undefined;
        const words = typeof said === 'string' ? { description: said } : said;
        const { schema: inner, ...given } = unwrapped(member);
        return [name, make(name, { ...given, ...words, type: words?.type ?? typeOf(builder, sort, inner, name) })];
      }),
  );
}

interface Def {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly defaultValue?: unknown;
}
const defOf = ({ def }: z.ZodType): Def => def as unknown as Def;

function unwrapped(schema: z.ZodType): Omit<Options, 'type'> & { readonly schema: z.ZodType } {
  const { type, innerType, defaultValue } = defOf(schema);
  if (innerType === undefined) return { schema, required: true };
  return {
    ...unwrapped(innerType),
    ...(type === 'optional' || type === 'nullable' ? { required: false } : {}),
    ...(type === 'default' ? { required: false, defaultValue } : {}),
  };
}

function typeOf(builder: GraphBuilder, sort: Sort, schema: z.ZodType, name: string): unknown {
  const { type, format, element } = defOf(schema);
  if (type === 'array' && element !== undefined) return [typeOf(builder, sort, element, name)];
  if (type === 'string') {
    const moment = format === 'datetime' || schema.meta()?.['format'] === 'date-time';
    return format === 'uuid' ? 'ID' : moment ? 'DateTime' : 'String';
  }
  if (type === 'number') return 'Int';
  if (type === 'boolean') return 'Boolean';
  const made = known.get(builder)?.[type === 'enum' ? 'output' : sort].get(schema.def);
  if (made === undefined) throw new TypeError(`${name}: the graph has no ${sort} type of its schema (${type}) yet`);
  return made;
}

const known = new WeakMap<GraphBuilder, Readonly<Record<Sort, Map<unknown, unknown>>>>();

/** By the definition, which a schema shares with its copies under another description. */
function once<T>(builder: GraphBuilder, sort: Sort, { def }: z.ZodType, make: () => T): T {
  const types = known.get(builder) ?? { input: new Map(), output: new Map() };
  known.set(builder, types);
  if (!types[sort].has(def)) types[sort].set(def, make());
  return types[sort].get(def) as T;
}
