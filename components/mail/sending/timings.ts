import type { Backoff } from '@steward/work';

/** Times of the worker. Milliseconds. */
export interface Timings {
  /** How often each process looks for emails. */
  readonly every: number;
  /** How long an email belongs to the process that took it; longer than one may take. */
  readonly lease: number;
  /** How long one message may take, from waiting for a connection to the server's answer. */
  readonly patience: number;
  /** Waits for a mail server that takes nothing. */
  readonly pause: Backoff;
  /** Waits of an email that was refused for now. */
  readonly wait: Backoff;
}

const second = 1_000;
const hour = 3_600_000;
export const day = 24 * hour;

export const defaultTimings: Timings = {
  every: second,
  lease: 300 * second,
  patience: 120 * second,
  pause: { first: 5 * second, longest: 300 * second },
  wait: { first: 60 * second, longest: hour },
};

/** How long an email is kept in which state. */
export const kept = {
  /** Refused for now again and again: then it is given up. */
  refused: day,
  /** Never taken by a mail server, because none was configured or reached: then it is given up. */
  waiting: 3 * day,
  /** Given up: so long an operator may have it tried again; then its contents are erased. */
  contents: 7 * day,
  /** Sent or given up: then its row is removed. */
  row: 35 * day,
} as const;
