export { sql, statement, type Statement } from './statement.ts';
export {
  aboveAllNumbers,
  afterAllIds,
  beforeAllIds,
  encodeCursor,
  page,
  parseCursor,
  decodeCursor,
  type Page,
  type PageRequest,
} from './page.ts';
export { queryAll } from './query-all.ts';
export { copyOut, type CopyOut } from './copy/copy-out.ts';
export { epochMs, int32, readInt64 } from './copy/binary.ts';
export { openPool, type PoolOptions, type Row, type SqlPool } from './pool.ts';
export { connectTo } from './connection/connect.ts';
export { requireWritable } from './connection/session.ts';
export { describeAddress, loginOf } from './connection/hosts.ts';
export { StatementFailed, inTransaction, type Transaction } from './transaction.ts';
export { isLost, isUndone, sqlState } from './translate.ts';
export {
  createTenancy,
  happened,
  type Admission,
  type Permission,
  type Attributed,
  type MultiTenantTransaction,
  type Tenancy,
  type TenancyPorts,
  type TenantContext,
  type TenantScope,
  type TenantTransaction,
} from './tenancy/tenancy.ts';
export { changed, underDecision, type Decision } from './tenancy/decision.ts';
export { passwordFile, prepareLogins, readLogins, type Logins } from './embedded-logins.ts';
export { makeRoles, migrate, requireCurrent, type MigrateOptions } from './migrate/migrate.ts';
export { appRole, jobRole, jobRoleOf, quote, requireBoundLogin } from './migrate/roles.ts';
export { createWall, raiseWall, replaceWall, type Wall } from './wall/wall.ts';
export { readSchema, type MigrationSource } from './migrate/sources.ts';

/** The platform's own migrations: limits, the wall. They come first. */
export const platformMigrations = { component: 'platform', folder: new URL('./migrations/', import.meta.url) };
