import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as archiving from '@steward/archive';
import { createArchive, type Archive, type ArchiveSettings } from '@steward/archive';
import { openTarget } from '@steward/archive/format';
import * as auditing from '@steward/audit';
import { createAudit, type Audit, type AuditSettings, type Grammar } from '@steward/audit';
import * as identity from '@steward/identity';
import { openTenant, type IdentitySettings } from '@steward/identity';
import {
  ConfigError,
  createLog,
  createMetrics,
  keptSecretKey,
  newId,
  readConfig,
  type ProcessConfig,
} from '@steward/kernel';
import {
  createTenancy,
  createWall,
  openPool,
  prepareLogins,
  readLogins,
  sqlState,
  type SqlPool,
  type Tenancy,
  type TenancyPorts,
  type TenantContext,
} from '@steward/sql';
import { startEmbedded } from '@steward/postgres';
import { readRunFile, type CommandEnvironment } from './instance.ts';

type Config = ProcessConfig & IdentitySettings & AuditSettings & ArchiveSettings;

/** The instance's database, opened for one command with the application's own login. */
export interface OpenInstance {
  readonly config: Config;
  readonly dataDir: string;
  readonly pool: SqlPool;
  readonly audit: Audit;
  readonly archive: Archive;
  readonly tenancy: Tenancy;
  /** The platform's own way into a tenant, on an operator's command. */
  operator(tenant: string): TenantContext;
  /** @throws ConfigError where the owner's login is kept from this machine */
  ownerUrl(): string;
}

/** For commands whose verbs record and announce more than the audit log's own do. */
interface Announcing extends Pick<TenancyPorts, 'publish'> {
  readonly grammars: readonly Grammar[];
}

const silent = async (): Promise<void> => {
  throw new Error('a command of the audit log publishes nothing');
};

interface Place {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Opens the instance's database, running or not, for as long as `use` takes.
 * @throws ConfigError when it cannot be found or is of another version
 */
export async function withInstance<T>(
  env: CommandEnvironment,
  use: (instance: OpenInstance) => Promise<T>,
  { grammars, publish }: Announcing = { grammars: [], publish: silent },
): Promise<T> {
  const config = readConfig(env, [identity, auditing, archiving]);
  const dataDir = resolve(config.dataDir);
  return withPlace(config, dataDir, async ({ url, ownerUrl }) => {
    const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
    await using pool = openPool({ url, size: 6 });
    const given = { pool, log, metrics: createMetrics(), dataDir };
    const audit = createAudit({ ...given, masterKeys: config.auditMasterKeys, grammars });
    const archive = createArchive({
      ...given,
      audit,
      openArchive: async () => openTarget(config.archive),
      signingKey: config.seal.signingKey,
    });
    const key = await keptSecretKey(config, dataDir);
    const wall = key === undefined ? undefined : createWall(key);
    const tenancy = createTenancy({ pool, wall, openTenant, append: audit.append, publish });
    const operator = { type: 'system', id: 'operator' } as const;
    try {
      return await use({
        config,
        dataDir,
        pool,
        audit,
        archive,
        tenancy,
        operator: (tenant) =>
          tenancy.systemContext({
            tenant,
            chain: [operator],
            subject: operator,
            caller: operator,
            requestId: newId(),
            correlationId: newId(),
          }),
        ownerUrl: () => {
          if (ownerUrl === undefined) throw new ConfigError('Set DATABASE_OWNER_URL: this reads every tenant.');
          return ownerUrl;
        },
      });
    } catch (error) {
      if (sqlState(error) === '42501' && key === undefined)
        throw new ConfigError(
          'This is written by the application alone: give the SECRET_KEY or the DATA_DIR of the server.',
        );
      if (!missing.has(sqlState(error) ?? '')) throw error;
      throw new ConfigError('The database is of another version: start the server once, or run `steward migrate`.');
    } finally {
      await archive[Symbol.asyncDispose]();
      await audit[Symbol.asyncDispose]();
    }
  });
}

/** 42P01, 42883, 42703, 3F000: no such table, function, column, schema. */
const missing = new Set(['42P01', '42883', '42703', '3F000']);

async function withPlace<T>(config: Config, dataDir: string, use: (place: Place) => Promise<T>): Promise<T> {
  if (config.database !== undefined) return use(config.database);
  const running = await readRunFile(dataDir);
  if (running?.database !== undefined) {
    const logins = await readLogins(running.database, dataDir);
    if (logins !== undefined) return use({ url: logins.appUrl, ownerUrl: logins.ownerUrl });
  }
  if (!existsSync(join(dataDir, 'postgres')))
    throw new ConfigError(`There is no instance in ${dataDir}: set DATA_DIR to where the server keeps its data.`);
  await using server = await startEmbedded({ dataDir });
  const { appUrl, ownerUrl } = await prepareLogins(server.adminUrl, dataDir);
  return await use({ url: appUrl, ownerUrl });
}
