import { sql, type Statement } from '@steward/sql';
import { monthOf } from '../periods/month.ts';

export interface ForeignBalance extends Record<string, unknown> {
  readonly account_id: string;
  readonly currency: string;
  readonly base_currency: string;
  /** Debits less credits at the end of the day: in minor units of the account's currency, and as the books value it. */
  readonly held: bigint;
  readonly base: bigint;
}

/** Bank accounts, loans and the like that are kept in another currency, but for those with a sub-ledger. */
export const foreignBalances = (tenant: string, day: string): Statement => sql`
  select a.account_id, a.currency, b.base_currency,
    coalesce(sum(s.amount) filter (where s.currency = a.currency), 0)::bigint as held, coalesce(sum(s.base), 0)::bigint as base
  from accounting.book b
  join accounting.account a on a.tenant_id = b.tenant_id and a.currency <> b.base_currency and a.type in ('asset', 'liability')
    and coalesce(a.control, '') not in ('receivable', 'payable')
  left join lateral (
    select m.currency, m.debit - m.credit as amount, m.base_debit - m.base_credit as base from accounting.balance m
    where m.tenant_id = a.tenant_id and m.account_id = a.account_id and m.month < ${monthOf(day)}::date
    union all
    select e.currency, p.amount, p.base_amount from accounting.posting p
    join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
    where p.tenant_id = a.tenant_id and p.debit_account_id = a.account_id
      and p.posting_date >= ${monthOf(day)}::date and p.posting_date <= ${day}::date
    union all
    select e.currency, -p.amount, -p.base_amount from accounting.posting p
    join accounting.entry e on e.tenant_id = p.tenant_id and e.entry_id = p.entry_id
    where p.tenant_id = a.tenant_id and p.credit_account_id = a.account_id
      and p.posting_date >= ${monthOf(day)}::date and p.posting_date <= ${day}::date) s on true
  where b.tenant_id = ${tenant}::uuid
  group by a.account_id, a.currency, b.base_currency order by a.account_id`;
