import { count, id, oneOf, shape, text } from '@steward/contract';
import { statement, type Statement } from '@steward/sql';
import { namesOfItem } from '../items/named.ts';
import { type Mode, policies } from '../words.ts';

/** How much of an item there is at a location: of `stock.level` named `l`, beside `stock.item` `i`, `stock.location` `p` and what has expired, `e`. */
export const level = shape('l', {
  itemId: id(),
  ...namesOfItem,
  policy: oneOf(policies, 'i.policy'),
  locationId: id(),
  location: text('p.code'),
  onHand: count(),
  reserved: count('l.reserved - e.expired'),
  /** Below 0 where more was sold than there is. */
  available: count('l.on_hand - l.reserved + e.expired'),
  incoming: count(),
});

/** Levels that are read for one page at most, however few of them are wanted. */
const window = 2_000;

interface Filter {
  readonly mode: Mode;
  readonly variantIds?: readonly string[] | undefined;
  readonly itemIds?: readonly string[] | undefined;
  readonly locationId?: string | undefined;
  readonly below?: number | undefined;
}

/** What is wanted, in the order of item and location, and where the window ended if it did before all was seen. */
export function selectLevels(
  tenant: string,
  { mode, variantIds, itemIds, locationId, below }: Filter,
  after: readonly [itemId: string, locationId: string],
  most: number,
): readonly [levels: Statement, end: Statement] {
  const values: unknown[] = [tenant, mode, ...after];
  const say = (value: unknown): string => `$${values.push(value)}`;
  const met = ['l.tenant_id = $1::uuid', 'l.mode = $2', '(l.item_id, l.location_id) > ($3::uuid, $4::uuid)'];
  if (locationId !== undefined) met.push(`l.location_id = ${say(locationId)}::uuid`);
  // Each id by its key, so that no more is read than is named.
  const named: string[] = [];
  if (itemIds !== undefined) named.push(`select distinct id from unnest(${say(itemIds)}::uuid[]) n (id)`);
  if (variantIds !== undefined)
    named.push(`select distinct r.item_id from unnest(${say(variantIds)}::uuid[]) n (id)
      cross join lateral (select item_id from stock.requirement where tenant_id = $1::uuid and variant_id = n.id offset 0) r`);
  const from =
    named.length === 0
      ? 'stock.level l'
      : `(${named.join(' intersect ')}) x (id)
         cross join lateral (select * from stock.level where tenant_id = $1::uuid and mode = $2 and item_id = x.id offset 0) l`;
  const seen = `from ${from} where ${met.join(' and ')} order by l.item_id, l.location_id`;
  const end = statement(`select l.item_id, l.location_id ${seen} offset ${window - 1} limit 1`, [...values]);
  const few = below === undefined ? '' : `where l.on_hand - l.reserved + e.expired < ${say(below)}::bigint`;
  const levels = statement(
    `select ${level.columns} from (select l.* ${seen} limit ${window}) l
     join stock.item i on i.tenant_id = l.tenant_id and i.item_id = l.item_id
     join stock.location p on p.tenant_id = l.tenant_id and p.location_id = l.location_id
     cross join lateral (
       select coalesce(sum(h.quantity), 0)::bigint as expired from stock.reservation h
       where h.tenant_id = l.tenant_id and h.mode = l.mode and h.item_id = l.item_id and h.location_id = l.location_id
         and h.expires_at <= statement_timestamp()
     ) e
     ${few} order by l.item_id, l.location_id limit ${say(most)}::int`,
    values,
  );
  return [levels, end];
}
