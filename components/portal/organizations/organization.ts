import { sql, type Row, type Statement } from '@steward/sql';

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly defaultCurrency: string;
  readonly fiscalYearStartMonth: number;
  readonly persona: string;
  /** Counts up with each change; send it back as `version` to change only what you saw. */
  readonly version: number;
}

export const selectOrganization: Statement = sql`
  select tenant_id, name, default_currency, fiscal_year_start_month, persona, version from portal.tenant`;

export const lockOrganization: Statement = sql`
  select tenant_id, name, default_currency, fiscal_year_start_month, persona, version from portal.tenant for update`;

export const presentOrganization = (row: Row | undefined): Organization => ({
  id: String(row?.['tenant_id']),
  name: String(row?.['name']),
  defaultCurrency: String(row?.['default_currency']),
  fiscalYearStartMonth: Number(row?.['fiscal_year_start_month']),
  persona: String(row?.['persona']),
  version: Number(row?.['version']),
});
