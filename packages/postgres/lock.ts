import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from './errors.ts';
import { isAlive } from './processes.ts';

export interface FolderLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Takes the folder for this process, or refuses with `data_dir_in_use`. Of any number of simultaneous callers, in one
 * process or many, exactly one wins; the lock ends with the process, however it ends.
 *
 * Node has no flock. SQLite's reserved lock is the same thing: an OS lock that the kernel drops when its holder dies,
 * so that neither a left-over file nor a reused process id can be mistaken for a holder. RESERVED and not EXCLUSIVE,
 * because two processes that race for EXCLUSIVE can both get "busy". The file is never written, and nothing else
 * in this process may open it: POSIX drops a process's locks when any of its descriptors on the file is closed.
 */
export async function lockFolder(folder: string, name = 'postgres'): Promise<FolderLock> {
  const lockFile = join(folder, `${name}.lock`);
  const pidFile = join(folder, `${name}.pid`);
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(lockFile);
  } catch (cause) {
    throw new EmbeddedError(
      'data_dir_unusable',
      `The lock file ${lockFile} cannot be opened: make ${folder} a writable folder of the user who starts Steward, or set DATA_DIR to another one.`,
      { cause },
    );
  }
  try {
    // no journal file: after a kill it would have to be rolled back, and two processes that try that both get "busy"
    database.exec('PRAGMA journal_mode = MEMORY');
    database.exec('BEGIN IMMEDIATE');
    chmodSync(lockFile, 0o600);
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o644 });
    followOwner(lockFile);
    followOwner(pidFile);
  } catch (cause) {
    database.close();
    if (isBusy(cause)) throw await inUse(folder, pidFile);
    throw cause;
  }
  let held = true;
  return {
    release() {
      if (held) database.close();
      held = false;
    },
  };
}

/** Root that starts on another user's data folder must not leave files there which that user cannot open. */
export function followOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 256 === SQLITE_BUSY;
}

async function inUse(folder: string, pidFile: string): Promise<EmbeddedError> {
  const pid = await holder(pidFile);
  const where = `The data folder ${folder}`;
  return new EmbeddedError(
    'data_dir_in_use',
    `${where} is in use by ${pid === undefined ? 'another running Steward' : `the running Steward with process id ${pid}`}: stop that one first, or set DATA_DIR to another folder.`,
    pid === undefined ? {} : { pid },
  );
}

/** The holder writes its id right after it wins, so a loser of a simultaneous start may have to look twice. */
async function holder(pidFile: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    let pid = Number.NaN;
    try {
      pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    } catch {
      // not written yet
    }
    if (Number.isSafeInteger(pid) && pid > 0 && isAlive(pid)) return pid;
    await sleep(10);
  }
  return undefined;
}
