import type { Row } from '@steward/sql';

export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly createdAt: string;
}

export const presentBrand = (row: Row): Brand => ({
  id: String(row['brand_id']),
  name: String(row['name']),
  isDefault: row['is_default'] === true,
  createdAt: (row['created_at'] as Date).toISOString(),
});
