import { sql, statement, type TenantTransaction } from '@steward/sql';
import { ordersFail } from '../errors.ts';
import type { Order } from '../orders/order.ts';
import type { PostalAddress } from '../orders/placing.ts';
import { snapshotOf, storedText, type Version } from './version.ts';

/** The version that the edit goes out from: the one that the edit before made, else the order as it was placed. */
export async function keepVersion(tx: TenantTransaction, orderId: string): Promise<number> {
  const { tenant } = tx.context;
  const [, [row] = []] = await tx.queryAll([
    statement(
      `insert into orders.version (tenant_id, order_id, version, snapshot)
       select o.tenant_id, o.order_id, o.version, ${snapshotOf} from orders.sales_order o
       where o.tenant_id = $1::uuid and o.order_id = $2::uuid
         and not exists (select from orders.version v where v.tenant_id = o.tenant_id and v.order_id = o.order_id)`,
      [tenant, orderId],
    ),
    statement(
      'select max(version)::int as version from orders.version where tenant_id = $1::uuid and order_id = $2::uuid',
      [tenant, orderId],
    ),
  ]);
  return Number(row?.['version']);
}

/** Writes it, and keeps it. @throws Problem `order_changed` (409) */
export async function apply(
  tx: TenantTransaction,
  {
    held,
    address,
    after,
  }: { readonly held: Order; readonly address: PostalAddress | undefined; readonly after: Version },
): Promise<number> {
  const { tenant } = tx.context;
  const { lines, ...values } = after;
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const [row] = await tx.query<{ version: number | null }>(sql`
    select orders.apply_edit(${held.id}::uuid, ${held.version}::int, ${address === undefined ? null : JSON.stringify(address)}::jsonb,
      ${storedText({ ...values, units: String(units) })}::jsonb, ${storedText(lines)}::jsonb) as version`);
  if (row?.version == null) throw ordersFail('order_changed', 'The order was changed at this moment: read it again.');
  await tx.query(
    statement(
      `insert into orders.version (tenant_id, order_id, version, snapshot)
       select o.tenant_id, o.order_id, o.version, ${snapshotOf} from orders.sales_order o where o.tenant_id = $1::uuid and o.order_id = $2::uuid`,
      [tenant, held.id],
    ),
  );
  return row.version;
}
