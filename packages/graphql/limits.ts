/** What one operation may ask for. Each bound is checked before anything is resolved. */
export interface Limits {
  /** Lexical tokens of the document. */
  readonly tokens: number;
  /** Aliases in the document. */
  readonly aliases: number;
  /** Levels of nested selections. */
  readonly depth: number;
  /** Fields at the root of the operation. */
  readonly rootFields: number;
  /** Values the answer can hold at most; a list multiplies by its `limit` (see `weigh`). */
  readonly cost: number;
  /** Time for the resolvers, in milliseconds. */
  readonly milliseconds: number;
}

export const defaultLimits: Limits = {
  tokens: 1_000,
  aliases: 30,
  depth: 12,
  rootFields: 20,
  cost: 50_000,
  milliseconds: 10_000,
};
