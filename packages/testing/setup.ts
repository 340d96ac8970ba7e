import { startTestCluster, type TestCluster } from './cluster.ts';
import { clusterVariable, templatesVariable } from './database.ts';

// Global setup of the suite: one PostgreSQL for all test files, each of which makes databases of its own in it.

let started: TestCluster | undefined;

export async function globalSetup(): Promise<void> {
  if ((process.env[clusterVariable] ?? '') !== '') return;
  started = await startTestCluster();
  process.env[clusterVariable] = started.adminUrl;
  process.env[templatesVariable] = 'yes';
}

export async function globalTeardown(): Promise<void> {
  await started?.stop();
}
