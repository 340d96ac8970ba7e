import type { Row } from '@steward/sql';
import type { AccountType } from '../books/template.ts';

export interface Account {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  /** What the platform itself posts to here, such as `receivable`. */
  readonly control: string | null;
  readonly currency: string;
}

export const presentAccount = (row: Row): Account => ({
  id: String(row['account_id']),
  code: String(row['code']),
  name: String(row['name']),
  type: row['type'] as AccountType,
  control: (row['control'] as string | null) ?? null,
  currency: String(row['currency']),
});
