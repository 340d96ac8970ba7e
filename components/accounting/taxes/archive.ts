import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { keepBooks } from '../permissions.ts';
import { presentTax, type Tax } from './tax.ts';

/** Takes a tax out of use; documents that carry it keep it. Archived already is success. @throws Problem `not_found` (404) */
export async function archiveTax(context: TenantContext, id: string): Promise<Tax> {
  return context.require(keepBooks).write(async (tx) => {
    const [row] = await tx.query(sql`
      update accounting.tax set archived_at = coalesce(archived_at, clock_timestamp())
      where tenant_id = ${context.tenant}::uuid and tax_id = ${id}::uuid
      returning tax_id, name, percentage::text as percentage, sales_account_id, purchase_account_id, archived_at`);
    if (row === undefined) throw fail('not_found', 'There is no such tax in this tenant.');
    tx.record(event('accounting.tax.archived', { tax_id: id }));
    return presentTax(row);
  });
}
