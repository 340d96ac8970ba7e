import { Problem } from '@steward/kernel';
import { sqlState } from '@steward/sql';
import type { SiteKey } from '@steward/studio';

/** What came of one: its answer, the Problem that is its answer, or that it cannot share a commit with other tenants. */
export type Outcome<O> = { readonly output: O } | { readonly refused: Problem } | 'apart';

/** Commits these inputs in one transaction, and answers an outcome each, in order. An error undid the whole. */
export type Commit<I, O> = (inputs: readonly I[]) => Promise<readonly Outcome<O>[]>;

export interface Commits<I, O> {
  /** Of all tenants. What it answers `apart` has changed nothing. */
  readonly together: Commit<I, O>;
  /** Of one key; never answers `apart`. */
  readonly alone: Commit<I, O>;
  /** Whether the next of the same form should go alone at once, as this one had to. */
  readonly keepsApart: (output: O) => boolean;
}

interface Waiting<I, O> {
  readonly input: I;
  readonly resolve: (output: O) => void;
  readonly reject: (error: unknown) => void;
}

interface Line<I, O> {
  /** Undefined: of all tenants. */
  readonly keyId: string | undefined;
  readonly waiting: Waiting<I, O>[];
  /** Commits under way. */
  flights: number;
  /** Whether the next ones begin at the end of this turn. */
  due: boolean;
}

/** One is prepared while the other is written to disk; with more, each has fewer submissions and costs nearly as much. */
const mostFlights = 2;
/** Submissions in a commit: those that wait are divided into no less than this, and never more. */
const together = { fewest: 8, most: 32 };
/** Forms and tenants that are remembered as apart; beyond that everything is tried together once more. */
const mostApart = 10_000;

/**
 * Group commit: whoever comes while submissions are being committed shares the next commit, whose price is nearly the same
 * for one and for many. A commit is shared by all tenants; by a key alone, where a form makes contacts or where the shared one
 * failed: then nobody else is kept waiting by that tenant, until its own succeeds.
 *
 * A Problem is the answer to its own input only, and must come before that input has changed anything.
 */
export function createLane<I extends { readonly key: SiteKey; readonly formId: string }, O>({
  together: commitTogether,
  alone: commitAlone,
  keepsApart,
}: Commits<I, O>): (input: I) => Promise<O> {
  const lines = new Map<string | undefined, Line<I, O>>();
  const apart = new Set<string>();
  const setApart = (name: string): void => {
    if (apart.size >= mostApart) apart.clear();
    apart.add(name);
  };

  const settle = (batch: readonly Waiting<I, O>[], outcomes: readonly Outcome<O>[]): void => {
    batch.forEach((one, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) one.reject(new Error('a commit answered for fewer than it was given'));
      else if (outcome === 'apart') {
        setApart(one.input.formId);
        join(one, one.input.key.keyId);
      } else if ('refused' in outcome) one.reject(outcome.refused);
      else one.resolve(outcome.output);
    });
  };
  const share = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      settle(batch, await commitTogether(batch.map(({ input }) => input)));
    } catch (error) {
      if (mayBeCommitted(error)) return rejectAll(batch, error);
      for (const one of batch) {
        setApart(one.input.key.tenant);
        join(one, one.input.key.keyId);
      }
    }
  };
  const goAlone = async (batch: readonly Waiting<I, O>[]): Promise<void> => {
    try {
      const outcomes = await commitAlone(batch.map(({ input }) => input));
      for (const [index, { input }] of batch.entries()) {
        apart.delete(input.key.tenant);
        const outcome = outcomes[index];
        if (typeof outcome === 'object' && 'output' in outcome && !keepsApart(outcome.output))
          apart.delete(input.formId);
      }
      settle(batch, outcomes);
    } catch (error) {
      if (batch.length === 1 || mayBeCommitted(error)) return rejectAll(batch, error);
      for (const one of batch) await goAlone([one]);
    }
  };
  const pump = (line: Line<I, O>): void => {
    line.due = false;
    const carry = line.keyId === undefined ? share : goAlone;
    for (let free = mostFlights - line.flights; free > 0 && line.waiting.length > 0; free -= 1) {
      const even = Math.ceil(line.waiting.length / free);
      const size = Math.min(together.most, Math.max(together.fewest, even));
      line.flights += 1;
      void carry(line.waiting.splice(0, size)).finally(() => {
        line.flights -= 1;
        if (line.flights === 0 && line.waiting.length === 0) lines.delete(line.keyId);
        else soon(line);
      });
    }
  };
  /** Once this turn is over: whatever has arrived by then goes together. */
  const soon = (line: Line<I, O>): void => {
    if (line.due) return;
    line.due = true;
    setImmediate(pump, line);
  };
  const join = (one: Waiting<I, O>, keyId: string | undefined): void => {
    const line = lines.get(keyId) ?? { keyId, waiting: [], flights: 0, due: false };
    lines.set(keyId, line);
    line.waiting.push(one);
    soon(line);
  };
  return async (input) =>
    new Promise<O>((resolve, reject) => {
      const { tenant, keyId } = input.key;
      join({ input, resolve, reject }, apart.has(tenant) || apart.has(input.formId) ? keyId : undefined);
    });
}

const rejectAll = (batch: readonly Waiting<unknown, never>[], error: unknown): void => {
  for (const { reject } of batch) reject(error);
};

/**
 * A database that went away may have committed: nobody's submission is made twice. One that waited too long for a lock
 * has undone all.
 */
const mayBeCommitted = (error: unknown): boolean => error instanceof Problem && sqlState(error.cause) !== '55P03';
