import { statement, type Row, type Statement } from '@steward/sql';
import type { Mode, Policy } from '../words.ts';
import type { Source } from './asked.ts';

export interface Availability {
  readonly variantId: string;
  /** Whether it is counted; what is not is always available. */
  readonly tracked: boolean;
  /** How many can be taken at this moment from what there is; below 0 where more was sold. Null where it is not tracked. */
  readonly available: number | null;
  /** continue: it may be sold on beyond that. */
  readonly policy: Policy;
  /** How many more what is incoming would make. */
  readonly incoming: number;
  /** The items that it takes and that may not be lacking, which others may take too. */
  readonly sources: readonly Source[];
}

const levels = {
  live: `select l.item_id, l.location_id, l.on_hand, l.reserved, l.incoming, l.overdraw from stock.level l
    where l.tenant_id = $1::uuid and l.mode = 'live' and l.item_id = r.item_id`,
  // Where no test has taken from a level yet, it begins with what is on hand.
  test: `select coalesce(t.item_id, l.item_id) as item_id, coalesce(t.location_id, l.location_id) as location_id,
      coalesce(t.on_hand, l.on_hand) as on_hand, coalesce(t.reserved, 0) as reserved, coalesce(l.incoming, 0) as incoming,
      coalesce(t.overdraw, l.overdraw) as overdraw
    from (select * from stock.level l where l.tenant_id = $1::uuid and l.mode = 'live' and l.item_id = r.item_id) l
    full join (select * from stock.level t where t.tenant_id = $1::uuid and t.mode = 'test' and t.item_id = r.item_id) t
      on t.location_id = l.location_id`,
} as const;

/** What is free of the item of a requirement `r` of the tenant `$1`, what is incoming, and whether it may be lacking. */
const free = (mode: Mode): string =>
  `select coalesce(sum(l.on_hand - l.reserved + coalesce(e.expired, 0)), 0)::numeric as free, coalesce(sum(l.incoming), 0) as incoming,
         coalesce(bool_or(l.overdraw), false) as lacking
       from (${levels[mode]}) l
       left join lateral (
         select sum(h.quantity) as expired from stock.reservation h
         where l.reserved > 0 and h.tenant_id = $1::uuid and h.mode = '${mode}' and h.item_id = l.item_id and h.location_id = l.location_id
           and h.expires_at <= statement_timestamp()
       ) e on true
       where l.location_id = any (array(select p.location_id from stock.location p where p.tenant_id = $1::uuid and p.archived_at is null))`;

/**
 * A condition for statements about the tenant `$1`: whether one of a variant can be taken, as far as stock goes.
 * @param variantId SQL of its id
 */
export const buyable = (variantId: string, mode: Mode): string =>
  `not exists (select from stock.requirement r cross join lateral (${free(mode)}) f
     where r.tenant_id = $1::uuid and r.variant_id = ${variantId} and not f.lacking and f.free < r.quantity)`;

/**
 * What can be had of each of these variants, in one statement for whoever reads the answer's rows by `availabilityOf`; of ids that name no
 * variant, as of one that is not tracked. What has expired counts as free. Of an array whose length it sees, PostgreSQL makes a plan of its own
 * each time, which takes thrice as long as to carry it out: by `select` it does not see it.
 */
export const availability = (tenant: string, variantIds: readonly string[], mode: Mode): Statement =>
  statement(
    `select v.variant_id, count(r.item_id) > 0 as tracked, bool_and(f.lacking) as lacking,
       min(floor(f.free / r.quantity)) filter (where not f.lacking) as denied,
       min(floor(f.free / r.quantity)) as available,
       min(floor((f.free + f.incoming) / r.quantity)) - min(floor(f.free / r.quantity)) as incoming,
       jsonb_agg(jsonb_build_array(r.item_id, r.quantity, f.free)) filter (where not f.lacking) as sources
     from unnest((select $2::uuid[])) v (variant_id)
     left join lateral (
       select item_id, quantity from stock.requirement where tenant_id = $1::uuid and variant_id = v.variant_id offset 0
     ) r on true
     left join lateral (
       ${free(mode)}
     ) f on r.item_id is not null
     group by v.variant_id`,
    [tenant, variantIds],
  );

export function availabilityOf(row: Row): Availability {
  const tracked = row['tracked'] === true;
  const lacking = row['lacking'] === true;
  const count = (value: unknown): number => (value === null || value === undefined ? 0 : Number(value));
  const variantId = String(row['variant_id']);
  const sources = (row['sources'] ?? []) as readonly (readonly [string, number, number])[];
  return {
    variantId,
    tracked,
    // Of several items, those that may be lacking do not count beside others.
    available: tracked ? count(lacking ? row['available'] : row['denied']) : null,
    policy: tracked && !lacking ? 'deny' : 'continue',
    incoming: count(row['incoming']),
    sources: sources.map(([itemId, each, free]) => ({ variantId, itemId, each, free })),
  };
}
