import type { GraphQLField } from 'graphql';

export interface Weight {
  /** What the field itself counts for; 1 where nothing is said. */
  readonly cost?: number;
  /** Items of a list, at most or typically, where no argument says how many. */
  readonly size?: number;
}

const weightKey = 'steward.weight';

/** Says what a field costs: `t.field({ …, extensions: weigh({ cost: 20, size: 16 }) })`. */
export const weigh = (weight: Weight): Readonly<Record<string, Weight>> => ({ [weightKey]: weight });

export const weightOf = (field: GraphQLField<unknown, unknown>): Weight =>
  (field.extensions[weightKey] as Weight | undefined) ?? {};
