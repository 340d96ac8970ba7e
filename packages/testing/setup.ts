import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded, type EmbeddedServer } from '@steward/sql/embedded';
import { clusterVariable } from './database.ts';

// Global setup of the suite: one PostgreSQL for all test files, each of which makes databases of its own in it.

let started: { server: EmbeddedServer; dataDir: string } | undefined;

export async function globalSetup(): Promise<void> {
  if ((process.env[clusterVariable] ?? '') !== '') return;
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-suite-'));
  const server = await startEmbedded({ dataDir });
  started = { server, dataDir };
  process.env[clusterVariable] = server.adminUrl;
}

export async function globalTeardown(): Promise<void> {
  if (started === undefined) return;
  await started.server.stop();
  await rm(started.dataDir, { recursive: true, force: true });
}
