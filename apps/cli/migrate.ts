import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@steward/kernel';

/** Runs the server's migration entry: apps start one another, they do not import one another. */
export async function migrateCommand(env: Environment): Promise<number> {
  const entry = fileURLToPath(new URL('../server/migrate.ts', import.meta.url));
  const child = spawn(process.execPath, [entry], { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
