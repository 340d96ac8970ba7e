import { sql, type Statement } from '@steward/sql';
import { addMonths, lastDayOf, monthOf } from '../periods/month.ts';

/**
 * Debits less credits of every account from a day to a day, both with it, in minor units of the base currency. Entries
 * that carry a year's profit forward are left out where `closing` is false. Whole months come from the sums that are
 * kept; only the days at either end are read from postings.
 * @param from `undefined`: from the beginning
 */
export function movements(from: string | undefined, to: string, closing: boolean): Statement {
  const firstWhole = from === undefined ? '0001-01-01' : from === monthOf(from) ? from : addMonths(monthOf(from), 1);
  const lastWhole = to === lastDayOf(to) ? monthOf(to) : addMonths(monthOf(to), -1);
  const inOne = firstWhole > lastWhole;
  // Days before the first whole month and after the last one; one run of days where no whole month lies between.
  const headFrom = from ?? '0001-01-01';
  const headTo = inOne ? to : firstWhole;
  const tailFrom = inOne ? '9999-12-31' : lastDayOf(lastWhole);
  return sql`
    select a.account_id, a.code, a.name, a.type, a.control, b.base_currency,
      (coalesce((select sum(s.base_debit) - sum(s.base_credit) from accounting.balance s
          where s.tenant_id = a.tenant_id and s.account_id = a.account_id
            and s.month between ${firstWhole}::date and ${lastWhole}::date and (${closing} or not s.closing)), 0)
        + coalesce((select sum(case when p.debit_account_id = a.account_id then p.base_amount else -p.base_amount end)
          from accounting.posting p
          where p.tenant_id = a.tenant_id and (p.debit_account_id = a.account_id or p.credit_account_id = a.account_id)
            and ((p.posting_date >= ${headFrom}::date and (p.posting_date < ${headTo}::date or (${inOne} and p.posting_date = ${to}::date)))
              or (p.posting_date > ${tailFrom}::date and p.posting_date <= ${to}::date))
            and (${closing} or exists (
              select from accounting.entry e where e.tenant_id = p.tenant_id and e.entry_id = p.entry_id and e.kind <> 'closing'))), 0)
      )::bigint as net
    from accounting.book b join accounting.account a on a.tenant_id = b.tenant_id order by a.code`;
}
