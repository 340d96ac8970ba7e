import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

/** What a profile says, as the digest in its events. Verification makes the same from the row. */
export const profileContents = `select tenant_id, tenant_id as key, ${digestOf(`'posting_profile/v1', mode, sales_account_id, shipping_account_id,
    inventory_account_id, cost_of_sales_account_id, shrinkage_account_id, clearing_accounts`)} as digest from bookkeeping.profile`;

/** The digest of the tenant's profile, in the transaction that wrote it: for its event. */
export async function profileDigest(tx: TenantTransaction): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${profileContents}) c where c.tenant_id = $1::uuid`, [tx.context.tenant]),
  );
  return row?.digest ?? '';
}
