import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import * as archiving from '@steward/archive';
import type { ArchiveConfig, ArchiveSettings } from '@steward/archive';
import * as identity from '@steward/identity';
import { isId, readConfig } from '@steward/kernel';
import { allTenants } from '@steward/portal';
import { sqlState } from '@steward/sql';
import { recorded } from '@steward/server/recorded';
import {
  eventsOfRows,
  type LogOptions,
  recordVerification,
  verifyEventProof,
  verifyLog,
  verifyOffline,
} from '@steward/verification';
import { withInstance } from '../with-instance.ts';
import type { CommandEnvironment } from '../instance.ts';
import { readKeys } from './keys-given.ts';
import { UsageError } from '../command.ts';
import { exitCode, printLog, printOffline, printProof, progress, summarize, type Verification } from './verdict.ts';

/** What the archive or the database could not be asked: nothing is said about it. */
const couldNotVerify = 3;

/** `audit verify`: exit 0 verified, 1 findings, 2 not called rightly, 3 could not be verified. */
export async function verifyCommand(given: Given, env: CommandEnvironment): Promise<number> {
  const wish = await readWish(given);
  try {
    if (wish.proof !== undefined) return await proof(wish.proof, wish, env);
    return wish.offline ? await offline(wish, env) : await log(wish, env);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyOf(error);
    if (wish.json) console.log(JSON.stringify({ ok: false, error: why }, null, 2));
    console.error(`Could not be verified: ${why}`);
    return couldNotVerify;
  }
}

/** 55P03: a lock was waited for in vain. */
function whyOf(error: unknown): string {
  if (sqlState(error) === '55P03')
    return 'A session of the database holds a lock on what is to be read: pg_locks and pg_stat_activity say which. End it, and run this again.';
  return error instanceof Error ? error.message : String(error);
}

interface Wish extends Pick<
  LogOptions,
  'tenant' | 'keys' | 'canonical' | 'workers' | 'acceptIncarnation' | 'freshWithinDays'
> {
  readonly archive: string | undefined;
  readonly proof: string | undefined;
  readonly offline: boolean;
  readonly json: boolean;
}

interface Given extends Record<
  'tenant' | 'archive' | 'proof' | 'workers' | 'accept-incarnation' | 'fresh-within',
  string | undefined
> {
  readonly key: readonly string[] | undefined;
  readonly offline: boolean;
  readonly canonical: boolean;
  readonly json: boolean;
}

async function readWish(given: Given): Promise<Wish> {
  const { tenant, archive, key, offline, proof, canonical, json } = given;
  if (tenant !== undefined && !isId(tenant)) throw new UsageError('--tenant is the id of a tenant.');
  return {
    ...(tenant === undefined ? {} : { tenant }),
    keys: key === undefined ? undefined : (await Promise.all(key.map(readKeys))).flat(),
    archive,
    proof,
    offline,
    canonical,
    json,
    workers: whole(given.workers ?? String(availableParallelism()), '--workers', 1, 64),
    acceptIncarnation: whole(given['accept-incarnation'] ?? '1', '--accept-incarnation', 1, 1_000_000),
    freshWithinDays: whole(given['fresh-within'] ?? '3', '--fresh-within', 0, 1_000_000),
  };
}

function whole(told: string, option: string, least: number, most: number): number {
  const number = /^\d{1,7}$/.test(told) ? Number(told) : -1;
  if (number < least || number > most) throw new UsageError(`${option} is a whole number from ${least} to ${most}.`);
  return number;
}

/** The configured archive, or the one that is named, with the configured credentials. */
function settingsOf(archive: string | undefined, config: ArchiveSettings): ArchiveConfig {
  if (archive === undefined) return config.archive;
  if (archive.startsWith('s3://')) return { ...config.archive, address: archive };
  if (!archive.startsWith('file:')) throw new UsageError('--archive is file:folder or s3://bucket/prefix.');
  const folder = archive.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return { ...config.archive, address: `file:${resolve(folder)}` };
}

async function log(wish: Wish, env: CommandEnvironment): Promise<number> {
  const onProgress = progress();
  const verdict = await verify(env, wish, {
    onProgress: ({ events }) => onProgress('events of the source', events),
    onArchiveProgress: ({ rows }) => onProgress('rows of the archive', rows),
  });
  onProgress.end();
  if (wish.json) console.log(JSON.stringify(verdict, null, 2));
  else printLog(verdict);
  return exitCode(verdict.findings);
}

/**
 * Verifies the log of an instance, running or not, and its archive, and remembers in the database that it did.
 * @throws ConfigError when the database cannot be found
 */
export async function verify(
  env: CommandEnvironment,
  { tenant, archive, ...wish }: Partial<Wish>,
  told: Pick<LogOptions, 'onProgress' | 'onArchiveProgress'> = {},
): Promise<Verification> {
  return withInstance(env, async (instance) => {
    const ownerUrl = instance.ownerUrl();
    const verdict = await verifyLog({
      ownerUrl,
      expected: tenant === undefined ? await allTenants(ownerUrl) : [tenant],
      ...(tenant === undefined ? {} : { tenant }),
      ...wish,
      archive: settingsOf(archive, instance.config),
      checks: [eventsOfRows(recorded)],
      ...told,
    });
    const summary = summarize(verdict);
    await recordVerification(ownerUrl, {
      kind: tenant === undefined ? 'log' : 'tenant',
      ok: verdict.ok,
      detail: summary,
    });
    return { ...verdict, summary };
  });
}

async function offline(wish: Wish, env: CommandEnvironment): Promise<number> {
  const { tenant, keys = [], canonical = false, workers = 1, acceptIncarnation = 1, freshWithinDays = 3 } = wish;
  const onProgress = progress();
  const verdict = await verifyOffline(settingsOf(wish.archive, readConfig(env, [identity, archiving])), {
    keys,
    canonical,
    workers,
    acceptIncarnation,
    freshWithinDays,
    ...(tenant === undefined ? {} : { tenant }),
    onProgress: ({ rows }) => onProgress('rows of the archive', rows),
  });
  onProgress.end();
  if (wish.json) console.log(JSON.stringify(verdict, null, 2));
  else printOffline(verdict);
  return exitCode(verdict.findings);
}

async function proof(file: string, wish: Wish, env: CommandEnvironment): Promise<number> {
  const settings =
    wish.archive === undefined ? undefined : settingsOf(wish.archive, readConfig(env, [identity, archiving]));
  const verdict = await verifyEventProof(await readFile(file, 'utf8'), wish.keys ?? [], settings);
  if (wish.json) console.log(JSON.stringify(verdict, null, 2));
  else printProof(verdict);
  return verdict.ok ? 0 : 1;
}
