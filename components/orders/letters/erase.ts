import { eraseEmails, owedKey } from '@steward/mail';
import { sql, type TenantTransaction } from '@steward/sql';
import { component } from './fact.ts';

/** Letters about these orders that wait are not sent any more, and no digest of an address is kept of those that were. */
export async function eraseLetters(tx: TenantTransaction, orderIds: readonly string[]): Promise<void> {
  const { tenant } = tx.context;
  const rows = await tx.query<{ about: string; reader: string }>(sql`
    update orders.letter l set address = null
    from (
      select concat_ws(' ', kind, id) as about from unnest(${orderIds}::uuid[]) id cross join unnest(array['placed', 'cancelled']) kind
      union all
      select concat_ws(' ', kind, f.order_id, f.fulfilment_id) from orders.fulfilment f cross join unnest(array['shipped', 'delivered']) kind
      where f.tenant_id = ${tenant}::uuid and f.order_id = any (${orderIds}::uuid[])
      union all
      select concat_ws(' ', 'edited', d.order_id, d.edit_id) from orders.edit d
      where d.tenant_id = ${tenant}::uuid and d.order_id = any (${orderIds}::uuid[])
      union all
      select concat_ws(' ', 'refunded', f.order_id, f.refund_id) from orders.refund f
      where f.tenant_id = ${tenant}::uuid and f.order_id = any (${orderIds}::uuid[])) told
    where l.tenant_id = ${tenant}::uuid and l.about = told.about returning l.about, l.reader`);
  await eraseEmails(
    tx,
    rows.map(({ about, reader }) => owedKey({ by: component, about, reader })),
  );
}
