import { sql, type TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';

export interface Period {
  /** The month's first day. */
  readonly month: string;
  readonly status: 'open' | 'closed';
  /** Its fiscal year was carried to retained earnings. */
  readonly yearClosed: boolean;
}

/** Months that were posted into, closed or reopened, the latest first. Months that are not listed are open. */
export async function listPeriods(context: TenantContext): Promise<Period[]> {
  const rows = await context.require(readBooks).read<{
    month: string;
    status: 'open' | 'closed';
    year_closed: boolean;
  }>(sql`
    select month::text as month, status, year_closed from accounting.period
    where tenant_id = ${context.tenant}::uuid order by month desc limit 240`);
  return rows.map(({ month, status, year_closed }) => ({ month, status, yearClosed: year_closed }));
}
