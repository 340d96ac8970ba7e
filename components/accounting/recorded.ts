import type { RecordedRows } from '@steward/audit';
import { posted } from './journal/taken.ts';

/** What of the books must stand in the audit log: entries, and which months and years are closed. */
export const recorded: readonly RecordedRows[] = [
  {
    what: 'ledger entry',
    types: [posted],
    // The amount in minor units is the event's without its point.
    held: `select y.tenant_id, y.entry_id::text as key, concat_ws(' ', y.event_id, y.number, y.posting_date, y.kind, y.currency,
      coalesce(p.amount, 0)) as says from accounting.entry y left join (
        select tenant_id, entry_id, sum(amount) as amount from accounting.posting group by tenant_id, entry_id) p
        on p.tenant_id = y.tenant_id and p.entry_id = y.entry_id`,
    told: `select e.payload ->> 'entry_id' as key, concat_ws(' ', e.id, e.payload ->> 'number', e.payload ->> 'posting_date',
      e.payload ->> 'kind', e.payload ->> 'currency', replace(e.payload ->> 'amount', '.', '')::numeric) as says`,
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
];
