import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Serving } from './serving.ts';

/** What every process of a world is given besides its own variables: without the cache, as `npm start` sets it, half of its start is compiling. */
export const surroundings: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};
const main = fileURLToPath(new URL('../../apps/server/main.ts', import.meta.url));

/** A server process. */
export interface Running extends Serving {
  readonly child: ChildProcess;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Starts the server's own entry file with exactly these variables. */
export async function startServer(env: Record<string, string>, entry = main): Promise<Running> {
  const dataDir = env['DATA_DIR'] ?? '';
  const child = spawn(process.execPath, ['--max-semi-space-size=8', entry], {
    env: { ...surroundings, PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const ready = (async () => {
    while (child.exitCode === null && child.signalCode === null) {
      if (output.includes('Steward is ready')) {
        const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as Pick<
          Running,
          'addresses' | 'issuer' | 'internalUrl'
        > & { pid: number };
        if (run.pid === child.pid) return run;
      }
      await sleep(10);
    }
    throw new Error(`the server ended with ${child.exitCode}: ${output}`);
  })();
  const run = await ready;
  return {
    child,
    addresses: run.addresses,
    issuer: run.issuer,
    internalUrl: run.internalUrl,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
