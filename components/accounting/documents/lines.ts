import { sql, type TenantTransaction } from '@steward/sql';
import type { ReadLine } from './read-input.ts';

/** Writes the lines of a draft, in place of its earlier lines. */
export async function writeLines(tx: TenantTransaction, documentId: string, lines: readonly ReadLine[]): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`
    delete from accounting.document_line where tenant_id = ${tenant}::uuid and document_id = ${documentId}::uuid`);
  const rows = lines.map(({ accountId, taxId, unitPrice, net, tax, ...line }, index) => ({
    ...line,
    line: index + 1,
    unit_price: unitPrice,
    account_id: accountId,
    tax_id: taxId,
    net: net.toString(),
    tax: tax.toString(),
  }));
  await tx.query(sql`
    insert into accounting.document_line (tenant_id, document_id, line, description, quantity, unit_price, account_id, tax_id,
      percentage, net, tax)
    select ${tenant}::uuid, ${documentId}::uuid, line, description, quantity, unit_price, account_id, tax_id, percentage, net, tax
    from json_to_recordset(${JSON.stringify(rows)}::json) as l (line int, description text, quantity numeric,
      unit_price numeric, account_id uuid, tax_id uuid, percentage numeric, net bigint, tax bigint)`);
}
