import { sql, type Statement } from '@steward/sql';

/** The currency of the tenant's books, as `base_currency` of one row. */
export const baseCurrency = (tenant: string): Statement =>
  sql`select base_currency from accounting.book where tenant_id = ${tenant}::uuid`;
