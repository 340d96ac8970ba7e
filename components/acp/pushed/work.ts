import { sql, statement, type Statement, type TenantTransaction } from '@steward/sql';
import type { Contents, Known } from './contents.ts';
import type { Withholding } from './words.ts';

/** A feed that this process has. */
export interface Held {
  readonly tenant: string;
  readonly feedId: string;
  readonly lease: string;
}

/** What a turn goes by. */
export interface State {
  readonly agentId: string;
  readonly brandId: string;
  readonly url: string;
  readonly targetCountry: string | null;
  readonly token: string | null;
  readonly active: boolean;
  readonly version: number;
  readonly creationKey: string;
  readonly platformId: string | null;
  readonly walkDue: boolean;
  readonly walkAfter: string | null;
  readonly whole: boolean;
  readonly wholeDue: boolean;
  readonly batch: number;
  readonly refusedInRow: number;
  readonly failures: number;
}

interface StateRow extends Record<string, unknown> {
  readonly agent_id: string;
  readonly brand_id: string;
  readonly url: string;
  readonly target_country: string | null;
  readonly token: string | null;
  readonly active: boolean;
  readonly version: number;
  readonly creation_key: string;
  readonly platform_id: string | null;
  readonly walk_due: boolean;
  readonly walk_after: string | null;
  readonly whole: boolean;
  readonly whole_due: boolean;
  readonly batch: number;
  readonly refused_in_row: number;
  readonly failures: number;
}

export const selectState = ({ tenant, feedId, lease }: Held): Statement => sql`
  select f.agent_id, f.brand_id, f.url, f.target_country, f.token, f.status = 'active' as active, f.version, w.creation_key, w.platform_id,
    w.walk_at <= clock_timestamp() as walk_due, w.walk_after, w.whole,
    w.whole_at <= clock_timestamp() as whole_due, w.batch, w.refused_in_row, w.failures
  from acp.feed_work w join acp.feed f on f.tenant_id = w.tenant_id and f.feed_id = w.feed_id
  where w.tenant_id = ${tenant}::uuid and w.feed_id = ${feedId}::uuid and w.lease = ${lease}::uuid`;

export function stateOf(row: Readonly<Record<string, unknown>>): State {
  const one = row as StateRow;
  return {
    agentId: one.agent_id,
    brandId: one.brand_id,
    url: one.url,
    targetCountry: one.target_country,
    token: one.token,
    active: one.active,
    version: one.version,
    creationKey: one.creation_key,
    platformId: one.platform_id,
    walkDue: one.walk_due,
    walkAfter: one.walk_after,
    whole: one.whole,
    wholeDue: one.whole_due,
    batch: one.batch,
    refusedInRow: one.refused_in_row,
    failures: one.failures,
  };
}

/** What is written of the work. Times are milliseconds from now on. */
export interface Change {
  readonly platformId?: string | null;
  readonly creationKey?: string;
  readonly walkIn?: number;
  readonly walkAfter?: string | null;
  readonly whole?: boolean;
  readonly wholeIn?: number;
  readonly batch?: number;
  readonly refusedInRow?: number;
  readonly failures?: number;
  readonly failure?: string;
  /** The platform took something just now. */
  readonly pushed?: true;
}

const from = (milliseconds: string): string =>
  `clock_timestamp() + make_interval(secs => ${milliseconds}::double precision / 1000)`;
const sets: Readonly<Record<keyof Change, (value: string) => string>> = {
  platformId: (value) => `platform_id = ${value}`,
  creationKey: (value) => `creation_key = ${value}::uuid`,
  walkIn: (value) => `walk_at = ${from(value)}`,
  walkAfter: (value) => `walk_after = ${value}::uuid`,
  whole: (value) => `whole = ${value}::boolean`,
  wholeIn: (value) => `whole_at = ${from(value)}`,
  batch: (value) => `batch = ${value}::int`,
  refusedInRow: (value) => `refused_in_row = ${value}::int`,
  failures: (value) => `failures = ${value}::int`,
  failure: (value) => `failed_at = clock_timestamp(), failure = ${value}`,
  pushed: (value) => `pushed_at = case when ${value}::boolean then clock_timestamp() end`,
};

/**
 * Changes the work as long as this process has it and the feed is what it was, and has it for so many milliseconds more. Everybody who writes what a platform knows locks this row first.
 * @returns whether it was so
 */
export async function holding(
  tx: TenantTransaction,
  { tenant, feedId, lease }: Held,
  { version }: Pick<State, 'version'>,
  leaseFor: number,
  change: Change = {},
): Promise<boolean> {
  const changes = Object.entries(change) as [keyof Change, unknown][];
  const rows = await tx.query(
    statement(
      `update acp.feed_work w set ${[`leased_until = ${from('$5')}`, ...changes.map(([name], at) => sets[name](`$${at + 6}`))].join(', ')}
       from acp.feed f
       where w.tenant_id = $1::uuid and w.feed_id = $2::uuid and w.lease = $3::uuid and f.tenant_id = w.tenant_id and f.feed_id = w.feed_id
         and f.version = $4::int and f.status = 'active'
       returning w.feed_id`,
      [tenant, feedId, lease, version, leaseFor, ...changes.map(([, value]) => value)],
    ),
  );
  return rows.length > 0;
}

/**
 * Leaves a feed to whoever takes it up next.
 * @param due milliseconds from now on, or when everything is compared next; `exactly`: not earlier, whatever changed meanwhile
 */
