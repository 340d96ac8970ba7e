import type { Backoff } from '@steward/work';

/** Times and numbers of the worker. Milliseconds where not said otherwise. */
export interface Timings {
  /** Between two looks for what others queued. */
  readonly poll: number;
  /** How long an endpoint belongs to the process that took it; longer than a request may take. */
  readonly lease: number;
  /** Between two renewals, at which changes by other processes are seen. */
  readonly renew: number;
  /** After which what an endpoint signs with is read again: its secrets may be others. */
  readonly reload: number;
  /** After which an endpoint to which nothing is sent is left to others. */
  readonly linger: number;
  /** The same where others may wait for its place: as long as requests in a second are counted. */
  readonly lingerFull: number;
  /** Between tries of one delivery. */
  readonly again: Backoff;
  /** Between tries of an endpoint that does not answer. */
  readonly probe: Backoff;
  /** A delivery is tried no longer, and an endpoint is paused that failed for so long. */
  readonly giveUp: number;
  /** Failures in a row after which an endpoint is taken for down. */
  readonly downAfter: number;
  /** Requests at once to one endpoint, of one tenant, and of the process. */
  readonly most: { readonly endpoint: number; readonly tenant: number; readonly process: number };
  /** Endpoints that a process has at a time, of one tenant and of all. Each tenant has always one. */
  readonly endpoints: { readonly tenant: number; readonly process: number };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const defaultTimings: Timings = {
  poll: 250,
  lease: 25 * second,
  renew: 2 * second,
  reload: minute,
  linger: 30 * second,
  lingerFull: second,
  again: { first: 5 * second, longest: 4 * hour },
  probe: { first: 5 * second, longest: 5 * minute },
  giveUp: 72 * hour,
  downAfter: 5,
  most: { endpoint: 32, tenant: 128, process: 1_024 },
  endpoints: { tenant: 250, process: 2_000 },
};

/** What an endpoint may ask to be left alone for. Milliseconds. */
export const retryAfter = { least: second, most: hour };

/** How long what was settled is kept, and how long a paused endpoint has things kept for it. Days. */
export const keptDays = { settled: 30, paused: 30 };
