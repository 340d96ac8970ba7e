import { instantOf, madeAt, rowOf, type RecordedRows } from '@steward/verification';
import { contents } from '../contents.ts';
import { contentRows } from '../subledger/recorded.ts';

const taxId = `(e.payload ->> 'tax_id')::uuid`;

/** What entries are posted to and with: accounts, parties and their tax forms, taxes and rates. */
export const bookRows: readonly RecordedRows[] = [
  {
    what: 'chart of accounts',
    types: ['accounting.books.opened', 'accounting.chart.imported'],
    held: `select tenant_id, 'accounts' as key, digest as says from (${contents.chart}) c`,
    // Events of earlier versions have none.
    told: `select 'accounts' as key, coalesce(e.payload ->> 'chart_sha256',
      (select c.digest from (${contents.chart}) c where c.tenant_id = e.tenant_id)) as says`,
  },
  contentRows('party', ['accounting.party.created', 'accounting.party.updated', 'accounting.party.erased']),
  madeAt('party', 'accounting.party.created', {
    table: 'accounting.party',
    id: 'party_id',
    column: 'created_at',
    key: `(e.payload ->> 'party_id')::uuid`,
  }),
  {
    what: 'W-9',
    types: ['accounting.w9.recorded'],
    held: `select tenant_id, key::text, digest as says from (${contents.taxpayer}) c`,
    // Events of earlier versions have none.
    told: `select (e.payload ->> 'party_id')::uuid::text as key, case when not exists (select from accounting.party p
        where p.tenant_id = e.tenant_id and p.party_id = (e.payload ->> 'party_id')::uuid and p.erased_at is not null)
      then coalesce(e.payload ->> 'content_sha256', (select c.digest from (${contents.taxpayer}) c
        where c.tenant_id = e.tenant_id and c.key = (e.payload ->> 'party_id')::uuid)) end as says`,
  },
  {
    what: 'seller',
    types: ['accounting.seller.updated'],
    held: `select tenant_id, 'seller' as key, digest as says from (${contents.seller}) c`,
    told: `select 'seller' as key, e.payload ->> 'content_sha256' as says`,
  },
  contentRows('tax', ['accounting.tax.created']),
  {
    what: 'percentage of tax',
    types: ['accounting.tax.created'],
    held: `select tenant_id, tax_id::text as key, trim_scale(percentage)::text as says from accounting.tax`,
    told: `select (e.payload ->> 'tax_id')::uuid::text as key, trim_scale((e.payload ->> 'percentage')::numeric)::text as says`,
  },
  {
    what: 'standing of tax',
    types: ['accounting.tax.created', 'accounting.tax.archived'],
    held: `select tenant_id, tax_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from accounting.tax`,
    told: `select ${taxId}::text as key, case e.type when 'accounting.tax.created' then 'in use' else 'archived ' || (${instantOf('archived_at')}) end as says
      ${rowOf('accounting.tax', 'tax_id', taxId)}`,
  },
  madeAt('tax', 'accounting.tax.created', { table: 'accounting.tax', id: 'tax_id', column: 'created_at', key: taxId }),
  {
    what: 'exchange rate',
    types: ['accounting.rate.set'],
    held: `select tenant_id, concat_ws(' ', currency, day) as key, trim_scale(rate)::text as says from accounting.rate`,
    told: `select concat_ws(' ', e.payload ->> 'currency', e.payload ->> 'day') as key, trim_scale((e.payload ->> 'rate')::numeric)::text as says`,
  },
];
