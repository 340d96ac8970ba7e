import { Problem } from '@steward/kernel';

/** How often a change is made anew because of another one. */
const mostTries = 20;

/**
 * A change that follows from what was read before it, and names that version: of two at once, the later one follows from what the earlier one left.
 * @param first what was read already
 * @throws Problem `version_changed` (412) where others were faster each time, and what the change throws
 */
export async function afresh<S, T>(read: () => Promise<S>, change: (before: S) => Promise<T>, first?: S): Promise<T> {
  let before = first ?? (await read());
  for (let tries = 1; ; tries += 1) {
    try {
      return await change(before);
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'version_changed') || tries === mostTries) throw error;
    }
    before = await read();
  }
}
