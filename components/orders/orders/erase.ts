import { sql, statement, type TenantTransaction } from '@steward/sql';
import { contents } from '../contents.ts';
import { announcement, event } from '../events.ts';
import { eraseLetters } from '../letters/erase.ts';
import type { Mode } from '../words.ts';

export interface ErasedOrders {
  readonly ids: readonly string[];
  /** What they were placed by. */
  readonly checkoutIds: readonly string[];
  /** What left of them. */
  readonly fulfilmentIds: readonly string[];
  /** E-mail addresses that they were placed with. */
  readonly addresses: readonly string[];
}

/** By contacts, by e-mail addresses that the same person has, or by their own ids. */
export interface WhoseOrders {
  readonly contactIds?: readonly string[];
  readonly addresses?: readonly string[];
  readonly orderIds?: readonly string[];
}

/**
 * Takes a person out of their orders, live and test: who bought, where it was sent and how it could be followed, and what anybody noted. The figures,
 * the lines and the country that taxes go by stay. Letters that wait are not sent any more, and the buyer's page is gone. Orders that were
 * erased before stay as they are. The caller must have checked that this person may ask for it, and must have erased the contacts before in this
 * transaction.
 */
export async function eraseOrders(
  tx: TenantTransaction,
  { contactIds = [], addresses = [], orderIds = [] }: WhoseOrders,
  reason: string,
): Promise<ErasedOrders> {
  const { tenant } = tx.context;
  const emails = addresses.filter((one) => one.includes('@')).map((one) => one.toLowerCase());
  const rows = await tx.query<{ o_order: string; o_mode: Mode; o_checkout: string; o_email: string | null }>(sql`
    select o_order, o_mode, o_checkout, o_email
    from orders.erase(${contactIds}::uuid[], ${emails}::text[], ${orderIds}::uuid[]) order by 1`);
  const ids = rows.map(({ o_order: id }) => id);
  if (ids.length === 0) return { ids, checkoutIds: [], fulfilmentIds: [], addresses: [] };
  await eraseLetters(tx, ids);
  const sent = await tx.query<{ id: string; order_id: string; mode: Mode; version: number; digest: string }>(
    statement(
      `select f.fulfilment_id as id, f.order_id, c.mode, f.version, c.digest
       from orders.fulfilment f join (${contents.fulfilment}) c on c.tenant_id = f.tenant_id and c.key = f.fulfilment_id
       where f.tenant_id = $1::uuid and f.order_id = any ($2::uuid[]) order by 1`,
      [tenant, ids],
    ),
  );
  for (const { id: fulfilment_id, order_id, mode, version, digest: content_sha256 } of sent)
    tx.record(event('commerce.fulfilment.updated', { fulfilment_id, order_id, mode, version, content_sha256 }));
  for (const { o_order: orderId, o_mode: mode } of rows) {
    const causationId = tx.record(event('commerce.order.erased', { order_id: orderId, mode, reason }));
    tx.publish(announcement('commerce.order.erased', { orderId, mode }, { subject: orderId, causationId }));
  }
  return {
    ids,
    checkoutIds: rows.map(({ o_checkout: id }) => id),
    fulfilmentIds: sent.map(({ id }) => id),
    addresses: [...new Set(rows.flatMap(({ o_email: email }) => (email === null ? [] : [email])))],
  };
}

/** How many orders these contacts have. */
export async function countOrdersOf(tx: TenantTransaction, contactIds: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ orders: number }>(sql`
    select count(*)::int as orders from orders.sales_order
    where tenant_id = ${tx.context.tenant}::uuid and contact_id = any (${contactIds}::uuid[])`);
  return row?.orders ?? 0;
}
