import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from './errors.ts';
import { ended, isAlive, processesIn, sendSignal } from './processes.ts';

/**
 * Ends whatever an earlier Steward, killed without a chance to stop, has left running on the cluster, so that there
 * are never two servers on one directory. The caller holds the data folder's lock: no live Steward owns these.
 */
export async function endOrphans(location: string, pgCtl: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(location, 'postmaster.pid');
  const recorded = recordedPid(pidFile);
  if (recorded === undefined) return;
  if (process.platform === 'win32') {
    // signals are a PostgreSQL pipe there; the call fails harmlessly where the id belongs to something else
    await promisify(execFile)(pgCtl, ['stop', '-D', location, '-m', 'fast', '-w']).catch(() => undefined);
    return;
  }
  const left = await processesIn(location);
  if (left.includes(recorded)) {
    log(`ending the PostgreSQL (pid ${recorded}) that an earlier Steward left behind`);
    await end(left, recorded);
  } else if (left.length > 0) {
    // the postmaster was killed; its backends notice at their next wait, and a busy one would block the start
    log(`ending ${left.length} PostgreSQL processes whose server was killed`);
    await endBackends(left);
  }
  if (exists(recorded)) removeLockFiles(location);
}

async function end(processes: readonly number[], postmaster: number): Promise<void> {
  sendSignal(postmaster, 'SIGINT');
  if (await ended(processes, 30_000)) return;
  sendSignal(postmaster, 'SIGQUIT');
  if (await ended(processes, 10_000)) return;
  await endBackends(processes);
}

async function endBackends(processes: readonly number[]): Promise<void> {
  for (const pid of processes) sendSignal(pid, 'SIGQUIT');
  if (await ended(processes, 3000)) return;
  for (const pid of processes) sendSignal(pid, 'SIGKILL');
  if (await ended(processes, 3000)) return;
  throw new EmbeddedError(
    'start_failed',
    `PostgreSQL processes of an earlier start cannot be ended (${processes.filter(isAlive).join(', ')}): end them by hand, then start again.`,
  );
}

function recordedPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Its own stale lock files PostgreSQL sees through, unless the id in them was given to another process of its user or
 * is still held by a zombie: then it would refuse to start. None of the cluster's processes is left at this point.
 */
function removeLockFiles(location: string): void {
  for (const name of readdirSync(location)) {
    if (name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name))
      rmSync(join(location, name), { force: true });
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
