import type pg from 'pg';
import { ConfigError } from '@steward/kernel';
import type { FunctionFile, Migration, Schema } from './sources.ts';

export interface Pending {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
  /** Function files that the database knows and this version does not. */
  readonly gone: readonly FunctionKey[];
  /** A newer version has brought the database up. */
  readonly newer: boolean;
}

export interface FunctionKey {
  readonly component: string;
  readonly name: string;
}

/**
 * What the database lacks of this version's schema. A database of a newer version lacks nothing: its tables have everything
 * that this version needs, and its functions stay as they are.
 * @throws ConfigError when its history is neither this version's nor a continuation of it
 */
export async function pendingOf(client: pg.Client, schema: Schema): Promise<Pending> {
  const { rows: applied } = await client.query<{ component: string; number: number; checksum: string }>(
    'select component, number, checksum from platform.migration',
  );
  const { rows: present } = await client.query<FunctionKey & { checksum: string; release: string }>(
    'select component, name, checksum, release from platform.function',
  );
  const { migrations, unknown } = pendingMigrations(applied, schema.migrations);
  const newer = unknown.length > 0 || present.some(({ release }) => isNewer(release, schema.release));
  if (newer && migrations.length > 0)
    throw historyDiffers(
      `a newer version has brought it up, and it lacks ${migrations.map(({ component, name }) => `${component}/${name}`).join(', ')}`,
    );
  if (newer) return { migrations: [], functions: [], gone: [], newer };
  const checksums = new Map(present.map((row) => [`${row.component}/${row.name}`, row.checksum]));
  const known = new Set(schema.functions.map(({ component, name }) => `${component}/${name}`));
  return {
    migrations,
    functions: schema.functions.filter(
      ({ component, name, checksum }) => checksums.get(`${component}/${name}`) !== checksum,
    ),
    gone: present.filter(({ component, name }) => !known.has(`${component}/${name}`)),
    newer,
  };
}

function pendingMigrations(
  rows: readonly { component: string; number: number; checksum: string }[],
  migrations: readonly Migration[],
): { migrations: Migration[]; unknown: string[] } {
  const applied = new Map(rows.map((row) => [`${row.component}/${row.number}`, row.checksum]));
  const pending: Migration[] = [];
  for (const migration of migrations) {
    const key = `${migration.component}/${migration.number}`;
    const checksum = applied.get(key);
    applied.delete(key);
    if (checksum === undefined) pending.push(migration);
    else if (checksum !== migration.checksum)
      throw cannotUpgrade(
        `by a version that was never released (its ${migration.component}/${migration.name} differs)`,
      );
    else if (pending.some((one) => one.component === migration.component))
      throw historyDiffers(`${key} was applied before its predecessor`);
  }
  return { migrations: pending, unknown: [...applied.keys()] };
}

/** Of a database that no release made: what was released is never changed. */
export const cannotUpgrade = (made: string): ConfigError =>
  new ConfigError(
    `This database was made ${made} and cannot be upgraded: export what you need with the version that made it, and begin anew ` +
      'with an empty database, or with another DATA_DIR where the database is the embedded one.',
  );

const historyDiffers = (how: string): ConfigError =>
  new ConfigError(
    `The database's migration history differs from this version's: ${how}. Use the version that made it, or a restored backup.`,
  );

/** By number; what follows the numbers, as in 1.2.0-dev, does not count. */
function isNewer(release: string, than: string): boolean {
  const [one = [], other = []] = [release, than].map((text) => text.split(/[.+-]/, 3).map(Number));
  const differs = one.findIndex((number, place) => number !== other[place]);
  return differs !== -1 && (one[differs] ?? 0) > (other[differs] ?? 0);
}
