/** Real folders, processes and connections for the tests beside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from './processes.ts';

/** A folder that every account can pass through, removed after the test. */
export function temporaryFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-')));
  chmodSync(folder, 0o711);
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Runs statements on one connection; answers the rows of the last one, each as an array. */
export async function sql(url: string, ...statements: string[]): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  // the query says it too
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) rows = (await client.query({ text, rowMode: 'array' })).rows;
    return rows;
  } finally {
    await client.end();
  }
}

export interface Told {
  adminUrl: string;
  pid: number;
  location: string;
  created: boolean;
  recovered: boolean;
  code: string;
  message: string;
  holder: number;
  interrupted: boolean;
}

export interface Holder {
  readonly child: ChildProcess;
  /** the next line that the program prints */
  next(): Promise<Partial<Told>>;
  kill(): Promise<void>;
}

export interface HolderOptions {
  readonly program?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Node where every account can reach it: a checkout of root's is often in a folder that others cannot read. */
function nodeForAnyone(t: TestContext): string {
  const path = join(temporaryFolder(t), 'node');
  copyFileSync(process.execPath, path);
  chmodSync(path, 0o755);
  return path;
}

/** Another process that starts the server on the folder; killed after the test, with the server it left. */
export function holder(t: TestContext, dataDir: string, options: HolderOptions = {}): Holder {
  const { program = join(import.meta.dirname, 'test-holder.ts'), ...as } = options;
  const child = spawn(as.uid === undefined ? process.execPath : nodeForAnyone(t), [program, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    ...as,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let server: number | undefined;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  t.after(async () => {
    await kill();
    if (server === undefined) return;
    try {
      process.kill(server, 'SIGQUIT');
      await gone(server);
    } catch {
      // ended with its test
    }
  });
  return {
    child,
    kill,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the program ended without a word');
      const told: Partial<Told> = JSON.parse(value);
      server = told.pid ?? server;
      return told;
    },
  };
}

/** Waits until a process has ended, a child of ours or not. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(5);
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2);
}
