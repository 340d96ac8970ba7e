import { fail } from '@steward/kernel';

/** What was decided about a caller before it enters its tenant: it holds only while nobody has changed what callers may do there. */
export interface Decision {
  /** The access version that was current when it was decided; undefined where nothing was asked that could change. */
  readonly under: bigint | undefined;
  /** Decides once more, of what is true now. @throws the refusal */
  again(): Promise<void>;
}

/** Answered in place of a role where access has changed since it was decided. No role is called so. */
export const changed = 'changed';

/** Access rarely changes twice while somebody enters. */
const mostAttempts = 5;

/**
 * Enters under a decision. Where access has changed since, it is decided again, and entered under that decision.
 * @param enter answers undefined where it was told `changed`, and has done nothing then
 * @throws the refusal; Problem `conflict` (409) where access changes time and again
 */
export async function underDecision<T extends object>(
  decision: Decision | undefined,
  enter: (under: bigint | undefined) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const entered = await enter(decision?.under);
    if (entered !== undefined) return entered;
    await decision?.again();
  }
  throw fail('conflict', 'What callers may do in this tenant is being changed at this moment: repeat the call.');
}
