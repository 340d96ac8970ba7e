import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePorts, type Program, start, until } from './processes.ts';

/** Three servers of NATS with JetStream. */
export interface Brokers extends AsyncDisposable {
  /** After commas. */
  readonly url: string;
  /** Kills the leader of a stream, and resolves once another one leads. @returns starts it again */
  killLeader(stream: string): Promise<() => void>;
  /** Of the messages of a stream, in its order. */
  ids(stream: string): Promise<string[]>;
}

export async function startBrokers(program: string, folder: string): Promise<Brokers> {
  const ports = await freePorts(6);
  const routes = [3, 4, 5].map((n) => `nats://127.0.0.1:${ports[n]}`);
  const running = new Map<string, Program>();
  const begin = (n: number): void => {
    const name = `nats${n + 1}`;
    running.set(
      name,
      start(
        program,
        [
          ['-n', name, '-a', '127.0.0.1', '-p', String(ports[n]), '-js', '-sd', join(folder, name)],
          ['--cluster_name', 'steward', '--cluster', routes[n] ?? '', '--routes', routes.join(',')],
        ].flat(),
        join(folder, `${name}.log`),
      ),
    );
  };
  for (const n of [0, 1, 2]) begin(n);
  const servers = [0, 1, 2].map((n) => `nats://127.0.0.1:${ports[n]}`);
  const managed = async <T>(use: (of: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>): Promise<T> => {
    const connection = await connect({ servers, timeout: 2_000 });
    try {
      return await use(await jetstreamManager(connection, { timeout: 2_000 }));
    } finally {
      await connection.close();
    }
  };
  const leaderOf = async (stream: string): Promise<string> =>
    until(`the stream ${stream} has a leader`, async () =>
      managed(async (manager) => (await manager.streams.info(stream)).cluster?.leader),
    );
  await until('NATS has a leader', async () => managed(async (manager) => (await manager.getAccountInfo()).limits));
  return {
    url: servers.join(','),
    killLeader: async (stream) => {
      const leader = await leaderOf(stream);
      await running.get(leader)?.kill();
      await until('another one leads the stream', async () => (await leaderOf(stream)) !== leader);
      return () => begin(Number(leader.slice(-1)) - 1);
    },
    ids: async (stream) =>
      until('the stream is read', async () =>
        managed(async (manager) => {
          const { state } = await manager.streams.info(stream);
          const ids: string[] = [];
          for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
            const message = await manager.streams.getMessage(stream, { seq });
            ids.push(message?.header.get('Nats-Msg-Id') ?? '');
          }
          return ids;
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...running.values()].map(async (one) => one.kill()));
    },
  };
}
