/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { Worker } from 'node:worker_threads';
import { fail } from '@steward/kernel';
import { createTurns } from '@steward/work';
import { booksFail } from '../../errors.ts';
import type { Sheet } from './compose.ts';
import type { Task, Word } from './worker.ts';

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** Megabytes that the thread may hold, and milliseconds that it may draw one: it ends, with what waits for it, where one needs more. */
const most = 256;
const longest = 60_000;
let thread: Thread | undefined;
let last = 0;
const turns = createTurns({ most: 16 });

/**
 * Reads and draws a document when no other is read or drawn here. Several long ones that were read in one go would hold up whoever
 * waits, would all be in memory, and would end together where one of them is too large for the thread.
 * @param of whose turn it is, by id of the tenant: the next is of the one that was drawn for the least time lately
 * @param left aborted once nobody waits for it
 * @throws Problem `rate_limited` (429) while sixteen of the tenant wait; the reason of `left`
 */
export async function inTurn<T>(of: string, left: AbortSignal, work: () => Promise<T>): Promise<T> {
  const done = await turns.take(of, { left });
  if (done === undefined)
    throw fail('rate_limited', 'Sixteen PDFs of this organization wait to be drawn: try again once they are.', {
      headers: { 'retry-after': '5' },
    });
  try {
    return await work();
  } finally {
    done();
  }
}

/**
 * As `composePdf`, on a thread of its own: finishing a long document takes up to a second without a pause. It begins with the
 * first PDF, as what draws them is large and many never ask for one.
 * @param left aborted once nobody waits for it: the thread ends
 * @throws Problem `pdf_too_long` (422) for one that takes too long, or too much memory; the reason of `left`
 */
export async function renderPdf(sheet: Sheet, left?: AbortSignal): Promise<Buffer> {
  left?.throwIfAborted();
  const own = (thread ??= begin());
  const { worker, waiting } = own;
  const id = (last += 1);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  waiting.set(id, { resolve, reject });
  // The process ends when nobody waits for one.
  worker.ref();
  worker.postMessage({ id, sheet } satisfies Task);
  const end = (error: Error): void => {
    reject(error);
    // The next one has a thread of its own, whenever this one has ended.
    if (thread === own) thread = undefined;
    void worker.terminate();
  };
  const gone = (): void => end(left?.reason as Error);
  left?.addEventListener('abort', gone, { once: true });
  const timer = setTimeout(() => end(tooLong()), longest);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    left?.removeEventListener('abort', gone);
  }
}

const tooLong = (): Error =>
  booksFail('pdf_too_long', 'The document takes too long, or too much memory, to draw: split it into several.');

function begin(): Thread {
  // It is given nothing of the process: no secrets, and none of its options.
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: most },
  });
  const waiting: Thread['waiting'] = new Map();
  const own: Thread = { worker, waiting };
  const end = (error: Error): void => {
    if (thread === own) thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (word: Word) => {
    const one = waiting.get(word.id);
    waiting.delete(word.id);
    if ('bytes' in word) one?.resolve(Buffer.from(word.bytes.buffer, word.bytes.byteOffset, word.bytes.byteLength));
    else one?.reject(new Error(word.fault));
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLong() : error),
  );
  worker.on('exit', (code) => end(new Error(`the thread that draws PDFs ended with ${code}`)));
  return own;
}
