import type { RecordedRows } from '@steward/verification';
import { contentRows } from '../subledger/recorded.ts';

/** What banks said, how it was explained, and up to when it was agreed. */
export const bankRows: readonly RecordedRows[] = [
  {
    what: 'bank statement',
    types: ['accounting.statement.imported'],
    held: `select tenant_id, statement_id::text as key, concat_ws(' ', account_id, format, content_sha256) as says from accounting.bank_statement`,
    told: `select e.payload ->> 'statement_id' as key, concat_ws(' ', e.payload ->> 'account_id', e.payload ->> 'format',
      e.payload ->> 'content_sha256') as says`,
  },
  contentRows('statement', ['accounting.statement.imported'], 'lines_sha256'),
  {
    what: 'match of bank line',
    types: ['accounting.line.matched', 'accounting.line.unmatched'],
    held: `select tenant_id, match_id::text as key, concat_ws(' ', line_id, entry_id, amount) as says from accounting.bank_match
      where undone_at is null`,
    told: `select e.payload ->> 'match_id' as key, case e.type when 'accounting.line.matched' then concat_ws(' ', (e.payload ->> 'line_id')::uuid,
      (e.payload ->> 'entry_id')::uuid, replace(e.payload ->> 'amount', '.', '')::numeric) end as says`,
  },
  {
    what: 'reconciliation',
    types: ['accounting.account.reconciled', 'accounting.reconciliation.undone'],
    held: `select tenant_id, reconciliation_id::text as key, concat_ws(' ', account_id, to_day, closing) as says from accounting.reconciliation
      where undone_at is null`,
    told: `select e.payload ->> 'reconciliation_id' as key, case e.type when 'accounting.account.reconciled' then concat_ws(' ',
      e.payload ->> 'account_id', e.payload ->> 'to', replace(e.payload ->> 'closing', '.', '')::numeric) end as says`,
  },
  contentRows('reconciliation', ['accounting.account.reconciled']),
];
