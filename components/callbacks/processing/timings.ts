import { backoff } from '@steward/work';

/** After so many, a delivery waits for a person: together with the pauses, more than two days. */
export const mostAttempts = 34;
/** After so many leases in a row of which nothing was noted, since the process ended, it waits for a person too. */
export const mostBegun = 5;
const pauses = { first: 2_000, longest: 3 * 3_600_000 };

/** Milliseconds, with jitter, so that what failed together is not tried together; no shorter than the provider asked for. */
export function pauseAfter(attempts: number, error: unknown): number {
  const asked =
    error instanceof Error && 'retryAfter' in error && typeof error.retryAfter === 'number' ? error.retryAfter : 0;
  return Math.max(Math.min(asked, pauses.longest), backoff(pauses, attempts));
}

/** For how long a delivery is leased: longer than fetching and carrying out may take. Milliseconds. */
export const lease = 60_000;
/** For fetching. Milliseconds. */
export const patience = 30_000;
/** How long a worker rests that found nothing; one that is woken looks at once. Milliseconds. */
export const rest = 2_000;
