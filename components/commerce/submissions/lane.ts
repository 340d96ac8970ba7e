import { Problem } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import type { SiteKey } from '@steward/studio';

/** Submissions that share a commit at most. */
const mostTogether = 32;
/** Commits of one key under way at once: one is prepared while the other is written to disk. */
const mostFlights = 2;

interface Waiting<I, O> {
  readonly input: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

/** What is done for each input within one transaction. */
export type Parts<I, O> = (tx: TenantTransaction) => {
  part(input: I): Promise<O>;
  /** Once all parts are done. */
  end?(): void;
};

/**
 * Group commit: whoever comes while a key's submissions are being committed shares the next commit. A tenant's audit log
 * holds its head through every commit, so that one by one they would wait for the disk in a row.
 *
 * A Problem is the answer to its own input only, and must come before that input's part has changed anything. Anything
 * else undoes the whole, and each is tried again by itself.
 */
export function createLane<I extends { readonly key: SiteKey }, O>(
  write: (first: I, work: (tx: TenantTransaction) => Promise<void>) => Promise<void>,
  parts: Parts<I, O>,
): (input: I) => Promise<O> {
  const lines = new Map<string, { readonly waiting: Waiting<I, O>[]; flights: number }>();

  const together = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    let settled: (() => void)[] = [];
    await write(first.input, async (tx) => {
      // Once more where the database asked for another try.
      settled = [];
      const { part, end } = parts(tx);
      for (const { input, resolve, reject } of batch) {
        try {
          const output = await part(input);
          settled.push(() => resolve(output));
        } catch (error) {
          if (!(error instanceof Problem) || error.status >= 500) throw error;
          settled.push(() => reject(error));
        }
      }
      end?.();
    });
    for (const answer of settled) answer();
  };
  const carry = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      await together(batch);
    } catch (error) {
      // A database that went away may have committed: nobody's submission is made twice.
      const unsure = error instanceof Problem;
      if (batch.length === 1 || unsure) for (const { reject } of batch) reject(error);
      else for (const one of batch) await carry([one]);
    }
  };
  const pump = (name: string): void => {
    const line = lines.get(name);
    if (line === undefined) return;
    while (line.flights < mostFlights && line.waiting.length > 0) {
      line.flights += 1;
      void carry(line.waiting.splice(0, mostTogether)).finally(() => {
        line.flights -= 1;
        if (line.flights === 0 && line.waiting.length === 0) lines.delete(name);
        else pump(name);
      });
    }
  };
  return async (input) =>
    new Promise<O>((resolve, reject) => {
      const name = input.key.keyId;
      const line = lines.get(name) ?? { waiting: [], flights: 0 };
      lines.set(name, line);
      line.waiting.push({ input, resolve, reject });
      pump(name);
    });
}
