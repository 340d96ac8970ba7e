import type { Noun } from '@steward/tools';
import { documentKinds, natures } from './documents/kind.ts';

const base = '(select b.base_currency from accounting.book b where b.tenant_id = t.tenant_id)';
/** Of an account: the one it keeps to, else that of the books. */
const accountsCurrency = `coalesce((select a.currency from accounting.account a where a.tenant_id = t.tenant_id and a.account_id = t.account_id), ${base})`;
const open = (key: string): string =>
  `select i.open_amount from accounting.item i where i.tenant_id = t.tenant_id and i.item_id = t.${key}`;

/** Numbers as `numberOf` writes them. */
const prefix = `case t.kind ${documentKinds.map((kind) => `when '${kind}' then '${natures[kind].prefix}-'`).join(' ')} end`;
const padded = `lpad(t.number::text, greatest(5, length(t.number::text)), '0')`;

/** Names of others that a person may take for it, three at most. */
const namedAlike = `select jsonb_agg(o.name order by o.party_id) from (select p.party_id, p.name from accounting.party p
  where p.tenant_id = t.tenant_id and p.read_as = t.read_as and p.party_id <> t.party_id and p.erased_at is null and t.erased_at is null and t.read_as <> ''
  order by p.party_id limit 3) o`;

/** What ids and codes of the books' commands name. */
export const accountingNouns: readonly Noun[] = [
  {
    noun: 'account',
    table: 'accounting.account',
    key: 'account_id',
    code: 'code',
    called: `t.code || ' ' || t.name`,
  },
  {
    noun: 'customer or supplier',
    table: 'accounting.party',
    key: 'party_id',
    called: 't.name',
    parts: { tax_form: { table: 'accounting.taxpayer', key: 'party_id', order: 'p.party_id' } },
    also: { others_named_alike: namedAlike },
    incidental: [
      'customer',
      'supplier',
      'currency',
      'terms_days',
      'archived_at',
      'tax_form',
      'erased_at',
      'others_named_alike',
    ],
  },
  {
    noun: 'seller on invoices',
    table: 'accounting.seller',
    key: 'tenant_id',
    changedBy: 'service_update_seller',
    called: `'what invoices say of the seller'`,
  },
  {
    noun: 'document',
    table: 'accounting.document',
    key: 'document_id',
    called: `replace(t.kind, '_', ' ') || ' ' || coalesce(${prefix} || ${padded}, t.supplier_number, '(draft)')`,
    parts: { lines: { table: 'accounting.document_line', key: 'document_id', order: 'p.line' } },
    also: { open: open('document_id'), base_currency: base },
    money: {
      net: 'currency',
      tax: 'currency',
      total: 'currency',
      open: 'currency',
      base_total: 'base_currency',
      'lines.net': 'currency',
      'lines.tax': 'currency',
    },
  },
  {
    noun: 'payment',
    table: 'accounting.payment',
    key: 'payment_id',
    called: `'payment PAY-' || ${padded}`,
    also: { open: open('payment_id'), base_currency: base },
    money: { amount: 'currency', open: 'currency', base_amount: 'base_currency' },
  },
  {
    noun: 'allocation',
    table: 'accounting.allocation',
    key: 'allocation_id',
    called: `'allocation of ' || t.date`,
    also: {
      currency: 'select i.currency from accounting.item i where i.tenant_id = t.tenant_id and i.item_id = t.credit_id',
      base_currency: base,
    },
    money: { amount: 'currency', credit_base: 'base_currency', charge_base: 'base_currency' },
  },
  {
    noun: 'journal entry',
    table: 'accounting.entry',
    key: 'entry_id',
    called: `t.number || ' of ' || t.posting_date || ': ' || t.narration`,
    parts: { lines: { table: 'accounting.posting', key: 'entry_id', order: 'p.line' } },
    also: { base_currency: base },
    money: { 'lines.amount': 'currency', 'lines.base_amount': 'base_currency' },
  },
  {
    noun: 'tax rate',
    table: 'accounting.tax',
    key: 'tax_id',
    called: `t.name || ', ' || trim_scale(t.percentage) || ' %'`,
  },
  {
    noun: 'bank line',
    table: 'accounting.bank_line',
    key: 'line_id',
    called: `t.day || ' ' || t.description`,
    also: { currency: accountsCurrency },
    money: { amount: 'currency' },
  },
  {
    noun: 'feed',
    table: 'accounting.feed',
    key: 'feed_id',
    called: `t.name || ' ' || t.currency`,
  },
  {
    noun: 'bank statement',
    table: 'accounting.bank_statement',
    key: 'statement_id',
    called: `'statement of ' || t.imported_at::date`,
    money: { opening: 'currency', closing: 'currency' },
  },
  {
    noun: 'bank match',
    table: 'accounting.bank_match',
    key: 'match_id',
    called: `'match of ' || t.matched_at::date`,
    also: {
      currency: `select coalesce(a.currency, ${base}) from accounting.bank_line l
        join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
        where l.tenant_id = t.tenant_id and l.line_id = t.line_id`,
    },
    money: { amount: 'currency' },
  },
  {
    noun: 'bank rule',
    table: 'accounting.bank_rule',
    key: 'rule_id',
    called: 't.contains',
  },
  {
    noun: 'reconciliation',
    table: 'accounting.reconciliation',
    key: 'reconciliation_id',
    called: `'reconciliation to ' || t.to_day`,
    also: { currency: accountsCurrency },
    money: { opening: 'currency', closing: 'currency' },
  },
  {
    noun: 'revaluation',
    table: 'accounting.revaluation',
    key: 'revaluation_id',
    called: `'revaluation of ' || t.day`,
  },
  { noun: 'file', table: 'accounting.attachment', key: 'attachment_id', called: 't.file_name' },
];
