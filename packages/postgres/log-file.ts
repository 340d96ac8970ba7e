import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { followOwner } from './lock.ts';

const LIMIT_BYTES = 8 * 1024 * 1024;
const LOOK_EVERY_MILLISECONDS = 10_000;

/**
 * The server's log: a file that PostgreSQL itself appends to, so it never waits for this process and continues
 * when this process dies. One older generation is kept (`.1`); the two take about 16 MB at most.
 */
export interface LogFile {
  readonly path: string;
  readonly descriptor: number;
  /** what was written since the file was opened, the last 8 kB of it */
  tail(): string;
  close(): void;
}

export function openLogFile(path: string): LogFile {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIMIT_BYTES / 2) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a+', 0o600);
  followOwner(path);
  let start = fstatSync(descriptor).size;
  const timer = setInterval(() => {
    if (fstatSync(descriptor).size <= LIMIT_BYTES) return;
    try {
      copyFileSync(path, `${path}.1`);
    } catch {
      // a full disk is one more reason to cut the log
    }
    // cut, not renamed: the server keeps its descriptor, and appends at the new end
    ftruncateSync(descriptor, 0);
    start = 0;
  }, LOOK_EVERY_MILLISECONDS).unref();
  return {
    path,
    descriptor,
    tail() {
      const end = fstatSync(descriptor).size;
      const from = Math.max(start, end - 8192);
      const text = Buffer.alloc(Math.max(0, end - from));
      readSync(descriptor, text, 0, text.length, from);
      return text.toString('utf8');
    },
    close() {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}
