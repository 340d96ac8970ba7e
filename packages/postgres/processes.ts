import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from './errors.ts';

/** Whether the process runs. A zombie does not: in a container nobody may ever reap it, and kill(pid, 0) still works. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (errorCode(cause) !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.charAt(stat.lastIndexOf(')') + 2);
    return state !== 'Z' && state !== 'X';
  } catch (cause) {
    // hidepid mounts hide other users' processes: then the answer of kill decides
    return errorCode(cause) !== 'ENOENT' && errorCode(cause) !== 'ESRCH';
  }
}

/**
 * Processes that work in the folder (or below): a PostgreSQL server and its backends have their data directory as
 * working directory. Where there is no /proc, those that name the folder on their command line.
 */
export async function processesIn(folder: string): Promise<number[]> {
  if (process.platform === 'win32') return [];
  return process.platform === 'linux' ? fromProc(folder) : fromPs(folder);
}

function fromProc(folder: string): number[] {
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if ((cwd === folder || cwd.startsWith(`${folder}/`)) && isAlive(pid) && isPostgres(pid)) found.push(pid);
    } catch {
      // ended meanwhile, or not ours to look at
    }
  }
  return found;
}

/** A shell of the operator may also have the data directory as its working directory. */
function isPostgres(pid: number): boolean {
  return ['postgres', 'initdb'].includes(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
}

async function fromPs(folder: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command=']);
  return stdout
    .split('\n')
    .filter((line) => /postgres|initdb/.test(line) && line.includes(folder))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid && isAlive(pid));
}

/** Sends the signal; a process that has ended meanwhile is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (errorCode(cause) !== 'ESRCH') throw cause;
  }
}

/** Waits until none of the processes runs; false when some still do after `milliseconds`. */
export async function ended(pids: readonly number[], milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (pids.some(isAlive)) {
    if (performance.now() > until) return false;
    await sleep(10);
  }
  return true;
}
