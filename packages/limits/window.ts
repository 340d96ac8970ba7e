import type { Limit } from './spend.ts';

/** One bucket of one limit: `key` is the address or key that is counted. */
export interface Use {
  readonly limit: Limit;
  readonly key: string;
}

/** A bucket after a use: how many uses its window has seen, and the milliseconds until the window ends. */
export interface Spent {
  readonly spent: number;
  readonly endsIn: number;
}

/**
 * A place where uses are counted, in fixed windows that begin with a bucket's first use: who stays within the limit in
 * every stretch of a window's length is never refused, and the use beyond it always is within the first window.
 */
export interface LimitStore {
  /**
   * Counts the uses in their order and stops at the first full bucket, so a refusal by one limit uses up nothing of the limits
   * after it. Answers the buckets that were counted.
   */
  take(uses: readonly Use[]): readonly Spent[] | Promise<readonly Spent[]>;
  close(): Promise<void>;
}
