import type { Effect } from '@steward/kernel';
import type { GraphQLField } from 'graphql';
import type { GraphContext } from '../context.ts';

export type Arguments = Readonly<Record<string, unknown>>;
export type Declared = Effect | ((args: Arguments) => Effect);

const effectKey = 'steward.effect';

/** Says what a field does, or how its arguments decide it: `t.field({ …, extensions: doing('service_list_accounts') })`. */
export const doing = (effect: Effect | ((args: never) => Effect)): Readonly<Record<string, unknown>> => ({
  [effectKey]: effect,
});

/** What a field does; undefined where it was not said. */
export const effectOf = (field: GraphQLField<unknown, GraphContext>): Declared | undefined =>
  field.extensions[effectKey] as Declared | undefined;
