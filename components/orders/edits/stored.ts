import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { type Version, versionFrom } from './version.ts';
import { mostEdits } from './words.ts';

/** An edit with the versions that it made the next one of, and that it made. Minor units. */
export interface EditedOrder {
  readonly id: string;
  readonly orderId: string;
  readonly currency: string;
  readonly version: number;
  readonly readdressed: boolean;
  readonly before: Version;
  readonly after: Version;
  readonly createdAt: Date;
}

/** Edits of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectEdits = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select d.edit_id, d.order_id, d.version, d.readdressed, d.created_at, o.currency, b.snapshot as before, a.snapshot as after
     from orders.edit d join orders.sales_order o on o.tenant_id = d.tenant_id and o.order_id = d.order_id
     join orders.version b on b.tenant_id = d.tenant_id and b.order_id = d.order_id and b.version = d.version_before
     join orders.version a on a.tenant_id = d.tenant_id and a.order_id = d.order_id and a.version = d.version
     where d.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

export const editedFrom = (row: Readonly<Record<string, unknown>>): EditedOrder => ({
  id: String(row['edit_id']),
  orderId: String(row['order_id']),
  currency: String(row['currency']),
  version: Number(row['version']),
  readdressed: row['readdressed'] === true,
  before: versionFrom(row['before']),
  after: versionFrom(row['after']),
  createdAt: row['created_at'] as Date,
});

/** The edit, or undefined where there is none. */
export async function editIn(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  editId: string,
): Promise<EditedOrder | undefined> {
  const [row] = await tx.query(selectEdits('d.edit_id = $2::uuid', tx.context.tenant, editId));
  return row === undefined ? undefined : editedFrom(row);
}

/** All edits of an order, oldest first. */
export const editsOf = async (
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  orderId: string,
): Promise<EditedOrder[]> =>
  (
    await tx.query(
      selectEdits(`d.order_id = $2::uuid order by d.version limit ${mostEdits}`, tx.context.tenant, orderId),
    )
  ).map(editedFrom);
