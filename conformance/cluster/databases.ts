import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { familyOf, freePorts, isAlive, nobody, type Program, signal, start, until } from './processes.ts';

/** One machine of three: PostgreSQL and the Patroni that watches over it. */
export interface Node {
  readonly name: string;
  readonly port: number;
  /** Patroni's own. */
  readonly statusPort: number;
  start(): void;
  /** SIGKILL, as a machine that loses its power. */
  kill(): Promise<void>;
  /** SIGSTOP for PostgreSQL: connections stay, and nothing comes any more, as from behind a cut cable. Patroni is gone. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

export interface Databases extends AsyncDisposable {
  readonly nodes: readonly Node[];
  leader(): Promise<Node>;
  /** The one that a commit waits for. */
  synchronous(): Promise<Node>;
  /** Resolves once one leads, one is synchronous and all are there. */
  settled(): Promise<void>;
  /** Another leads from now on, by agreement. */
  switchover(): Promise<void>;
  /** Nobody can say who leads, so that nobody does. @returns lets them agree again */
  disagree(): Promise<() => void>;
}

interface Place {
  readonly programs: Readonly<Record<string, string>>;
  readonly folder: string;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three nodes under Patroni in synchronous mode, which agree by one etcd. */
export async function startDatabases({ programs, folder }: Place): Promise<Databases> {
  await using stack = new AsyncDisposableStack();
  const [client = 0, peer = 0, ...ports] = await freePorts(8);
  const agree = (): Program =>
    start(
      programs['etcd'] ?? '',
      [
        ['--name', 'etcd', '--data-dir', join(folder, 'etcd')],
        ['--listen-client-urls', `http://127.0.0.1:${client}`, '--advertise-client-urls', `http://127.0.0.1:${client}`],
        ['--listen-peer-urls', `http://127.0.0.1:${peer}`, '--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
        ['--initial-cluster', `etcd=http://127.0.0.1:${peer}`],
      ].flat(),
      join(folder, 'etcd.log'),
    );
  let etcd = agree();
  stack.defer(async () => etcd.kill());
  await until('etcd answers', async () => (await fetch(`http://127.0.0.1:${client}/health`)).ok);
  const nodes = await Promise.all(
    [0, 1, 2].map(async (n) => nodeOf({ programs, folder }, `node${n + 1}`, client, ports[n] ?? 0, ports[n + 3] ?? 0)),
  );
  for (const node of nodes) {
    stack.defer(async () => node.kill());
    node.start();
  }
  const members = async (): Promise<Member[]> => {
    for (const { statusPort } of nodes) {
      try {
        const answer = await fetch(`http://127.0.0.1:${statusPort}/cluster`, { signal: AbortSignal.timeout(5_000) });
        return ((await answer.json()) as { members: Member[] }).members;
      } catch {
        // That one is gone: another one knows as well.
      }
    }
    return [];
  };
  const inRole = async (role: string): Promise<Node> =>
    until(`there is a ${role}`, async () => {
      const name = (await members()).find((one) => one.role === role && one.state !== 'stopped')?.name;
      return nodes.find((node) => node.name === name);
    });
  const settled = async (): Promise<void> => {
    await until('one leads and two follow', async () => {
      const all = await members();
      const well = all.filter(({ state }) => state === 'running' || state === 'streaming');
      return well.length === 3 && ['leader', 'sync_standby'].every((role) => all.some((one) => one.role === role));
    });
  };
  await settled();
  const kept = stack.move();
  return {
    nodes,
    leader: async () => inRole('leader'),
    synchronous: async () => inRole('sync_standby'),
    settled,
    switchover: async () => {
      const [{ name: leader, statusPort }, { name: candidate }] = [
        await inRole('leader'),
        await inRole('sync_standby'),
      ];
      const answer = await fetch(`http://127.0.0.1:${statusPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader, candidate }),
      });
      if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
      await until(`${candidate} leads`, async () => (await inRole('leader')).name === candidate);
    },
    disagree: async () => {
      await etcd.kill();
      await until('nobody leads', async () => {
        const answers = nodes.map(async ({ statusPort }) => fetch(`http://127.0.0.1:${statusPort}/primary`));
        return (await Promise.all(answers)).every(({ ok }) => !ok);
      });
      return () => {
        etcd = agree();
      };
    },
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}

async function nodeOf(
  { programs, folder }: Place,
  name: string,
  etcd: number,
  port: number,
  statusPort: number,
): Promise<Node> {
  const home = join(folder, name);
  const data = join(home, 'data');
  await mkdir(home);
  const file = join(home, 'patroni.json');
  const address = `127.0.0.1:${port}`;
  const login = { username: 'postgres', password: 'postgres' };
  await writeFile(
    file,
    // Every JSON is YAML.
    JSON.stringify({
      scope: 'steward',
      name,
      restapi: { listen: `127.0.0.1:${statusPort}`, connect_address: `127.0.0.1:${statusPort}` },
      etcd3: { host: `127.0.0.1:${etcd}` },
      bootstrap: {
        dcs: {
          // Its usual ones but for the pause between rounds: less patience replaces leaders that are well on a busy machine.
          ttl: 30,
          loop_wait: 1,
          retry_timeout: 10,
          synchronous_mode: true,
          // Otherwise a new leader acknowledges by itself until a standby follows it.
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true, parameters: { max_connections: 120 } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: data,
        bin_dir: (programs['pg_rewind'] ?? '').replace(/\/pg_rewind$/, ''),
        pgpass: join(home, 'pgpass'),
        authentication: { superuser: login, replication: { ...login, username: 'replicator' } },
        parameters: { unix_socket_directories: '' },
      },
    }),
  );
  if (nobody.uid !== undefined) await chown(home, nobody.uid, nobody.gid);
  let patroni: Program | undefined;
  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  /** PostgreSQL first, which must not hear that the other has gone. */
  const all = async (): Promise<number[]> => {
    const server = await postmaster();
    const watcher = patroni?.child.pid ?? 0;
    return [...(server > 0 ? await familyOf(server) : []), ...(watcher > 0 ? [watcher] : [])];
  };
  const begin = (): void => {
    patroni = start(programs['patroni'] ?? '', [file], join(folder, `${name}.log`), nobody);
  };
  return {
    name,
    port,
    statusPort,
    start: begin,
    kill: async () => {
      const pids = await all();
      for (const pid of pids) signal(pid, 'SIGKILL');
      await patroni?.kill();
      patroni = undefined;
      await until(`${name} is gone`, async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive));
      // Where nobody takes leave of the dead, Patroni would hold its PostgreSQL for alive.
      await rm(join(data, 'postmaster.pid'), { force: true });
    },
    freeze: async () => {
      // Patroni 3.0 that is stopped in the middle of a round takes the lock from the new leader when it goes on.
      await patroni?.kill();
      for (const pid of await familyOf(await postmaster())) signal(pid, 'SIGSTOP');
    },
    thaw: async () => {
      for (const pid of await familyOf(await postmaster())) signal(pid, 'SIGCONT');
      begin();
    },
  };
}
