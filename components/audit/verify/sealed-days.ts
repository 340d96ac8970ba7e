import type pg from 'pg';
import { type Part, tenantsOf } from './part.ts';

/** What the database remembers of a sealed day. Hashes are lower-case hex. */
export interface SealedDay {
  readonly tenant: string;
  readonly day: string;
  readonly incarnation: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly firstPreviousHash: string;
  readonly lastRowHash: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly root: string;
  readonly manifestSha256: string;
  /** Null where the archive's objects have no versions. */
  readonly versions: { readonly rows: string; readonly manifest: string; readonly checkpoint: string } | null;
}

/** Where a restored backup left a chain. */
export interface Restored {
  readonly incarnation: number;
  /** The last row that the database still had. */
  readonly sequence: number;
}

const page = 500;

/** In the order of tenant and day; a page is held. To be used in a transaction. */
export async function* sealedDays(client: pg.Client, part: Part): AsyncGenerator<SealedDay> {
  await client.query(`declare sealed_days no scroll cursor for
    select tenant_id as tenant, to_char(day, 'YYYY-MM-DD') as day, incarnation, first_sequence::float8 as "firstSequence",
      last_sequence::float8 as "lastSequence", encode(first_previous_hash, 'hex') as "firstPreviousHash",
      encode(last_row_hash, 'hex') as "lastRowHash", bytes::float8 as bytes, encode(sha256, 'hex') as sha256,
      encode(root, 'hex') as root, encode(manifest_sha256, 'hex') as "manifestSha256",
      case when rows_version is not null then json_build_object('rows', rows_version, 'manifest', manifest_version,
        'checkpoint', checkpoint_version) end as versions
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

/** By tenant, in the order of the incarnations. */
export async function restoredChains(client: pg.Client, part: Part): Promise<Map<string, Restored[]>> {
  const { rows } = await client.query<Restored & { readonly tenant: string }>(
    `select tenant_id as tenant, incarnation, sequence::float8 as sequence
     from audit.restored_chain where ${tenantsOf(part)} order by tenant_id, incarnation`,
  );
  return Map.groupBy(rows, ({ tenant }) => tenant);
}
