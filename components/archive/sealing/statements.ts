import { sql, type SqlPool } from '@steward/sql';
import { canonical } from '@steward/audit/chain';
import type { DayManifest, PlatformManifest } from '../format/manifest.ts';
import type { ArchivedDay, Versions } from './days/archived-day.ts';
import { versionsOf } from './days/archived-day.ts';

/** A day that was sealed before the one at hand. */
export interface Previous {
  readonly day: string;
  readonly incarnation: number;
  readonly manifestSha256: string;
  readonly versions: Versions | undefined;
}

/** A tenant that is due on a day. */
export interface Due {
  readonly tenant: string;
  /** The last row before the day: where the next one continues. 0 and the genesis where there is none. */
  readonly sequence: number;
  readonly rowHash: Buffer;
  /** Its incarnation, where the day is the first that is sealed after a restored backup. */
  readonly resumed: number | undefined;
  readonly previous: Previous | undefined;
}

interface PreviousColumns {
  readonly previous_day: string | null;
  readonly previous_incarnation: number | null;
  readonly previous_manifest: Buffer | null;
  readonly previous_rows_version: string | null;
  readonly previous_manifest_version: string | null;
  readonly previous_checkpoint_version: string | null;
}

function previousOf(row: PreviousColumns): Previous | undefined {
  if (row.previous_day === null || row.previous_incarnation === null || row.previous_manifest === null)
    return undefined;
  return {
    day: row.previous_day,
    incarnation: row.previous_incarnation,
    manifestSha256: row.previous_manifest.toString('hex'),
    versions: versionsOf(
      row.previous_rows_version ?? undefined,
      row.previous_manifest_version ?? undefined,
      row.previous_checkpoint_version ?? undefined,
    ),
  };
}

/** The last day that is over, and was over this long ago, by the database's clock; and how long until the next one is. */
export async function lastOver(
  pool: SqlPool,
  graceMinutes: number,
): Promise<{ readonly day: string; readonly untilNext: number }> {
  const [row] = await pool.query<{ day: string; until_next: number }>(sql`
    with late as (select (clock_timestamp() at time zone 'UTC') - make_interval(mins => ${graceMinutes}::int) as at)
    select (at::date - 1)::text as day, extract(epoch from (at::date + 1) - at)::float8 * 1000 as until_next from late`);
  if (row === undefined) throw new Error('the database did not tell its time');
  return { day: row.day, untilNext: row.until_next };
}

/** Waits for chains that are being opened. @throws Error with SQLSTATE 22023 where the day is not over by the database's clock */
export const closeDay = async (pool: SqlPool, day: string): Promise<unknown> =>
  pool.query(sql`select audit.close_day(${day}::date)`);

/** Days up to `through` on which tenants are due, and how many. */
export async function dueDays(
  pool: SqlPool,
  through: string,
  only: string | undefined,
): Promise<{ readonly day: string; readonly tenants: number }[]> {
  const rows = await pool.query<{ day: string; tenants: bigint }>(
    sql`select day::text as day, tenants from audit.due_days(${through}::date, ${only ?? null}::uuid)`,
  );
  return rows.map(({ day, tenants }) => ({ day, tenants: Number(tenants) }));
}

export async function dueTenants(
  pool: SqlPool,
  day: string,
  only: string | undefined,
  after: string | undefined,
  limit: number,
): Promise<Due[]> {
  const rows = await pool.query<
    PreviousColumns & {
      [column: string]: unknown;
      readonly tenant_id: string;
      readonly last_sequence: bigint;
      readonly last_row_hash: Buffer;
      readonly resumed: number | null;
    }
  >(sql`select tenant_id, last_sequence, last_row_hash, resumed, previous_day::text as previous_day, previous_incarnation,
      previous_manifest, previous_rows_version, previous_manifest_version, previous_checkpoint_version
    from audit.next_days(${day}::date, ${only ?? null}::uuid, ${after ?? null}::uuid, ${limit}::int)`);
  return rows.map((row) => ({
    tenant: row.tenant_id,
    sequence: Number(row.last_sequence),
    rowHash: row.last_row_hash,
    resumed: row.resumed ?? undefined,
    previous: previousOf(row),
  }));
}

/** Sets the mark on heads; those that others hold are waited for one by one, so that nobody waits behind a whole batch. */
export async function markSealed(pool: SqlPool, day: string, tenants: readonly string[]): Promise<void> {
  const mark = async (some: readonly string[], wait: boolean): Promise<ReadonlySet<string>> => {
    const [row] = await pool.query<{ marked: string[] }>(
      sql`select audit.mark_sealed(${some}::uuid[], ${day}::date, ${wait}) as marked`,
    );
    return new Set(row?.marked);
  };
  const marked = await mark(tenants, false);
  for (const tenant of tenants) {
    if (!marked.has(tenant)) await mark([tenant], true);
  }
}

