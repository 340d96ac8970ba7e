import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { access, glob, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Programs that refuse to be root's run as nobody. */
export const nobody: { readonly uid: number; readonly gid: number } | Record<'uid' | 'gid', undefined> =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : { uid: undefined, gid: undefined };

/** How long something may take to come about, in milliseconds: a lost leader is replaced after 30 s at least, on a busy machine much later. */
const patience = 300_000;

/** Where each program is; Debian keeps PostgreSQL's apart. @throws Error naming what is missing and how to get it */
export async function findPrograms(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const servers = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'));
  const newest = servers.toSorted((a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]));
  const folders = [...newest, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const found: Record<string, string> = {};
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, name);
      const there = await access(path).then(
        () => true,
        () => false,
      );
      if (there) found[name] ??= path;
    }
  const missing = names.filter((name) => found[name] === undefined);
  if (missing.length === 0) return found;
  throw new Error(
    `The test bed lacks ${missing.join(', ')}: apt-get install patroni etcd-server haproxy postgresql nats-server redis-server.`,
  );
}

export interface Program {
  readonly child: ChildProcess;
  /** SIGKILL; nothing where it has ended. */
  kill(): Promise<void>;
}

export function start(path: string, args: readonly string[], log: string, as: Partial<typeof nobody> = {}): Program {
  const said = openSync(log, 'a');
  const child = spawn(path, args, { stdio: ['ignore', said, said], ...(as.uid === undefined ? {} : as) });
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  return {
    child,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits for something to be so. @throws Error naming it */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (const last = performance.now() + patience; performance.now() < last; await sleep(100)) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`waited in vain until ${what}`);
}

export async function freePorts(many: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: many }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map(async (server) => {
      server.close();
      await once(server, 'close');
    }),
  );
  return ports;
}

/** A process and all that it has started, the first one first. */
export async function familyOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter((part) => part !== '');
  return [pid, ...(await Promise.all(children.map(async (child) => familyOf(Number(child))))).flat()];
}

/** Whether a process is there, and more than a name in the table. */
export const isAlive = async (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (text) => !/\) [ZX] /.test(text),
    () => false,
  );

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
