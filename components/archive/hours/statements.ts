import { sql, type SqlPool } from '@steward/sql';
import type { Head } from './note.ts';
import type { ArchivedHour } from './read.ts';

/** The last hour of the archive that the database has recorded. */
export async function lastHour(
  pool: SqlPool,
): Promise<{ readonly number: number; readonly takenAt: Date; readonly sha256: string } | undefined> {
  const [row] = await pool.query<{ number: number; taken_at: Date; note_sha256: Buffer }>(
    sql`select number, taken_at, note_sha256 from audit.last_hour()`,
  );
  return row && { number: row.number, takenAt: row.taken_at, sha256: row.note_sha256.toString('hex') };
}

/** Whether another hour has begun by the database's clock, or one was begun and not finished. */
export async function hourDue(pool: SqlPool): Promise<boolean> {
  const [row] = await pool.query<{ due: boolean }>(sql`select audit.hour_due() as due`);
  return row?.due === true;
}

/** What is to be signed next; undefined where it is not time, or nothing changed. */
export async function closeHour(
  pool: SqlPool,
  incarnation: number,
): Promise<{ readonly number: number; readonly body: string } | undefined> {
  const [row] = await pool.query<{ number: number; body: string }>(
    sql`select number, body from audit.close_hour(${incarnation})`,
  );
  return row;
}

export const recordHour = async (pool: SqlPool, number: number, sha256: string, keyId: string): Promise<unknown> =>
  pool.query(sql`select audit.record_hour(${number}, ${Buffer.from(sha256, 'hex')}, ${keyId})`);

/** Takes over what the archive holds and this database has forgotten. */
export const adoptHour = async (pool: SqlPool, hour: ArchivedHour): Promise<unknown> =>
  pool.query(sql`select audit.adopt_hour(${hour.number}, ${hour.takenAt}::timestamptz,
    ${Buffer.from(hour.sha256, 'hex')}, ${hour.keyId}, ${hour.text})`);

const atOnce = 5_000;

/** Those of the heads whose row is not there, or is another one. */
export async function missingHeads(pool: SqlPool, heads: readonly Head[]): Promise<Head[]> {
  const missing: Head[] = [];
  for (let at = 0; at < heads.length; at += atOnce) {
    const page = heads.slice(at, at + atOnce);
    const rows = await pool.query<{ tenant_id: string; sequence: bigint }>(
      sql`select tenant_id, sequence from audit.missing_rows(${page.map(({ tenant }) => tenant)}::uuid[],
        ${page.map(({ sequence }) => sequence)}::bigint[],
        ${page.map(({ rowHash }) => Buffer.from(rowHash, 'hex'))}::bytea[])`,
    );
    const lacking = new Set(rows.map(({ tenant_id, sequence }) => `${tenant_id} ${sequence}`));
    missing.push(...page.filter(({ tenant, sequence }) => lacking.has(`${tenant} ${sequence}`)));
  }
  return missing;
}

/** The rows with these numbers, of those that are there. */
export async function rowsAt(
  pool: SqlPool,
  places: readonly { readonly tenant: string; readonly sequence: number }[],
): Promise<Head[]> {
  const rows = await pool.query<{ tenant_id: string; sequence: bigint; row_hash: Buffer | null }>(
    sql`select tenant_id, sequence, row_hash from audit.missing_rows(${places.map(({ tenant }) => tenant)}::uuid[],
      ${places.map(({ sequence }) => sequence)}::bigint[], ${places.map(() => noHash)}::bytea[])`,
  );
  return rows.flatMap(({ tenant_id, sequence, row_hash }) =>
    row_hash === null ? [] : [{ tenant: tenant_id, sequence: Number(sequence), rowHash: row_hash.toString('hex') }],
  );
}

/** Every row has another one. */
const noHash = Buffer.alloc(0);

/** Where chains end. */
export async function headsOf(pool: SqlPool, tenants: readonly string[]): Promise<Head[]> {
  const rows = await pool.query<{ tenant_id: string; sequence: bigint; row_hash: Buffer }>(
    sql`select tenant_id, sequence, row_hash from audit.heads_of(${tenants}::uuid[])`,
  );
  return rows.map(({ tenant_id, sequence, row_hash }) => ({
    tenant: tenant_id,
    sequence: Number(sequence),
    rowHash: row_hash.toString('hex'),
  }));
}
