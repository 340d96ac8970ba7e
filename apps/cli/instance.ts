import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as identity from '@steward/identity';
import type { IdentitySettings } from '@steward/identity';
import { ConfigError, readConfig, type Addresses, type Environment, type ProcessConfig } from '@steward/kernel';

/** What commands read: the configuration, and where programs are. */
export type CommandEnvironment = Environment & { readonly PATH?: string | undefined };

/** What a running server writes into its data folder. */
export interface RunFile {
  readonly addresses: Addresses;
  readonly issuer: string;
  readonly internalUrl: string;
  /** Of the embedded database, without credentials. */
  readonly database?: string;
}

export interface Instance extends RunFile {
  readonly config: ProcessConfig & IdentitySettings;
  readonly dataDir: string;
}

/** Undefined when nothing runs in the folder. */
export async function readRunFile(dataDir: string): Promise<RunFile | undefined> {
  try {
    const run = JSON.parse(await readFile(join(dataDir, 'run.json'), 'utf8')) as RunFile & { readonly pid: number };
    // A server that was killed leaves its file behind.
    return isAlive(run.pid) ? run : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The running instance of DATA_DIR.
 * @throws ConfigError when none runs there
 */
export async function runningInstance(env: Environment): Promise<Instance> {
  const config = readConfig(env, [identity]);
  const dataDir = resolve(config.dataDir);
  const run = await readRunFile(dataDir);
  if (run !== undefined) return { ...run, config, dataDir };
  throw new ConfigError(`No instance runs in ${dataDir}: start one with \`npm start\`, or set DATA_DIR to its folder.`);
}

/** What a development token opens by default: every component. */
export const audiencesOf = ({ issuer: _issuer, ...components }: Addresses): string[] => [
  ...new Set(Object.values(components)),
];
