import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { presentTax, type Tax } from './tax.ts';

/** Taxes by name; those in use, or all. There are few, so they come in one piece (200 at most). */
export async function listTaxes(context: TenantContext, archived = false): Promise<Tax[]> {
  const rows = await context.require(readBooks).read(sql`
    select tax_id, name, percentage::text as percentage, sales_account_id, purchase_account_id, archived_at
    from accounting.tax where tenant_id = ${context.tenant}::uuid and (${archived} or archived_at is null)
    order by lower(name), tax_id limit 200`);
  return rows.map(presentTax);
}
