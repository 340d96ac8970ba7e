/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort } from 'node:worker_threads';
import { composePdf, type Sheet } from './compose.ts';

/** What the thread is asked for, and what it answers. */
export interface Task {
  readonly id: number;
  readonly sheet: Sheet;
}
export type Word =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly fault: string };

const port = parentPort;
if (port === null) throw new Error('This runs in a thread of its own.');
const say = (word: Word): void => port.postMessage(word);
let before = Promise.resolve();

async function draw({ id, sheet }: Task): Promise<void> {
  try {
    say({ id, bytes: await composePdf(sheet) });
  } catch (error) {
    say({ id, fault: String(error) });
  }
}

/** One after the other, so that it holds no more than one in memory. */
port.on('message', (task: Task) => {
  before = before.then(async () => draw(task));
});
