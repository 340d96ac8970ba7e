import type { Backoff } from '@steward/work';

/** Times and numbers of the worker. Milliseconds where not said otherwise. */
export interface Timings {
  /** Between two looks for feeds that are due, by each of as many as are pushed at once. */
  readonly poll: number;
  /** How long a feed belongs to the process that took it, from each request on; longer than a request may take. */
  readonly lease: number;
  /** From a change to its push: what changes meanwhile goes with it. */
  readonly gather: number;
  /** Between tries of a platform that fails. */
  readonly again: Backoff;
  /** Between two looks at a door that is closed, or an agent that is not served. */
  readonly withheld: number;
  /** Between two comparisons of everything, and between two pushes of everything whatever the platform has. */
  readonly walk: number;
  readonly whole: number;
  /** Requests in a row to one platform, before others have their turn. */
  readonly turn: number;
  /** After which no other request of a turn begins: a platform that takes its time with each holds up others no longer. */
  readonly turnTime: number;
  /** Feeds at once, of a process and of one tenant in it. */
  readonly most: { readonly process: number; readonly tenant: number };
}

const second = 1_000;
const minute = 60 * second;

export const defaultTimings: Timings = {
  poll: 2 * second,
  lease: 45 * second,
  gather: second,
  again: { first: 5 * second, longest: 15 * minute },
  withheld: 30 * second,
  walk: 15 * minute,
  whole: 24 * 60 * minute,
  turn: 20,
  turnTime: 20 * second,
  most: { process: 8, tenant: 2 },
};
