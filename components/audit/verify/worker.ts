/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
import { parentPort, workerData } from 'node:worker_threads';
import type { Part } from './part.ts';
import { readPart, type PartResult } from './read-part.ts';
import { type Access, openReader } from './reader.ts';

/** What a thread of the crew is given at its start. */
export interface Task {
  readonly access: Access;
  readonly canonical: boolean;
}

/** What it says: how far it is, or what came of a part. */
export type Word = { readonly progress: number } | { readonly result: PartResult };

const { access, canonical } = workerData as Task;
const port = parentPort;
if (port === null) throw new Error('This runs in a thread of its own.');
const say = (word: Word): void => port.postMessage(word);
const connections = { events: await openReader(access), keys: await openReader(access) };

/** A part, then another, until `null`. A failure ends the thread, which tells the crew. */
port.on('message', (part: Part | null) => {
  if (part === null) {
    port.close();
    void Promise.all([connections.events.end(), connections.keys.end()]);
    return;
  }
  void readPart(connections, part, { canonical, onProgress: (progress) => say({ progress }) }).then((result) =>
    say({ result }),
  );
});
