import { sql, type TenantTransaction } from '@steward/sql';
import { trackedVariants } from '../items/item.ts';
import { locationsInUse, noLocation } from '../locations/location.ts';
import type { StockPorts } from '../ports.ts';
import { mostQuantity } from '../words.ts';
import { changeLevels, recordChange } from './change.ts';

interface Following {
  readonly locationId: string;
  /** Why, in the movements: `[a-z_]{1,40}` */
  readonly reason: string;
  /** What somebody else says that there is, with what is promised of it: one line a variant, up to 500. */
  readonly lines: readonly { readonly variantId: string; readonly onHand: number }[];
}

/**
 * Sets what is on hand at a location to what somebody else counts there, in the transaction of the caller. A variant that was not tracked is tracked from
 * now on. What is reserved stays promised, so no level falls below it.
 * @returns variants that nothing was done for: they are not counted by themselves, or there are none such in the tenant
 * @throws Problem `not_found` (404) for a location that is not in use, `stock_insufficient` (409) for more than a level can say
 */
export async function followLevels(
  tx: TenantTransaction,
  { locationId, reason, lines }: Following,
  ports: Pick<StockPorts, 'variantsIn'>,
): Promise<ReadonlySet<string>> {
  const location = (await locationsInUse(tx)).find(({ id }) => id === locationId);
  if (location === undefined) throw noLocation();
  const takes = await trackedVariants(
    tx,
    lines.map(({ variantId }) => variantId),
    ports,
  );
  const shared = await sharedItems(
    tx,
    [...takes.values()].flat().map(({ itemId }) => itemId),
  );
  const placed = lines.flatMap((line, index) => {
    const [one, ...others] = takes.get(line.variantId) ?? [];
    const isAlone = one !== undefined && others.length === 0 && one.quantity === 1 && !shared.has(one.itemId);
    return isAlone ? [{ line, index, itemId: one.itemId }] : [];
  });
  const done = await changeLevels(tx, placed, {
    reason,
    member: 'onHand',
    wants: ({ line, itemId }, book) => {
      const { onHand, reserved } = book.at(itemId, location.id);
      const said = Math.min(Math.max(line.onHand, 0), mostQuantity);
      const change = (book.mayLack(itemId) ? said : Math.max(said, reserved)) - onHand;
      return [{ location, kind: 'count', onHand: change }];
    },
  });
  if (done.any) recordChange(tx, 'commerce.stock.counted', done);
  const followed = new Set(placed.map(({ line }) => line.variantId));
  return new Set(lines.flatMap(({ variantId }) => (followed.has(variantId) ? [] : [variantId])));
}

/** Those that several variants take of: what one of them is counted at says nothing about the others. */
async function sharedItems(tx: TenantTransaction, itemIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ item_id: string }>(sql`
    select i.id as item_id from unnest(${itemIds}::uuid[]) i (id)
    cross join lateral (
      select count(*) as variants from (
        select from stock.requirement where tenant_id = ${tx.context.tenant}::uuid and item_id = i.id limit 2) r) n
    where n.variants > 1`);
  return new Set(rows.map(({ item_id: id }) => id));
}
