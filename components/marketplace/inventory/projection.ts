import { NeverApplies, type Projection } from '@steward/callbacks';
import { sql } from '@steward/sql';
import { channelOf } from '../channels/of-delivery.ts';
import { wakeStock } from './mark.ts';

const idIn = (value: unknown): string => {
  const id = String(value ?? '');
  if (!/^\d{1,25}$/.test(id)) throw new NeverApplies('The event names no inventory item at a location.');
  return id;
};

/** What a shop has to sell is another number: the two are compared. What we set ourselves comes back so, too, and is passed over. */
export const levelChanged = (wake: () => void): Projection => ({
  apply: async (tx, delivery) => {
    const { inventory_item_id: item, location_id: location, available } = delivery.data;
    const [itemId, locationId] = [idIn(item), idIn(location)];
    const own = await channelOf(tx, delivery);
    if (own === undefined || own.status !== 'connected' || own.stock === 'none' || own.shopLocationId !== locationId)
      return [];
    const said = typeof available === 'number' && Number.isSafeInteger(available) ? available : null;
    const marked = await tx.query(sql`
      update marketplace.inventory set due_at = clock_timestamp()
      where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${own.id}::uuid and external_id = ${itemId}
        and not (${own.stock} = 'here' and known is not distinct from ${said}::bigint and ${said}::bigint is not null)
      returning external_id`);
    if (marked.length > 0) {
      await wakeStock(tx, [own.id]);
      tx.afterCommit(wake);
    }
    return [];
  },
});
