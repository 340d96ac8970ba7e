import type pg from 'pg';
import { type Part, tenantsOf } from '../parts/part.ts';

/** What the database remembers of any sealed day. Hashes are lower-case hex. */
export interface DayRecord {
  readonly day: string;
  readonly incarnation: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly root: string;
  readonly powers: string;
  readonly manifestSha256: string;
  readonly checkpoint: string;
  readonly keyId: string;
  /** Null where the archive's objects have no versions. */
  readonly versions: { readonly rows: string; readonly manifest: string; readonly checkpoint: string } | null;
  /** Whether it can have been sealed when it says so: the day was over, and that time has come. */
  readonly timely: boolean;
}

/** What it remembers of a tenant's. */
export interface SealedDay extends DayRecord {
  readonly tenant: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstPreviousHash: string;
  readonly lastRowHash: string;
}

/** What it remembers of the platform's. */
export interface PlatformDay extends DayRecord {
  readonly count: number;
}

/** What it remembers of a restored backup. */
export interface Restored {
  readonly incarnation: number;
  /** The last row that the database still had. */
  readonly sequence: number;
  readonly rowHash: string;
  readonly archivedSequence: number;
}

const page = 500;
const common = `to_char(day, 'YYYY-MM-DD') as day, incarnation, bytes::float8 as bytes, encode(sha256, 'hex') as sha256,
  encode(root, 'hex') as root, powers, encode(manifest_sha256, 'hex') as "manifestSha256", checkpoint, key_id as "keyId",
  case when num_nonnulls(rows_version, manifest_version, checkpoint_version) > 0 then json_build_object('rows', rows_version, 'manifest', manifest_version,
    'checkpoint', checkpoint_version) end as versions,
  sealed_at >= (day + 1)::timestamp at time zone 'UTC' and sealed_at <= clock_timestamp() as timely`;

/** In the order of tenant and day; a page is held. To be used in a transaction. */
export async function* sealedDays(client: pg.Client, part: Part): AsyncGenerator<SealedDay> {
  await client.query(`declare sealed_days no scroll cursor for
    select tenant_id as tenant, ${common}, first_sequence::float8 as "firstSequence",
      last_sequence::float8 as "lastSequence", encode(first_previous_hash, 'hex') as "firstPreviousHash",
      encode(last_row_hash, 'hex') as "lastRowHash"
    from audit.sealed_day where ${tenantsOf(part)} order by tenant_id, audit.sealed_day.day`);
  try {
    for (;;) {
      const { rows } = await client.query<SealedDay>(`fetch ${page} from sealed_days`);
      yield* rows;
      if (rows.length < page) return;
    }
  } finally {
    await client.query('close sealed_days').catch(() => undefined);
  }
}

/** In order. */
export async function platformDays(client: pg.Client): Promise<PlatformDay[]> {
  const { rows } = await client.query<PlatformDay>(
    `select ${common}, count::float8 as count from audit.platform_day order by audit.platform_day.day`,
  );
  return rows;
}

/** By tenant, in the order of the incarnations. */
export async function restoredChains(client: pg.Client, part: Part): Promise<Map<string, Restored[]>> {
  const { rows } = await client.query<Restored & { readonly tenant: string }>(
    `select tenant_id as tenant, incarnation, sequence::float8 as sequence, encode(row_hash, 'hex') as "rowHash",
       archived_sequence::float8 as "archivedSequence"
     from audit.restored_chain where ${tenantsOf(part)} order by tenant_id, incarnation`,
  );
  return Map.groupBy(rows, ({ tenant }) => tenant);
}

/** How far heads say that their days are sealed, `YYYY-MM-DD`; null where none is. */
export async function sealedMarks(client: pg.Client, part: Part): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ readonly tenant: string; readonly mark: string | null }>(
    `select tenant_id as tenant, to_char(sealed_through, 'YYYY-MM-DD') as mark from audit.head where ${tenantsOf(part)}`,
  );
  return new Map(rows.map(({ tenant, mark }) => [tenant, mark]));
}
