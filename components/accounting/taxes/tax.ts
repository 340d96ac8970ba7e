import type { Row } from '@steward/sql';

/** A tax rate, as lines of documents name it. */
export interface Tax {
  readonly id: string;
  readonly name: string;
  /** Four digits behind the point: `19.0000`. */
  readonly percentage: string;
  /** Where tax on sales is owed. */
  readonly salesAccountId: string;
  /** Where tax on purchases is claimed; null where it is not, and is part of what was bought. */
  readonly purchaseAccountId: string | null;
  readonly archived: boolean;
}

export const presentTax = (row: Row): Tax => ({
  id: String(row['tax_id']),
  name: String(row['name']),
  percentage: String(row['percentage']),
  salesAccountId: String(row['sales_account_id']),
  purchaseAccountId: row['purchase_account_id'] as string | null,
  archived: row['archived_at'] !== null,
});
