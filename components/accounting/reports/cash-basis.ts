import { sql, type Statement } from '@steward/sql';
import type { Span } from './statements.ts';

/**
 * Debits less credits of income and expense accounts over a period on the cash basis, in minor units of the base currency.
 * What has no document counts on its day. What a document says counts when it is settled, in the part that an allocation
 * settles of it: a payment makes income of an invoice, a credit note takes as much back as it settles. Rounded for each
 * allocation and account; taking an allocation back counts against it on that day.
 */
export const cashMovements = ({ from, to }: Span): Statement => sql`
  with other as (
    select s.account_id, sum(s.base) as net from (
      select p.tenant_id, p.entry_id, p.debit_account_id as account_id, p.base_amount as base, p.posting_date from accounting.posting p
      union all
      select p.tenant_id, p.entry_id, p.credit_account_id, -p.base_amount, p.posting_date from accounting.posting p) s
    join accounting.entry e on e.tenant_id = s.tenant_id and e.entry_id = s.entry_id
    left join accounting.entry undone on undone.tenant_id = e.tenant_id and undone.entry_id = e.reverses
    where s.posting_date >= ${from}::date and s.posting_date <= ${to}::date
      and coalesce(undone.kind, e.kind) not in ('invoice', 'credit_note', 'bill', 'supplier_credit', 'revaluation', 'closing')
    group by s.account_id),
  settled as (
    select c.item_id, c.amount * c.sign as amount from (
      select charge_id as item_id, amount, 1 as sign, date from accounting.allocation
      union all select credit_id, amount, 1, date from accounting.allocation
      union all select charge_id, amount, -1, undone_on from accounting.allocation where undone_on is not null
      union all select credit_id, amount, -1, undone_on from accounting.allocation where undone_on is not null) c
    where c.date >= ${from}::date and c.date <= ${to}::date),
  documents as (
    select l.account_id, sum(round(l.net * settled.amount / d.total)) as net
    from settled join accounting.document d on d.document_id = settled.item_id
    join (
      select tenant_id, entry_id, account_id, sum(base) as net from (
        select tenant_id, entry_id, debit_account_id as account_id, base_amount as base from accounting.posting
        union all select tenant_id, entry_id, credit_account_id, -base_amount from accounting.posting) sides
      group by tenant_id, entry_id, account_id) l on l.tenant_id = d.tenant_id and l.entry_id = d.entry_id
    group by l.account_id)
  select a.account_id, a.code, a.name, a.type, a.control, a.activity, b.base_currency,
    (coalesce(other.net, 0) + coalesce(documents.net, 0))::bigint as net
  from accounting.book b join accounting.account a on a.tenant_id = b.tenant_id and a.type in ('income', 'expense')
  left join other on other.account_id = a.account_id left join documents on documents.account_id = a.account_id
  order by a.code`;
