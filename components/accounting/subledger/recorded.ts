import { instantOf, madeAt, rowOf, type DerivedRows, type RecordedRows } from '@steward/verification';
import { contents } from '../contents.ts';

/** Minor units of an amount that an event says with its point. */
const minor = `replace(e.payload ->> 'amount', '.', '')::numeric`;
/** Documents that were never issued and were deleted when a person was erased. */
const erased = `select d.document_id, null from jsonb_array_elements_text(e.payload -> 'document_ids') as d (document_id)
  where e.type = 'accounting.document.erased'`;
const id = (name: string): string => `(e.payload ->> '${name}')::uuid`;

/** The contents of rows whose event has a digest; events of earlier versions have none. */
export const contentRows = (
  of: keyof typeof contents,
  types: readonly string[],
  member = 'content_sha256',
): RecordedRows => ({
  what: `contents of ${of}`,
  types,
  held: `select tenant_id, key::text, digest as says from (${contents[of]}) c`,
  told: `select ${id(`${of}_id`)}::text as key, coalesce(e.payload ->> '${member}',
    (select c.digest from (${contents[of]}) c where c.tenant_id = e.tenant_id and c.key = ${id(`${of}_id`)})) as says`,
});

/** What each entry does to receivables and payables, debits less credits. */
const control = `select p.tenant_id, p.entry_id, a.control, sum(s.amount) as amount, sum(s.base) as base
  from accounting.posting p
  cross join lateral (values (p.debit_account_id, p.amount, p.base_amount), (p.credit_account_id, -p.amount, -p.base_amount))
    as s (account_id, amount, base)
  join accounting.account a on a.tenant_id = p.tenant_id and a.account_id = s.account_id and a.control in ('receivable', 'payable')
  group by p.tenant_id, p.entry_id, a.control`;

const sale = `d.kind in ('invoice', 'credit_note')`;
const side = `case when ${sale} then 'receivable' else 'payable' end`;

/** On which day each item was moved, beside the day it was opened on: by what pays it, or takes that back. */
const moves = `select tenant_id, item_id, max(day) as day from (
    select tenant_id, credit_id as item_id, greatest(date, undone_on) as day from accounting.allocation
    union all select tenant_id, charge_id, greatest(date, undone_on) from accounting.allocation) m
  group by tenant_id, item_id`;

