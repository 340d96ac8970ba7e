/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { Worker } from 'node:worker_threads';
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

/** Megabytes that the thread may hold; one that needs more ends, with what waits for it. */
const most = 256;
let thread: Thread | undefined;
let last = 0;

/**
 * As `composePdf`, on a thread of its own: finishing a long document takes up to a second without a pause. It begins with the
 * first PDF, as what draws them is large and many never ask for one.
 */
export async function renderPdf(sheet: Sheet): Promise<Buffer> {
  const { worker, waiting } = (thread ??= begin());
  const id = (last += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    // The process ends when nobody waits for one.
    worker.ref();
    worker.postMessage({ id, sheet } satisfies Task);
  });
}

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
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`the thread that draws PDFs ended with ${code}`)));
  return own;
}
