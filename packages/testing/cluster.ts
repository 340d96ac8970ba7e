import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@steward/postgres';
import pg from 'pg';

export interface TestCluster {
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** Free bytes that a folder in memory must have to hold the cluster; a whole run takes a third of it. */
const room = 2 ** 30;

/**
 * What a cluster that nobody needs after the run may do without: to survive a power cut, and slow guesses of passwords.
 * And what it needs for several files at a time, each with up to three servers.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  scram_iterations: '1',
  max_connections: '300',
};

/** A PostgreSQL for tests, gone when stopped. */
export async function startTestCluster(): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(await roomyFolder(), 'steward-test-'));
  // Root's server runs under an account of its own, which has to pass.
  await chmod(dataDir, 0o711);
  const first = await startEmbedded({ dataDir });
  const client = new pg.Client({ connectionString: first.adminUrl });
  await client.connect();
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
  // What tests ask of all tables at once would start helpers for each question: nobody has counted the few rows yet.
  await client.query('alter role current_user set max_parallel_workers_per_gather = 0');
  await client.end();
  // Some of it holds from a start on.
  await first.stop();
  const server = await startEmbedded({ dataDir });
  return {
    adminUrl: server.adminUrl,
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Linux's memory, where there is room: a database is 300 files, and a disk's file system takes 0.2 s of processor time
 * to make them while many others have just been deleted.
 */
async function roomyFolder(): Promise<string> {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = await statfs(memory);
    if (bavail * bsize >= room) return memory;
  } catch {
    // Not a Linux.
  }
  return tmpdir();
}
