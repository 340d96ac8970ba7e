import { instantOf, rowOf, type DerivedRows, type RecordedRows } from '@steward/verification';
import { attachmentRows } from './attachments/recorded.ts';
import { bookRows } from './books/recorded.ts';
import { bankRows } from './bank/recorded.ts';
import { posted } from './journal/taken.ts';
import { subledgerRows } from './subledger/recorded.ts';

/** What `contentDigest` makes of an entry, from its rows. */
const contents = `select y.tenant_id, y.entry_id, translate(encode(sha256(convert_to('["entry/v1","' || trim_scale(y.rate) || '",'
    || to_json(y.narration) || coalesce(string_agg(',["' || p.debit_account_id || '","' || p.credit_account_id || '","' || p.amount || '","'
      || p.base_amount || '",' || coalesce(to_json(p.debit_memo)::text, 'null') || ',' || coalesce(to_json(p.credit_memo)::text, 'null') || ']',
      '' order by p.line), '') || ']', 'UTF8')), 'base64'), '+/=', '-_') as digest
  from accounting.entry y left join accounting.posting p on p.tenant_id = y.tenant_id and p.entry_id = y.entry_id
  group by y.tenant_id, y.entry_id`;

/** The rows of the books that must agree with the audit log: entries, their accounts and rates, and closed months and years; and the rows that must follow from the entries. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'ledger entry',
    types: [posted],
    // The amount in minor units is the event's without its point.
    held: `select y.tenant_id, y.entry_id::text as key, concat_ws(' ', y.event_id, y.number, y.posting_date, y.kind, y.currency,
      coalesce(p.amount, 0), 'of ' || y.source_id, 'reverses ' || y.reverses, y.posted_at) as says from accounting.entry y left join (
        select tenant_id, entry_id, posting_date, number, sum(amount) as amount from accounting.posting
        group by tenant_id, entry_id, posting_date, number) p
        on p.tenant_id = y.tenant_id and p.entry_id = y.entry_id and p.posting_date = y.posting_date and p.number = y.number`,
    told: `select e.payload ->> 'entry_id' as key, concat_ws(' ', e.id, e.payload ->> 'number', e.payload ->> 'posting_date',
      e.payload ->> 'kind', e.payload ->> 'currency', replace(e.payload ->> 'amount', '.', '')::numeric, 'of ' || (e.payload ->> 'source_id')::uuid,
      'reverses ' || (e.payload ->> 'reverses')::uuid, ${instantOf('posted_at')}) as says
      ${rowOf('accounting.entry', 'entry_id', `(e.payload ->> 'entry_id')::uuid`)}`,
  },
  {
    what: 'month',
    types: ['accounting.period.closed', 'accounting.period.reopened', 'accounting.year.closed'],
    held: `select tenant_id, month::text as key, 'closed' as says from accounting.period where status = 'closed'
      union all select tenant_id, month || ' in its year', 'closed' from accounting.period where year_closed`,
    told: `select e.payload ->> 'month' as key, case when e.type = 'accounting.period.closed' then 'closed' end as says
      where e.type <> 'accounting.year.closed'
      union all
      select m.month::date::text || suffix, 'closed' from generate_series((e.payload ->> 'first_month')::date,
        (e.payload ->> 'last_month')::date, interval '1 month') as m (month), unnest(array['', ' in its year']) as suffix
      where e.type = 'accounting.year.closed'`,
  },
  {
    what: 'contents of ledger entry',
    types: [posted],
    held: `select tenant_id, entry_id::text as key, digest as says from (${contents}) c`,
    // Events of earlier versions have none.
    told: `select e.payload ->> 'entry_id' as key, coalesce(e.payload ->> 'content_sha256', (select c.digest from (${contents}) c
      where c.tenant_id = e.tenant_id and c.entry_id = (e.payload ->> 'entry_id')::uuid)) as says`,
  },
  {
    what: 'currency and fiscal year of the books',
    types: ['accounting.books.opened'],
    held: `select tenant_id, 'first' as key, concat_ws(' ', base_currency, fiscal_year_start_month, template, opened_at) as says from accounting.book`,
    told: `select 'first' as key, concat_ws(' ', e.payload ->> 'base_currency', e.payload ->> 'fiscal_year_start_month', e.payload ->> 'template',
      ${instantOf('opened_at')}) as says ${rowOf('accounting.book', 'tenant_id', 'e.tenant_id')}`,
  },
  {
    what: 'journal',
    from: 'its entries',
    held: `select tenant_id, 'next number' as key, next::text as says from accounting.series where name = 'journal'`,
    due: `select tenant_id, 'next number' as key, (max(number) + 1)::text as says from accounting.entry group by tenant_id`,
  },
  {
    what: 'balance of account',
    from: 'its postings',
    held: `select tenant_id, concat_ws(' ', account_id, currency, month, case when closing then 'closing' end) as key,
      concat_ws(' ', debit, credit, base_debit, base_credit) as says from accounting.balance`,
    due: `select tenant_id, concat_ws(' ', account_id, currency, month, case when closing then 'closing' end) as key,
        concat_ws(' ', sum(debit), sum(credit), sum(base_debit), sum(base_credit)) as says
      from (
        select p.tenant_id, s.account_id, y.currency, (y.posting_date - (extract(day from y.posting_date)::int - 1)) as month,
          y.kind = 'closing' as closing, s.debit, s.credit, s.base_debit, s.base_credit
        from accounting.posting p join accounting.entry y on y.tenant_id = p.tenant_id and y.entry_id = p.entry_id
        cross join lateral (values (p.debit_account_id, p.amount, 0, p.base_amount, 0), (p.credit_account_id, 0, p.amount, 0, p.base_amount))
          as s (account_id, debit, credit, base_debit, base_credit)) moved
      group by tenant_id, account_id, currency, month, closing`,
  },
  {
    what: 'open item',
    from: 'its allocations',
    held: `select tenant_id, item_id::text as key, concat_ws(' ', open_amount, open_base) as says from accounting.item`,
    due: `select i.tenant_id, i.item_id::text as key, case when i.void_on is not null then '0 0'
        else concat_ws(' ', i.amount - coalesce(sum(a.amount), 0), i.base_amount - coalesce(sum(a.base), 0)) end as says
      from accounting.item i left join (
        select tenant_id, credit_id as item_id, amount, credit_base as base from accounting.allocation where undone_on is null
        union all select tenant_id, charge_id, amount, charge_base from accounting.allocation where undone_on is null) a
        on a.tenant_id = i.tenant_id and a.item_id = i.item_id
      group by i.tenant_id, i.item_id`,
  },
  ...bookRows,
  ...subledgerRows,
  ...bankRows,
  ...attachmentRows,
];
