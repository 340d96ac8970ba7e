import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendSignal } from './processes.ts';
import type { Runtime } from './runtime.ts';

/**
 * PostgreSQL's fast shutdown (sessions are ended, the checkpoint is written); after 30 s the immediate one, which the
 * next start recovers from, and 10 s later an end without asking.
 */
const STEPS: readonly { signal: NodeJS.Signals; milliseconds: number }[] = [
  { signal: 'SIGINT', milliseconds: 30_000 },
  { signal: 'SIGQUIT', milliseconds: 10_000 },
  { signal: 'SIGKILL', milliseconds: 10_000 },
];

/** Stops the server and waits for its end. */
export async function stopPostmaster(child: ChildProcess, runtime: Runtime, location: string): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  child.ref();
  const exit = once(child, 'exit');
  if (process.platform === 'win32') {
    // signals there end a process at once; pg_ctl asks through the server's own pipe
    await promisify(execFile)(runtime.pgCtl, ['stop', '-D', location, '-m', 'fast', '-w']).catch(() => child.kill());
    await exit;
    return;
  }
  for (const { signal, milliseconds } of STEPS) {
    sendSignal(child.pid, signal);
    const waiting = new AbortController();
    await Promise.race([exit, sleep(milliseconds, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
    if (hasEnded(child)) return;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
