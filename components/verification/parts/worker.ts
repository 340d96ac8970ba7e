/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort, workerData } from 'node:worker_threads';
import { type Against, openConnections } from './connections.ts';
import type { Part } from './part.ts';
import { readPart, type PartResult } from './read-part.ts';
import type { Access } from './reader.ts';

/** What a thread is given at its start. */
export interface Task {
  readonly access: Access;
  readonly canonical: boolean;
  readonly against: Against | undefined;
}

/** What it posts: how far it is, or the result of a part. */
export type Message = { readonly progress: number } | { readonly result: PartResult };

const { access, canonical, against } = workerData as Task;
const port = parentPort;
if (port === null) throw new Error('This runs in a thread of its own.');
const post = (message: Message): void => port.postMessage(message);
const connections = await openConnections(access, against);

/** One part after the other, until `null`. A failure ends the thread, and then the others. */
port.on('message', (part: Part | null) => {
  if (part === null) {
    port.close();
    void connections[Symbol.asyncDispose]();
    return;
  }
  const options = { canonical, onProgress: (progress: number): void => post({ progress }) };
  void readPart(connections, part, options).then((result) => post({ result }));
});
