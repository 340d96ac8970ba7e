import { setTimeout as sleep } from 'node:timers/promises';
import { isLost } from '@steward/sql';

const mostLosses = 3;

interface Patience {
  /** How long a database that was there is looked for. */
  readonly seconds: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Does work that reads from one database, and starts it again if the connection is lost, three times at most.
 * @param work says when it has reached the database: one that is not there at first is an error at once
 * @throws Error that says how often the connection was lost, and what to do
 */
export async function throughLosses<T extends { readonly notes: readonly string[] }>(
  work: (onReached: () => void) => Promise<T>,
  { seconds, signal }: Patience,
): Promise<T> {
  let losses = 0;
  for (let tries = 0; ;) {
    let reached = false;
    try {
      const done = await work(() => (reached = true));
      if (losses === 0) return done;
      const note = `the connection to the database was lost ${times(losses)}, and everything was read again from the beginning`;
      return { ...done, notes: [...done.notes, note] };
    } catch (error) {
      const lost = error instanceof Error && (isLost(error) || (error.cause instanceof Error && isLost(error.cause)));
      if (!lost || (losses === 0 && !reached)) throw error;
      if (reached) losses += 1;
      tries = reached ? 1 : tries + 1;
      if (losses > mostLosses || tries > seconds)
        throw new Error(
          losses > mostLosses
            ? `The connection to the database was lost ${times(losses)} while the log was read, and nothing is said about it: run this again when the database stays.`
            : `The connection to the database was lost while the log was read, and none was found again in ${seconds} s: run this again when one takes writes.`,
          { cause: error },
        );
      await sleep(1000, undefined, { signal });
    }
  }
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
