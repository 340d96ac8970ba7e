import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskFull, EmbeddedError, tellsDiskFull } from './errors.ts';
import type { LogFile } from './log-file.ts';
import type { Place } from './place.ts';
import { reasons, run } from './program.ts';
import type { Runtime } from './runtime.ts';
import { asArguments, type Endpoint, fixedSettings, socketFits } from './settings.ts';
import { stopPostmaster } from './stop.ts';

export interface Postmaster {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly endpoint: Endpoint;
}

/**
 * Starts the server and waits until it takes connections, as long as its recovery needs: how long replaying a log
 * takes depends on the log, and giving up would only begin it again.
 *
 * @throws EmbeddedError `start_failed`, `disk_full`, `unsupported_platform`
 */
export async function startPostmaster(
  place: Place,
  runtime: Runtime,
  log: LogFile,
  endOrphans: () => Promise<void>,
  signal?: AbortSignal,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    const endpoint: Endpoint = socketFits(place.location)
      ? { kind: 'socket', folder: place.location }
      : { kind: 'tcp', port: await freePort() };
    const started = await tryStart(place, runtime, endpoint, log, signal);
    if (started !== undefined) return started;
    const output = log.tail();
    // somebody took the port between our look and PostgreSQL's
    if (endpoint.kind === 'tcp' && attempt < 5 && /could not bind|Address already in use/.test(output)) continue;
    // a server that a killed Steward had only just begun to start appears after our first look
    if (attempt < 5 && /lock file ".*" already exists|pre-existing shared memory block/.test(output)) {
      await endOrphans();
      continue;
    }
    if (tellsDiskFull(output)) throw diskFull(place.location);
    throw new EmbeddedError(
      'start_failed',
      `PostgreSQL did not start on ${place.location} (${reasons(output)}): put that right and start again; its log is ${log.path}.`,
    );
  }
}

async function tryStart(
  { location, account }: Place,
  runtime: Runtime,
  endpoint: Endpoint,
  log: LogFile,
  signal: AbortSignal | undefined,
): Promise<Postmaster | undefined> {
  signal?.throwIfAborted();
  const args = ['-D', location, ...asArguments(fixedSettings(endpoint))];
  const child = await run({ file: runtime.postgres, args, account, cwd: location }, [
    'ignore',
    log.descriptor,
    log.descriptor,
  ]);
  const since = performance.now();
  while (child.exitCode === null && child.signalCode === null) {
    if (signal?.aborted) {
      await stopPostmaster(child, runtime, location);
      signal.throwIfAborted();
    }
    if (isReady(location, child.pid)) return { child, pid: child.pid, endpoint };
    await sleep(performance.now() - since < 1000 ? 3 : 50);
  }
  return undefined;
}

/** The eighth line of postmaster.pid is the server's state; the first says whose state it is. */
function isReady(location: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(location, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && /^(?:ready|standby)\s*$/.test(lines[7] ?? '');
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
  });
  return promise;
}