export const leave = (
  { tenant, feedId, lease }: Held,
  { due, exactly = false, withheld = null }: { due: number | 'walk'; exactly?: boolean; withheld?: Withholding | null },
): Statement => {
  const at = due === 'walk' ? 'w.walk_at' : from('$5');
  return statement(
    `update acp.feed_work w set lease = null, leased_until = null, withheld = $4,
       due_at = case when f.status = 'active' then ${exactly ? at : `least(w.due_at, ${at})`} end
     from acp.feed f
     where w.tenant_id = $1::uuid and w.feed_id = $2::uuid and w.lease = $3::uuid and f.tenant_id = w.tenant_id and f.feed_id = w.feed_id`,
    [tenant, feedId, lease, withheld, ...(due === 'walk' ? [] : [due])],
  );
};

interface KnownRow extends Record<string, unknown> {
  readonly product_id: string;
  readonly digest: Buffer | null;
  readonly title: string;
  readonly variant_ids: readonly string[];
  readonly refused: boolean;
  readonly mark: string | null;
}

const knownColumns = 'p.product_id, p.digest, p.title, p.variant_ids, p.refusal is not null as refused, p.mark';

/** Products that may have changed, the longest marked first. */
export const selectMarked = ({ tenant, feedId }: Held, most: number): Statement =>
  statement(
    `select ${knownColumns} from acp.feed_product p where p.tenant_id = $1::uuid and p.feed_id = $2::uuid and p.mark is not null
     order by p.mark limit $3::int`,
    [tenant, feedId, most],
  );

/** What is known of products behind one, up to another. @param to null: to the end */
export const selectKnown = ({ tenant, feedId }: Held, after: string, to: string | null, most: number): Statement =>
  statement(
    `select ${knownColumns} from acp.feed_product p where p.tenant_id = $1::uuid and p.feed_id = $2::uuid and p.product_id > $3::uuid
       and ($4::uuid is null or p.product_id <= $4::uuid)
     order by p.product_id limit $5::int`,
    [tenant, feedId, after, to, most],
  );

export const knownOf = (rows: readonly Readonly<Record<string, unknown>>[]): Map<string, Known> =>
  new Map(
    (rows as readonly KnownRow[]).map(({ product_id: id, digest, title, variant_ids: variantIds, refused, mark }) => [
      id,
      { digest, title, variantIds, refused, mark },
    ]),
  );

/** The longest list of variants that a platform may know of a product. */
const mostVariantIds = 5_000;

/** Before something is sent: from now on the platform may know it. */
export const mayKnow = ({ tenant, feedId }: Held, sent: readonly Contents[]): Statement =>
  statement(
    `insert into acp.feed_product as p (tenant_id, feed_id, product_id, title, variant_ids)
     select $1::uuid, $2::uuid, s.product_id, s.title, s.variant_ids
     from jsonb_to_recordset($3::jsonb) s (product_id uuid, title text, variant_ids uuid[]) order by s.product_id
     on conflict (tenant_id, feed_id, product_id) do update set digest = null, refusal = null, title = excluded.title,
       variant_ids = (excluded.variant_ids || array(select unnest(p.variant_ids) except select unnest(excluded.variant_ids)))[1:${mostVariantIds}]`,
    [tenant, feedId, JSON.stringify(sent.map(rowOf))],
  );

/** The platform took these, or refused them: it is not asked again before they change. A mark that was set meanwhile stays. */
export const settled = ({ tenant, feedId }: Held, sent: readonly Contents[], refusal: string | null): Statement =>
  statement(
    `update acp.feed_product p set digest = decode(s.digest, 'hex'), title = s.title, refusal = $4::text,
       variant_ids = case when $4::text is null then s.variant_ids else p.variant_ids end,
       mark = case when p.mark is not distinct from s.mark then null else p.mark end
     from jsonb_to_recordset($3::jsonb) s (product_id uuid, title text, variant_ids uuid[], digest text, mark uuid)
     where p.tenant_id = $1::uuid and p.feed_id = $2::uuid and p.product_id = s.product_id`,
    [tenant, feedId, JSON.stringify(sent.map(rowOf)), refusal],
  );

/** These are as the platform has them. */
export const unmark = ({ tenant, feedId }: Held, same: readonly Contents[]): Statement =>
  statement(
    `update acp.feed_product p set mark = null from jsonb_to_recordset($3::jsonb) s (product_id uuid, mark uuid)
     where p.tenant_id = $1::uuid and p.feed_id = $2::uuid and p.product_id = s.product_id and p.mark = s.mark`,
    [tenant, feedId, JSON.stringify(same.map(rowOf))],
  );

/** Of what is gone the platform has been told, and of what was never sold it knows nothing: neither is remembered. */
export const forget = ({ tenant, feedId }: Held, gone: readonly Contents[]): Statement =>
  statement(
    `delete from acp.feed_product p where p.tenant_id = $1::uuid and p.feed_id = $2::uuid and p.product_id = any ($3::uuid[])
       and p.mark is null and p.refusal is null and p.variant_ids = '{}'`,
    [tenant, feedId, gone.map(({ productId }) => productId)],
  );

const rowOf = ({ productId, title, variantIds, digest, mark }: Contents) => ({
  product_id: productId,
  title,
  variant_ids: variantIds,
  digest: digest?.toString('hex'),
  mark,
});
