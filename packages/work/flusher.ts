import { createLoop, type Worker } from './loop.ts';

export interface FlusherOptions {
  /** Milliseconds. */
  readonly every: number;
  /** Writes what is remembered. */
  readonly flush: () => Promise<void>;
  /** Told each failure; the next flush comes as after a success. */
  readonly failed: (error: unknown) => void;
}

/** Writes what a process remembers every so often, and once more when it stops. */
export function createFlusher({ every, flush, failed }: FlusherOptions): Worker {
  const round = async (): Promise<number> => {
    await flush();
    return every;
  };
  const loop = createLoop({ round, failed, retry: { first: every, longest: every } });
  return {
    start: () => loop.start(),
    stop: async () => {
      await loop.stop();
      await flush().catch(failed);
    },
  };
}