/** Documents, payments and allocations agree with the log and with the entries that post them; the items follow from them. */
export const subledgerRows: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'document',
    types: [
      'accounting.document.drafted',
      'accounting.document.changed',
      'accounting.document.issued',
      'accounting.document.erased',
    ],
    held: `select tenant_id, document_id::text as key, concat_ws(' ', kind, party_id, total, currency) as says from accounting.document`,
    told: `select ${id('document_id')}::text as key, concat_ws(' ', e.payload ->> 'kind', ${id('party_id')}, ${minor},
      e.payload ->> 'currency') as says
      where e.type <> 'accounting.document.erased' union all ${erased}`,
  },
  {
    what: 'number and entry of document',
    types: ['accounting.document.issued'],
    held: `select tenant_id, document_id::text as key, concat_ws(' ', number, entry_id, issued_at) as says from accounting.document
      where num_nonnulls(number, entry_id) > 0`,
    told: `select ${id('document_id')}::text as key, concat_ws(' ', split_part(e.payload ->> 'number', '-', 2)::bigint, ${id('entry_id')},
      ${instantOf('issued_at')}) as says ${rowOf('accounting.document', 'document_id', id('document_id'))}`,
  },
  {
    what: 'status of document',
    types: [
      'accounting.document.drafted',
      'accounting.document.issued',
      'accounting.document.voided',
      'accounting.document.erased',
    ],
    held: `select tenant_id, document_id::text as key, status as says from accounting.document`,
    told: `select ${id('document_id')}::text as key,
      case split_part(e.type, '.', 3) when 'drafted' then 'draft' when 'voided' then 'void' else 'issued' end as says
      where e.type <> 'accounting.document.erased' union all ${erased}`,
  },
  madeAt('document', 'accounting.document.drafted', {
    table: 'accounting.document',
    id: 'document_id',
    column: 'created_at',
    key: id('document_id'),
  }),
  contentRows('document', ['accounting.document.issued']),
  {
    what: 'document',
    from: 'the postings of its entry',
    held: `select d.tenant_id, d.document_id::text as key, concat_ws(' ', d.kind, d.issue_date, d.currency, d.rate, d.total, d.base_total) as says
      from accounting.document d where d.entry_id is not null`,
    due: `select d.tenant_id, d.document_id::text as key, concat_ws(' ', y.kind, y.posting_date, y.currency, y.rate,
        case when d.kind in ('invoice', 'supplier_credit') then c.amount else -c.amount end,
        case when d.kind in ('invoice', 'supplier_credit') then c.base else -c.base end) as says
      from accounting.document d
      left join accounting.entry y on y.tenant_id = d.tenant_id and y.entry_id = d.entry_id and y.source_id = d.document_id
      left join (${control}) c on c.tenant_id = y.tenant_id and c.entry_id = y.entry_id and c.control = ${side}
      where d.entry_id is not null`,
  },
  {
    what: 'payment',
    types: ['accounting.payment.recorded'],
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', number, direction, party_id, account_id, amount, currency, entry_id, created_at) as says
      from accounting.payment`,
    told: `select ${id('payment_id')}::text as key, concat_ws(' ', split_part(e.payload ->> 'number', '-', 2)::bigint,
      e.payload ->> 'direction', ${id('party_id')}, ${id('account_id')}, ${minor}, e.payload ->> 'currency', ${id('entry_id')},
      ${instantOf('created_at')}) as says ${rowOf('accounting.payment', 'payment_id', id('payment_id'))}`,
  },
  contentRows('payment', ['accounting.payment.recorded']),
  {
    what: 'payment',
    from: 'the postings of its entry, and of what takes it back,',
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', date, currency, rate, account_id, amount, base_amount, 'void ' || void_on) as says
      from accounting.payment`,
    due: `select p.tenant_id, p.payment_id::text as key, concat_ws(' ', y.posting_date, y.currency, y.rate,
        case p.direction when 'received' then o.debit_account_id else o.credit_account_id end, o.amount, o.base_amount,
        'void ' || r.posting_date) as says
      from accounting.payment p
      left join accounting.entry y on y.tenant_id = p.tenant_id and y.entry_id = p.entry_id and y.source_id = p.payment_id
      left join accounting.posting o on o.tenant_id = y.tenant_id and o.entry_id = y.entry_id and o.line = 1
      left join accounting.entry r on r.tenant_id = p.tenant_id and r.reverses = p.entry_id`,
  },
  {
    what: 'allocation',
    types: ['accounting.allocation.made'],
    held: `select tenant_id, allocation_id::text as key, concat_ws(' ', credit_id, charge_id, date, amount, entry_id, created_at) as says
      from accounting.allocation`,
    told: `select ${id('allocation_id')}::text as key, concat_ws(' ', ${id('credit_id')}, ${id('charge_id')}, e.payload ->> 'date',
      ${minor}, ${id('entry_id')}, ${instantOf('created_at')}) as says
      ${rowOf('accounting.allocation', 'allocation_id', id('allocation_id'))}`,
  },
  {
    what: 'standing of allocation',
    types: ['accounting.allocation.made', 'accounting.allocation.undone'],
    held: `select tenant_id, allocation_id::text as key, coalesce('undone ' || undone_on, 'stands') as says from accounting.allocation`,
    told: `select ${id('allocation_id')}::text as key,
      case e.type when 'accounting.allocation.made' then 'stands' else 'undone ' || (e.payload ->> 'date') end as says`,
  },
  contentRows('allocation', ['accounting.allocation.made']),
  {
    what: 'exchange difference of allocation',
    from: 'the postings of its entry',
    held: `select a.tenant_id, a.allocation_id::text as key,
        nullif(case i.side when 'receivable' then a.credit_base - a.charge_base else a.charge_base - a.credit_base end, 0)::text as says
      from accounting.allocation a join accounting.item i on i.tenant_id = a.tenant_id and i.item_id = a.charge_id`,
    due: `select a.tenant_id, a.allocation_id::text as key, c.base::text as says
      from accounting.allocation a left join (${control}) c on c.tenant_id = a.tenant_id and c.entry_id = a.entry_id`,
  },
  {
    what: 'revaluation',
    types: ['accounting.items.revalued'],
    held: `select tenant_id, revaluation_id::text as key, concat_ws(' ', day, entry_id, mirror_id) as says from accounting.revaluation`,
    told: `select ${id('revaluation_id')}::text as key, concat_ws(' ', e.payload ->> 'day', ${id('entry_id')}, ${id('mirror_id')}) as says`,
  },
  contentRows('revaluation', ['accounting.items.revalued']),
  {
    what: 'item',
    from: 'its document or payment, with what pays it and takes it back,',
    held: `select tenant_id, item_id::text as key, concat_ws(' ', kind, side, nature, party_id, currency, amount, base_amount, opened_on, due_on,
      'moved ' || moved_on, 'void ' || void_on) as says from accounting.item`,
    due: `select s.tenant_id, s.item_id::text as key, concat_ws(' ', s.kind, s.side, s.nature, s.party_id, s.currency, s.amount, s.base_amount,
        s.opened_on, s.due_on, 'moved ' || greatest(s.opened_on, m.day, r.posting_date), 'void ' || r.posting_date) as says
      from (
        select d.tenant_id, d.document_id as item_id, d.kind, ${side} as side,
          case when d.kind in ('invoice', 'bill') then 'charge' else 'credit' end as nature, d.party_id, d.currency, d.total as amount,
          d.base_total as base_amount, d.issue_date as opened_on, d.due_date as due_on, d.entry_id
        from accounting.document d where d.entry_id is not null
        union all
        select p.tenant_id, p.payment_id, 'payment', c.control,
          case when (p.direction = 'received') = (c.control = 'receivable') then 'credit' else 'charge' end, p.party_id, p.currency, p.amount,
          p.base_amount, p.date, p.date, p.entry_id
        from accounting.payment p left join (${control}) c on c.tenant_id = p.tenant_id and c.entry_id = p.entry_id) s
      left join (${moves}) m on m.tenant_id = s.tenant_id and m.item_id = s.item_id
      left join accounting.entry r on r.tenant_id = s.tenant_id and r.reverses = s.entry_id`,
  },
];
