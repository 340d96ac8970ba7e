import { instantOf, rowOf, type RecordedRows } from '@steward/verification';
import { contentRows } from '../subledger/recorded.ts';

const id = (name: string): string => `(e.payload ->> '${name}')::uuid`;

/** What banks said, how it was explained, and up to when it was agreed. */
export const bankRows: readonly RecordedRows[] = [
  {
    what: 'bank statement',
    types: ['accounting.statement.imported'],
    held: `select tenant_id, statement_id::text as key, concat_ws(' ', account_id, format, content_sha256, imported_at) as says from accounting.bank_statement`,
    told: `select e.payload ->> 'statement_id' as key, concat_ws(' ', e.payload ->> 'account_id', e.payload ->> 'format',
      e.payload ->> 'content_sha256', ${instantOf('imported_at')}) as says
      ${rowOf('accounting.bank_statement', 'statement_id', id('statement_id'))}`,
  },
  contentRows('statement', ['accounting.statement.imported'], 'lines_sha256'),
  {
    what: 'match of bank line',
    types: ['accounting.line.matched', 'accounting.line.unmatched'],
    held: `select tenant_id, match_id::text as key, concat_ws(' ', line_id, entry_id, amount, matched_at) as says from accounting.bank_match
      where undone_at is null`,
    told: `select e.payload ->> 'match_id' as key, case e.type when 'accounting.line.matched' then concat_ws(' ', (e.payload ->> 'line_id')::uuid,
      (e.payload ->> 'entry_id')::uuid, replace(e.payload ->> 'amount', '.', '')::numeric, ${instantOf('matched_at')}) end as says
      ${rowOf('accounting.bank_match', 'match_id', id('match_id'))}`,
  },
  {
    what: 'withdrawn bank line',
    types: ['accounting.line.withdrawn'],
    held: `select tenant_id, line_id::text as key, 'withdrawn ' || withdrawn_at as says from accounting.bank_line where withdrawn_at is not null`,
    told: `select e.payload ->> 'line_id' as key, 'withdrawn ' || (${instantOf('withdrawn_at')}) as says ${rowOf('accounting.bank_line', 'line_id', id('line_id'))}`,
  },
  {
    what: 'feed',
    types: ['accounting.feed.opened'],
    held: `select tenant_id, feed_id::text as key, concat_ws(' ', connection_id, provider, kind, currency, opened_at) as says from accounting.feed`,
    told: `select e.payload ->> 'feed_id' as key, concat_ws(' ', ${id('connection_id')}, e.payload ->> 'provider', e.payload ->> 'kind',
      e.payload ->> 'currency', ${instantOf('opened_at')}) as says ${rowOf('accounting.feed', 'feed_id', id('feed_id'))}`,
  },
  {
    what: 'account of feed',
    types: ['accounting.feed.opened', 'accounting.feed.assigned'],
    held: `select tenant_id, feed_id::text as key, account_id::text as says from accounting.feed where account_id is not null`,
    told: `select e.payload ->> 'feed_id' as key, ${id('account_id')}::text as says`,
  },
  {
    what: 'reconciliation',
    types: ['accounting.account.reconciled', 'accounting.reconciliation.undone'],
    held: `select tenant_id, reconciliation_id::text as key, concat_ws(' ', account_id, to_day, closing, completed_at) as says from accounting.reconciliation
      where undone_at is null`,
    told: `select e.payload ->> 'reconciliation_id' as key, case e.type when 'accounting.account.reconciled' then concat_ws(' ',
      e.payload ->> 'account_id', e.payload ->> 'to', replace(e.payload ->> 'closing', '.', '')::numeric, ${instantOf('completed_at')}) end as says
      ${rowOf('accounting.reconciliation', 'reconciliation_id', id('reconciliation_id'))}`,
  },
  {
    what: 'bank rule',
    types: ['accounting.rule.added'],
    held: `select tenant_id, rule_id::text as key, concat_ws(' ', target_account_id, direction, created_at) as says from accounting.bank_rule`,
    told: `select e.payload ->> 'rule_id' as key, concat_ws(' ', e.payload ->> 'account_id', e.payload ->> 'direction', ${instantOf('created_at')}) as says
      ${rowOf('accounting.bank_rule', 'rule_id', id('rule_id'))}`,
  },
  {
    what: 'standing of bank rule',
    types: ['accounting.rule.added', 'accounting.rule.archived'],
    held: `select tenant_id, rule_id::text as key, coalesce('archived ' || archived_at, 'in use') as says from accounting.bank_rule`,
    told: `select e.payload ->> 'rule_id' as key, case e.type when 'accounting.rule.archived' then 'archived ' || (${instantOf('archived_at')})
        else 'in use' end as says
      ${rowOf('accounting.bank_rule', 'rule_id', id('rule_id'))}`,
  },
  contentRows('reconciliation', ['accounting.account.reconciled']),
];
