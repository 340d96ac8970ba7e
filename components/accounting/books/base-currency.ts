import { sql, type Statement, type TenantTransaction } from '@steward/sql';

/** The currency of the tenant's books, as `base_currency` of one row. */
export const baseCurrency = (tenant: string): Statement =>
  sql`select base_currency from accounting.book where tenant_id = ${tenant}::uuid`;

/** The same, in a transaction of the tenant. */
export async function currencyOfBooks({
  context,
  query,
}: Pick<TenantTransaction, 'context' | 'query'>): Promise<string> {
  const [book] = await query(baseCurrency(context.tenant));
  return String(book?.['base_currency']);
}
