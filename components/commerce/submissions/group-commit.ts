import { Problem } from '@steward/kernel';
import { sqlState } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { createBatcher, type Settled } from '@steward/work';

/** The outcome of one submission: its answer, a Problem, or that it cannot share a commit with other tenants. */
export type Outcome<O> = { readonly output: O } | { readonly refused: Problem } | 'isolated';

/** Commits these inputs in one transaction, and answers an outcome each, in order. An error undid the whole. */
export type Commit<I, O> = (inputs: readonly I[]) => Promise<readonly Outcome<O>[]>;

export interface Commits<I, O> {
  /** Of all tenants. What it answers `isolated` has changed nothing. */
  readonly together: Commit<I, O>;
  /** Of one key; never answers `isolated`. */
  readonly alone: Commit<I, O>;
  /** Whether the next submission to the same form should go alone at once, because this one had to. */
  readonly staysIsolated: (output: O) => boolean;
}

/** One is prepared while the other is written to disk; with more, each has fewer submissions and costs nearly as much. */
const concurrency = 2;
/** Submissions in a commit: those that wait are divided into no less than this, and never more. */
const together = { fewest: 8, most: 32 };
const division = {
  open: async (run: () => Promise<void>): Promise<void> => run(),
  concurrency,
  size: (waiting: number, _inFlight: number, begun: number): number =>
    Math.min(together.most, Math.max(together.fewest, Math.ceil(waiting / (concurrency - begun)))),
};
/** Forms and tenants that are remembered as isolated; beyond that everything is tried together once more. */
const mostIsolated = 10_000;

/**
 * Group commit: submissions that come during a commit share the next one, which costs nearly the same
 * for one and for many. All tenants share a commit; submissions share by key alone if the form makes contacts or if the shared commit
 * failed. Then that tenant delays nobody else until a commit of its own succeeds.
 *
 * A Problem answers its own input only, and must be thrown before that input has changed anything.
 */
export function createGroupCommit<I extends { readonly key: SiteKey; readonly formId: string }, O>({
  together: commitTogether,
  alone: commitAlone,
  staysIsolated,
}: Commits<I, O>): (input: I) => Promise<O> {
  const isolated = new Set<string>();
  const isolate = (name: string): void => {
    if (isolated.size >= mostIsolated) isolated.clear();
    isolated.add(name);
  };

  const answer = (outcome: Outcome<O> | undefined, input: I): Settled<O> | undefined => {
    if (outcome === 'isolated') {
      isolate(input.formId);
      return { answer: goAlone(input) };
    }
    return outcome && ('refused' in outcome ? { failure: outcome.refused } : { answer: outcome.output });
  };

  const lines = new Map<string, (input: I) => Promise<O>>();
  const goAlone = async (input: I): Promise<O> => lines.getOrInsertComputed(input.key.keyId, openLine)(input);
  const openLine = (keyId: string) =>
    createBatcher<I, O>({
      ...division,
      commit: async (inputs) => {
        const outcomes = await commitAlone(inputs);
        for (const [index, { key, formId }] of inputs.entries()) {
          isolated.delete(key.tenant);
          const outcome = outcomes[index];
          if (typeof outcome === 'object' && 'output' in outcome && !staysIsolated(outcome.output))
            isolated.delete(formId);
        }
        return inputs.map((input, index) => answer(outcomes[index], input));
      },
      onFailure: (error) => (mayBeCommitted(error) ? 'fail' : 'split'),
      onIdle: () => lines.delete(keyId),
    });
  const share = createBatcher<I, O>({
    ...division,
    commit: async (inputs) => {
      try {
        const outcomes = await commitTogether(inputs);
        return inputs.map((input, index) => answer(outcomes[index], input));
      } catch (error) {
        if (mayBeCommitted(error)) throw error;
        return inputs.map((input) => {
          isolate(input.key.tenant);
          return { answer: goAlone(input) };
        });
      }
    },
    onFailure: () => 'fail',
  });
  return async (input) => (isolated.has(input.key.tenant) || isolated.has(input.formId) ? goAlone : share)(input);
}

/**
 * A database that went away may have committed: nobody's submission is made twice. One that waited too long for a lock
 * has undone all.
 */
const mayBeCommitted = (error: unknown): boolean => error instanceof Problem && sqlState(error.cause) !== '55P03';
