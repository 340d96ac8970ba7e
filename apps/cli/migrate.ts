import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@steward/kernel';
import { UsageError } from './command.ts';

/** Runs the server's migration entry: apps start one another, they do not import one another. */
export async function migrateCommand({ roles }: { roles: string | undefined }, env: Environment): Promise<number> {
  if (roles === '') throw new UsageError('--roles is the name of the database that was backed up.');
  const entry = fileURLToPath(new URL('../server/migrate.ts', import.meta.url));
  const child = spawn(process.execPath, [entry, ...(roles === undefined ? [] : [roles])], {
    stdio: 'inherit',
    env: env as NodeJS.ProcessEnv,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
