import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessWorld, type Running, type ProcessWorld } from '@steward/conformance/world';
import { connectTo } from '@steward/sql';
import { clusterVariable } from '@steward/testing';
import { startBalancer } from './balancer.ts';
import { type Brokers, startBrokers } from './brokers.ts';
import { type Databases, startDatabases } from './databases.ts';
import { findPrograms, freePorts, start, until } from './processes.ts';

/** How our processes reach the database: by a balancer that ends sessions with a demoted server or leaves them, or with all addresses. */
export type Way = 'closing' | 'keeping' | 'direct';

export interface Bed extends AsyncDisposable {
  readonly databases: Databases;
  readonly brokers: Brokers;
  /** Its addresses are the balancer's. */
  readonly world: ProcessWorld;
  /** The two processes behind the balancer. */
  readonly processes: readonly Running[];
  /** Both stopped, and started with another way to the database. */
  reach(way: Way): Promise<void>;
  /** Starts one again that has ended; the balancer leads there then. */
  restart(n: number): Promise<void>;
  /** An address of one database as our processes are given it. */
  url(way: Way, of: string): string;
}

/**
 * Two processes behind a balancer, over three nodes of PostgreSQL, three of NATS and one Redis. CLUSTER_FOLDER keeps logs and
 * data there.
 */
export async function startBed(): Promise<Bed> {
  await using stack = new AsyncDisposableStack();
  const programs = await findPrograms(['patroni', 'etcd', 'haproxy', 'pg_rewind', 'nats-server', 'redis-server']);
  const kept = process.env['CLUSTER_FOLDER'] ?? '';
  const folder = kept === '' ? await mkdtemp(join(tmpdir(), 'steward-cluster-')) : kept;
  if (kept === '') stack.defer(async () => rm(folder, { recursive: true, force: true }));
  // Nobody's programs have to pass.
  await chmod(folder, 0o711);
  const databases = stack.use(await startDatabases({ programs, folder }));
  const brokers = stack.use(await startBrokers(programs['nats-server'] ?? '', folder));
  const [redisPort = 0, ...ports] = await freePorts(3);
  const redis = start(
    programs['redis-server'] ?? '',
    ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    join(folder, 'redis.log'),
  );
  stack.defer(async () => redis.kill());
  const balancer = stack.use(await startBalancer(programs['haproxy'] ?? '', folder, databases, ports));
  const url = (way: Way, of: string): string => {
    const hosts = way === 'direct' ? databases.nodes.map(({ port }) => port) : [balancer[way]];
    return of.replace(/@[^/]*\//, `@${hosts.map((port) => `127.0.0.1:${port}`).join(',')}/`);
  };
  process.env[clusterVariable] = url('closing', 'postgres://postgres@one/postgres');
  // Until it has asked them, it holds all three for leaders.
  await until('the balancer leads to the leader alone', async () => {
    for (const _ of databases.nodes) {
      const client = await connectTo(process.env[clusterVariable] ?? '', { applicationName: 'bed' });
      await client.end();
    }
    return true;
  });
  const origin = `http://127.0.0.1:${balancer.web}`;
  const world = stack.use(
    await createProcessWorld({
      PORT: String(ports[0]),
      PUBLIC_URL: origin,
      BUS_URL: brokers.url,
      BUS_REPLICAS: '3',
      LIMITS_URL: `redis://127.0.0.1:${redisPort}`,
      SHUTDOWN_DELAY_SECONDS: '5',
      STOREFRONT_PER_IP_PER_MINUTE: '100000',
      STOREFRONT_PER_KEY_PER_MINUTE: '100000',
    }),
  );
  const processes: Running[] = [];
  let way: Way = 'closing';
  const restart = async (n: number): Promise<void> => {
    processes[n] = await world.another({
      PORT: String(ports[n]),
      DATABASE_URL: url(way, world.db.appUrl),
      DATABASE_OWNER_URL: url(way, world.db.ownerUrl),
    });
    await balancer.leadsTo(ports[n] ?? 0);
  };
  processes.push(world.server);
  await restart(1);
  await balancer.leadsTo(ports[0] ?? 0);
  const moved = stack.move();
  return {
    databases,
    brokers,
    world,
    processes,
    url,
    restart,
    reach: async (other) => {
      if (way === other) return;
      way = other;
      await Promise.all(processes.map(async (one) => one.stop()));
      // One after the other: each looks whether there is something to migrate.
      for (const n of [0, 1]) await restart(n);
    },
    [Symbol.asyncDispose]: async () => moved.disposeAsync(),
  };
}
