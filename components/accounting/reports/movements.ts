import { sql, type Statement } from '@steward/sql';
import { addMonths, lastDayOf, monthOf } from '../periods/month.ts';

export interface Movements {
  /** Undefined: from the beginning. Both days are counted in. */
  readonly from?: string | undefined;
  readonly to: string;
  /** Whether entries that carry a year's profit forward count. */
  readonly closing: boolean;
  /** Only this account, by code or id. */
  readonly account?: string;
}

/** No day at all. */
const never = { from: '9999-12-31', to: '0001-01-01' };
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Debits less credits of every account, in minor units of the base currency, by code. Whole months come from the sums that
 * are kept; only the days at either end are read from postings, each side by its own index.
 */
export function movements({ from, to, closing, account }: Movements): Statement {
  const first = from === undefined ? '0001-01-01' : from === monthOf(from) ? from : addMonths(monthOf(from), 1);
  const last = to === lastDayOf(to) ? monthOf(to) : addMonths(monthOf(to), -1);
  const whole = first <= last;
  const head = whole
    ? from === undefined
      ? never
      : { from, to: dayAfter(first, -1) }
    : { from: from ?? '0001-01-01', to };
  const tail = whole ? { from: dayAfter(lastDayOf(last), 1), to } : never;
  return sql`
    select a.account_id, a.code, a.name, a.type, a.control, a.activity, b.base_currency, (
      coalesce((select sum(s.base_debit) - sum(s.base_credit) from accounting.balance s
        where s.tenant_id = a.tenant_id and s.account_id = a.account_id
          and s.month >= ${first}::date and s.month <= ${last}::date and (${closing} or not s.closing)), 0)
      + coalesce((select sum(p.base_amount) from accounting.posting p
        where p.tenant_id = a.tenant_id and p.debit_account_id = a.account_id
          and p.posting_date >= ${head.from}::date and p.posting_date <= ${head.to}::date
          and (${closing} or not accounting.carries_forward(p.tenant_id, p.entry_id))), 0)
      + coalesce((select sum(p.base_amount) from accounting.posting p
        where p.tenant_id = a.tenant_id and p.debit_account_id = a.account_id
          and p.posting_date >= ${tail.from}::date and p.posting_date <= ${tail.to}::date
          and (${closing} or not accounting.carries_forward(p.tenant_id, p.entry_id))), 0)
      - coalesce((select sum(p.base_amount) from accounting.posting p
        where p.tenant_id = a.tenant_id and p.credit_account_id = a.account_id
          and p.posting_date >= ${head.from}::date and p.posting_date <= ${head.to}::date
          and (${closing} or not accounting.carries_forward(p.tenant_id, p.entry_id))), 0)
      - coalesce((select sum(p.base_amount) from accounting.posting p
        where p.tenant_id = a.tenant_id and p.credit_account_id = a.account_id
          and p.posting_date >= ${tail.from}::date and p.posting_date <= ${tail.to}::date
          and (${closing} or not accounting.carries_forward(p.tenant_id, p.entry_id))), 0)
      )::bigint as net
    from accounting.book b join accounting.account a on a.tenant_id = b.tenant_id
    where ${account ?? null}::text is null or a.code = ${account ?? null} or a.account_id::text = lower(${account ?? null}) order by a.code`;
}
