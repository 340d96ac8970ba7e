import { type Delivery, NeverApplies } from '@steward/callbacks';
import { orderIn } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Channel } from '../channels/channel.ts';
import { membersOf } from '../shopify/read.ts';

/** Orders that one request names at most: Shopify names those of one buyer. */
const most = 1_000;

/** Which shop and topic are in headers, which are not signed; a body that names its shop is of no other, and only such an event says so. @throws NeverApplies */
export function requireShop({ data, account }: Pick<Delivery, 'data' | 'account'>): void {
  if (account === null || (data['shop_domain'] ?? data['myshopify_domain']) !== account)
    throw new NeverApplies('The event does not name its shop.');
}

/** Whom a request of the law is about, by the shop's ids. */
export interface Person {
  readonly customerId: string | null;
  readonly orders: readonly string[];
}

const idText = (value: unknown): string[] => (/^\d{1,25}$/.test(String(value ?? '')) ? [String(value)] : []);

export function personIn(
  data: Readonly<Record<string, unknown>>,
  member: 'orders_requested' | 'orders_to_redact',
): Person {
  const named: unknown = data[member];
  const orders = Array.isArray(named) ? named.slice(0, most).flatMap(idText) : [];
  return { customerId: idText(membersOf(data['customer'])['id'])[0] ?? null, orders };
}

export interface OrderOfPerson {
  readonly orderId: string;
  readonly contactId: string | null;
}

/** What is here of the orders of a person in a shop. */
export async function ordersOf(
  tx: TenantTransaction,
  channel: Channel,
  { customerId, orders }: Person,
): Promise<OrderOfPerson[]> {
  const rows = await tx.query<{ order_id: string }>(sql`
    select order_id from marketplace.imported_order
    where tenant_id = ${tx.context.tenant}::uuid and channel_id = ${channel.id}::uuid
      and (external_id = any (${orders}::text[]) or external_customer_id = ${customerId})
    order by order_id limit ${most}`);
  const found: OrderOfPerson[] = [];
  for (const { order_id: orderId } of rows)
    found.push({ orderId, contactId: (await orderIn(tx, orderId))?.contactId ?? null });
  return found;
}
