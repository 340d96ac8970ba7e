import { statement, type TenantTransaction } from '@steward/sql';
import { type Tax, tax } from './tax.ts';

/**
 * Taxes of the tenant by their ids, archived ones too, for whom something of a shop points to; what is not there is left out. Nobody archives
 * one until the transaction ends.
 */
export async function taxesNamed(tx: TenantTransaction, ids: readonly string[]): Promise<Tax[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query(
    statement(
      `select ${tax.columns} from accounting.tax t where t.tenant_id = $1::uuid and t.tax_id = any ($2::uuid[])
       order by t.tax_id for share`,
      [tx.context.tenant, ids],
    ),
  );
  return rows.map(tax.read);
}
