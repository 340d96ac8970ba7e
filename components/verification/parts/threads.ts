/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { Worker } from 'node:worker_threads';
import { type Against, openConnections } from './connections.ts';
import type { Part } from './part.ts';
import { type PartOptions, readPart, type PartResult } from './read-part.ts';
import type { Access } from './reader.ts';
import type { Task, Message } from './worker.ts';

export interface ThreadOptions extends PartOptions {
  readonly workers: number;
  readonly against?: Against | undefined;
}

/** Reads all parts, on threads or, for one worker, on this thread. @returns the results in the order of the parts */
export async function readParts(access: Access, parts: readonly Part[], options: ThreadOptions): Promise<PartResult[]> {
  const results: PartResult[] = [];
  const left = parts.entries();
  const size = Math.min(options.workers, parts.length);
  if (size <= 1) {
    await using connections = await openConnections(access, options.against);
    for (const [index, part] of left) results[index] = await readPart(connections, part, options);
    return results;
  }
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const threads = Array.from({ length: size }, async () =>
    runThread(access, left, { ...options, signal }, (index, result) => (results[index] = result)).catch(
      (error: unknown) => {
        failed.abort(error);
        throw error;
      },
    ),
  );
  // All threads have ended, and their connections with them, before the caller gets the error.
  await Promise.allSettled(threads);
  failed.signal.throwIfAborted();
  return results;
}

/** One thread, which is given a part after the other. */
async function runThread(
  access: Access,
  left: Iterator<[number, Part]>,
  { canonical, against, onProgress, signal }: ThreadOptions,
  onResult: (index: number, result: PartResult) => void,
): Promise<void> {
  const task: Task = { access, canonical, against };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (): void => reject(signal?.reason);
  let index = 0;
  const next = (): void => {
    const taken = left.next();
    if (taken.done !== true) index = taken.value[0];
    worker.postMessage(taken.done === true ? null : taken.value[1]);
  };
  worker.on('message', (message: Message) => {
    if ('progress' in message) {
      onProgress?.(message.progress);
    } else {
      onResult(index, message.result);
      next();
    }
  });
  worker.once('error', reject);
  worker.once('exit', () => resolve());
  signal?.addEventListener('abort', cancel);
  try {
    signal?.throwIfAborted();
    next();
    await promise;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
