import type { Became, Projection } from '@steward/callbacks';
import { eraseContact, eraseOrder } from '@steward/commerce';
import { countOrdersOf } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { within } from '@steward/tools';
import type { Channel } from '../channels/channel.ts';
import { channelOf } from '../channels/of-delivery.ts';
import { endChannel } from '../channels/disconnect.ts';
import { type OrderOfPerson, ordersOf, personIn, requireShop } from './person.ts';

/** The law, by the marketplace's request. */
const why = 'legal_obligation';

/**
 * Takes people out of orders of a shop, and erases the contacts that bought nowhere else: who also buys from the organization itself stays its contact.
 * Figures stay.
 * @throws Problem `legal_hold` (409)
 */
async function erase(tx: TenantTransaction, channel: Channel, orders: readonly OrderOfPerson[]): Promise<Became[]> {
  const context = within(tx.context, tx);
  for (const [contactId, own] of Map.groupBy(orders, (one) => one.contactId))
    if (contactId !== null && (await countOrdersOf(tx, [contactId])) <= own.length)
      await eraseContact(context, { contactId, reason: why });
  for (const { orderId } of orders) await eraseOrder(context, orderId, why);
  const ids = orders.map(({ orderId }) => orderId);
  await tx.query(sql`
    update marketplace.imported_order set external_customer_id = null
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channel.id}::uuid and order_id = any (${ids}::uuid[])`);
  return ids.slice(0, 50).map((id) => ({ kind: 'order', id }));
}

/** The shop, or its buyer, has a buyer erased. */
export const customerRedacted: Projection = {
  apply: async (tx, delivery) => {
    requireShop(delivery);
    const own = await channelOf(tx, delivery);
    if (own === undefined) return [];
    return erase(tx, own, await ordersOf(tx, own, personIn(delivery.data, 'orders_to_redact')));
  },
};

/** So many orders in one transaction. */
const atOnce = 200;

/** Two days after a shop uninstalled the app: all that says who bought there is erased. */
export const shopRedacted: Projection = {
  apply: async (tx, delivery) => {
    requireShop(delivery);
    const own = await channelOf(tx, delivery);
    if (own === undefined) return [];
    // Installed again since: the request is of the installation before.
    if (own.status === 'connected' && Date.parse(own.connectedAt) > Date.parse(delivery.receivedAt)) return [];
    if (own.status === 'connected') await endChannel(tx, own, 'erased');
    const rows = await tx.query<{ external_id: string }>(sql`
      select external_id from marketplace.imported_order
      where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${own.id}::uuid order by external_id`);
    const became: Became[] = [{ kind: 'channel', id: own.id }];
    for (let from = 0; from < rows.length; from += atOnce) {
      const orders = rows.slice(from, from + atOnce).map((row) => row.external_id);
      await erase(tx, own, await ordersOf(tx, own, { customerId: null, orders }));
    }
    return became;
  },
};
