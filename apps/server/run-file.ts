import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addresses } from '@steward/kernel';

/** How the command line finds the running instance of a data folder. It contains no secret. */
export interface RunFile {
  readonly pid: number;
  readonly startedAt: string;
  readonly addresses: Addresses;
  readonly internalUrl: string;
  readonly issuer: string;
  /** Of the embedded database, without credentials. */
  readonly database?: string | undefined;
}

export const runFile = (dataDir: string): string => join(dataDir, 'run.json');

export async function writeRunFile(dataDir: string, run: Omit<RunFile, 'pid' | 'startedAt'>): Promise<void> {
  const path = runFile(dataDir);
  const whole: RunFile = { pid: process.pid, startedAt: new Date().toISOString(), ...run };
  await writeFile(`${path}.new`, `${JSON.stringify(whole, null, 2)}\n`);
  await rename(`${path}.new`, path);
}
