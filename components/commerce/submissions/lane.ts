import { Problem } from '@steward/kernel';
import { sqlState } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { createBatcher, type Settled } from '@steward/work';

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

/** One is prepared while the other is written to disk; with more, each has fewer submissions and costs nearly as much. */
const flights = 2;
/** Submissions in a commit: those that wait are divided into no less than this, and never more. */
const together = { fewest: 8, most: 32 };
const division = {
  open: async (run: () => Promise<void>): Promise<void> => run(),
  flights,
  size: (waiting: number, _underWay: number, begun: number): number =>
    Math.min(together.most, Math.max(together.fewest, Math.ceil(waiting / (flights - begun)))),
};
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
  const apart = new Set<string>();
  const setApart = (name: string): void => {
    if (apart.size >= mostApart) apart.clear();
    apart.add(name);
  };

  const answer = (outcome: Outcome<O> | undefined, input: I): Settled<O> | undefined => {
    if (outcome === 'apart') {
      setApart(input.formId);
      return { answer: goAlone(input) };
    }
    return outcome && ('refused' in outcome ? { failure: outcome.refused } : { answer: outcome.output });
  };

  const lines = new Map<string, (input: I) => Promise<O>>();
  const goAlone = async (input: I): Promise<O> => lines.getOrInsertComputed(input.key.keyId, openLine)(input);
  const openLine = (keyId: string) =>
    createBatcher<I, O>({
      ...division,
      carry: async (inputs) => {
        const outcomes = await commitAlone(inputs);
        for (const [index, { key, formId }] of inputs.entries()) {
          apart.delete(key.tenant);
          const outcome = outcomes[index];
          if (typeof outcome === 'object' && 'output' in outcome && !keepsApart(outcome.output)) apart.delete(formId);
        }
        return inputs.map((input, index) => answer(outcomes[index], input));
      },
      fate: (error) => (mayBeCommitted(error) ? 'all' : 'halves'),
      emptied: () => lines.delete(keyId),
    });
  const share = createBatcher<I, O>({
    ...division,
    carry: async (inputs) => {
      try {
        const outcomes = await commitTogether(inputs);
        return inputs.map((input, index) => answer(outcomes[index], input));
      } catch (error) {
        if (mayBeCommitted(error)) throw error;
        return inputs.map((input) => {
          setApart(input.key.tenant);
          return { answer: goAlone(input) };
        });
      }
    },
    fate: () => 'all',
  });
  return async (input) => (apart.has(input.key.tenant) || apart.has(input.formId) ? goAlone : share)(input);
}

/**
 * A database that went away may have committed: nobody's submission is made twice. One that waited too long for a lock
 * has undone all.
 */
const mayBeCommitted = (error: unknown): boolean => error instanceof Problem && sqlState(error.cause) !== '55P03';
