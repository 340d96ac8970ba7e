import { setTimeout as sleep } from 'node:timers/promises';

/** Work takes at most one part in twenty of the time while others are busy. */
const rest = 19;
/** Milliseconds. */
const longest = 10_000;

/**
 * The turn between two pieces of background work: while `busy`, it rests nineteen times as long as was worked since the last
 * rest, all pieces in flight together.
 * @throws the signal's reason once it is aborted
 */
export function createPace(busy: () => boolean, signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  let resting: Promise<void> | undefined;
  const nap = async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, undefined, { signal, ref: false });
    since = performance.now();
    resting = undefined;
  };
  return async () => {
    signal.throwIfAborted();
    if (busy() || resting !== undefined) {
      resting ??= nap(Math.min((performance.now() - since) * rest, longest));
      await resting;
    } else {
      since = performance.now();
    }
  };
}