export interface End {
  readonly sequence: number;
  readonly rowHash: Buffer;
  /** When the row behind the last sealed one was received, in milliseconds since the epoch; undefined where there is none. */
  readonly nextReceived: number | undefined;
}

export async function chainEnds(pool: SqlPool, due: readonly Due[]): Promise<ReadonlyMap<string, End>> {
  const rows = await pool.query<{
    tenant_id: string;
    sequence: bigint;
    row_hash: Buffer;
    next_received_at: Date | null;
  }>(sql`select tenant_id, sequence, row_hash, next_received_at
    from audit.chain_ends(${due.map(({ tenant }) => tenant)}::uuid[], ${due.map(({ sequence }) => sequence)}::bigint[])`);
  return new Map(
    rows.map(({ tenant_id, sequence, row_hash, next_received_at }) => [
      tenant_id,
      { sequence: Number(sequence), rowHash: row_hash, nextReceived: next_received_at?.getTime() },
    ]),
  );
}

/** The incarnation of days that are sealed now. */
export async function presentIncarnation(pool: SqlPool): Promise<number> {
  const [row] = await pool.query<{ number: number }>(
    sql`select coalesce(max(number), 1) as number from audit.incarnation`,
  );
  return row?.number ?? 1;
}

/** An incarnation that the archive knows and this database has forgotten. */
export const recordIncarnation = async (pool: SqlPool, number: number, day: string): Promise<unknown> =>
  pool.query(sql`select audit.record_incarnation(${number}, ${day}::date)`);

const columns = ({ manifest, manifestSha256, versions, checkpoint, keyId }: ArchivedDay): Record<string, unknown> => {
  const { format: _format, target, previous: _previous, ...rest } = manifest;
  return {
    ...rest,
    powers: canonical(target),
    manifestSha256,
    rowsVersion: versions?.rows ?? null,
    manifestVersion: versions?.manifest ?? null,
    checkpointVersion: versions?.checkpoint ?? null,
    checkpoint,
    keyId,
  };
};

/** Keeps sealed days, at most one a tenant. Those that are there stay. */
export async function recordSealed(pool: SqlPool, days: readonly ArchivedDay<DayManifest>[]): Promise<void> {
  if (days.length > 0) await pool.query(sql`select audit.record_sealed_days(${JSON.stringify(days.map(columns))})`);
}

export const recordPlatformDay = async (pool: SqlPool, day: ArchivedDay<PlatformManifest>): Promise<unknown> =>
  pool.query(sql`select audit.record_platform_day(${JSON.stringify(columns(day))})`);

/** The platform's last sealed day. `sealedAt` in milliseconds since the epoch, by the database's clock. */
export async function lastPlatformDay(pool: SqlPool): Promise<(Previous & { readonly sealedAt: number }) | undefined> {
  const [row] = await pool.query<PreviousColumns & { [column: string]: unknown; readonly sealed_at: Date }>(sql`
    select sealed_at, day::text as previous_day, incarnation as previous_incarnation, manifest_sha256 as previous_manifest,
      rows_version as previous_rows_version, manifest_version as previous_manifest_version,
      checkpoint_version as previous_checkpoint_version
    from audit.platform_day order by day desc limit 1`);
  const previous = row && previousOf(row);
  return previous && { ...previous, sealedAt: row.sealed_at.getTime() };
}

export async function firstSealedDay(pool: SqlPool): Promise<string | undefined> {
  const [row] = await pool.query<{ day: string | null }>(sql`select audit.first_sealed_day()::text as day`);
  return row?.day ?? undefined;
}

/** The lines of the platform's day in the order of the tenants, a page of them. */
export async function platformLines(
  pool: SqlPool,
  day: string,
  after: string | undefined,
  limit: number,
): Promise<{ readonly tenant: string; readonly manifestSha256: string }[]> {
  const rows = await pool.query<{ tenant_id: string; manifest_sha256: Buffer }>(
    sql`select tenant_id, manifest_sha256 from audit.platform_lines(${day}::date, ${after ?? null}::uuid, ${limit}::int)`,
  );
  return rows.map(({ tenant_id, manifest_sha256 }) => ({
    tenant: tenant_id,
    manifestSha256: manifest_sha256.toString('hex'),
  }));
}
