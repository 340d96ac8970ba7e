import { type Effect, exponentOf, formatAmount } from '@steward/kernel';
import { formatDecimal, parseDecimal } from '../documents/decimal.ts';
import { buyerSql, type Document, sellerSql, statusOf } from '../documents/document.ts';
import { type DocumentKind, numberOf } from '../documents/kind.ts';
import { linesOfPage } from '../lines.ts';

interface Keyed {
  readonly key: string;
}

/** One kind of record, as it is written out: all of a tenant's, in the order of what their `key` says. */
export interface Table {
  /** That shows the same. */
  readonly tool: Effect;
  /** New ones come last: who reads a file by position still finds the others. */
  readonly columns: readonly string[];
  /** Before every key. */
  readonly first: string;
  /** Selects `key` and the columns; `$1` is the tenant, `$2` the last key, `$3` how many. */
  readonly select: string;
  // A method, so that each names the columns it selects.
  cells(row: Keyed): readonly (string | null)[];
}

type Cell = string | number | bigint | boolean | null;
/** Of columns that are written as they are, and of others by their types. */
type Columns<Plain extends string, Others = unknown> = Keyed & Readonly<Record<Plain, Cell>> & Others;

const firstId = '00000000-0000-0000-0000-000000000000';
const text = <K extends string>(row: Readonly<Record<K, Cell>>, ...names: readonly K[]): (string | null)[] =>
  names.map((name) => (row[name] === null ? null : String(row[name])));
const amount = (minor: bigint | null, { currency }: { readonly currency: string }): string | null =>
  minor === null ? null : formatAmount(minor, currency);
const decimal = (written: string, digits = 0): string => formatDecimal(parseDecimal(written) ?? 0n, digits);
/** As lists show it, such as `INV-00001`. */
const number = (kind: DocumentKind | 'payment', given: bigint | null): string | null =>
  given === null ? null : numberOf(kind, given);
/** Of an item's row by its name. */
const numberOfItem = (item: string): string =>
  `coalesce((select d.number from accounting.document d where d.tenant_id = ${item}.tenant_id and d.document_id = ${item}.item_id),
    (select y.number from accounting.payment y where y.tenant_id = ${item}.tenant_id and y.payment_id = ${item}.item_id))`;

/** Beside the journal (`/api/reports/journal.csv`), whose lines these explain. */
export const tables = {
  accounts: {
    tool: 'service_list_accounts',
    columns: ['code', 'name', 'type', 'currency', 'control', 'activity', 'archived_at', 'account_id'],
    first: '',
    select: `select code as key, code, name, type, currency, control, activity, archived_at::text as archived_at, account_id
      from accounting.account where tenant_id = $1::uuid and code > $2 order by code limit $3::int`,
    cells: (
      row: Columns<'code' | 'name' | 'type' | 'currency' | 'control' | 'activity' | 'archived_at' | 'account_id'>,
    ) => text(row, 'code', 'name', 'type', 'currency', 'control', 'activity', 'archived_at', 'account_id'),
  },
  parties: {
    tool: 'service_list_parties',
    columns: [
      'name',
      'email',
      'customer',
      'supplier',
      'currency',
      'terms_days',
      'archived_at',
      'party_id',
      'tax_id_last4',
      'contact_id',
      'address',
      'vat_number',
    ],
    first: firstId,
    select: `select party_id as key, name, email, customer, supplier, currency, terms_days, archived_at::text as archived_at, party_id, tax_id_last4,
        case when erased_at is null then contact_id end as contact_id, address, vat_number
      from accounting.party where tenant_id = $1::uuid and party_id > $2::uuid order by party_id limit $3::int`,
    cells: (
      row: Columns<
        | 'name'
        | 'email'
        | 'customer'
        | 'supplier'
        | 'currency'
        | 'terms_days'
        | 'archived_at'
        | 'party_id'
        | 'tax_id_last4'
        | 'contact_id'
        | 'address'
        | 'vat_number'
      >,
    ) => [
      ...text(row, 'name', 'email', 'customer', 'supplier', 'currency', 'terms_days', 'archived_at', 'party_id'),
      ...text(row, 'tax_id_last4', 'contact_id', 'address', 'vat_number'),
    ],
  },
  documents: {
    tool: 'service_list_documents',
    columns: [
      'kind',
      'number',
      'status',
      'party',
      'issue_date',
      'due_date',
      'currency',
      'total',
      'open',
      'supplier_number',
      'line',
      'description',
      'quantity',
      'unit_price',
      'account',
      'tax_percentage',
      'line_net',
      'line_tax',
      'document_id',
      'entry_id',
      'reference',
      'notes',
      'pricing',
      'net',
      'tax',
      'rate',
      'base_total',
      'base_currency',
      'credits',
      'party_id',
      'tax_id',
      'created_at',
      'issued_at',
      'seller_name',
      'seller_address',
      'seller_vat_number',
      'seller_registration',
      'seller_payment_details',
      'buyer_name',
      'buyer_address',
      'buyer_vat_number',
    ],
    first: firstId,
    select: `select d.document_id as key, d.kind, d.number, d.status, p.name as party, d.issue_date::text as issue_date,
        d.due_date::text as due_date, d.currency, d.total, i.open_amount, d.supplier_number, l.line, l.description, l.quantity::text as quantity,
        l.unit_price::text as unit_price, a.code as account, trim_scale(l.percentage)::text as percentage, l.net, l.tax, d.document_id, d.entry_id,
        d.reference, d.notes, d.pricing, d.net as whole_net, d.tax as whole_tax, trim_scale(d.rate)::text as rate, d.base_total, b.base_currency, d.credits,
        d.party_id, l.tax_id, d.created_at, d.issued_at, ${sellerSql} as seller, ${buyerSql} as buyer
      from (select f.*, sum(f.size) over (order by f.document_id) - f.size as before from (
          select *, (select coalesce(max(c.line), 0) from accounting.document_line c where c.tenant_id = h.tenant_id and c.document_id = h.document_id) as size
          from accounting.document h where tenant_id = $1::uuid and document_id > $2::uuid order by document_id limit $3::int) f) d
      join accounting.book b on b.tenant_id = d.tenant_id
      join accounting.party p on p.tenant_id = d.tenant_id and p.party_id = d.party_id
      left join accounting.seller s on s.tenant_id = d.tenant_id
      join accounting.document_line l on l.tenant_id = d.tenant_id and l.document_id = d.document_id
      join accounting.account a on a.tenant_id = l.tenant_id and a.account_id = l.account_id
      left join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id
      where d.before < ${linesOfPage} order by d.document_id, l.line`,
    cells: (
      row: Columns<
        | 'party'
        | 'issue_date'
        | 'due_date'
        | 'supplier_number'
        | 'line'
        | 'description'
        | 'account'
        | 'percentage'
        | 'document_id'
        | 'entry_id'
        | 'reference'
        | 'notes'
        | 'pricing'
        | 'rate'
        | 'base_currency'
        | 'credits'
        | 'party_id'
        | 'tax_id',
        {
          readonly kind: DocumentKind;
          readonly number: bigint | null;
          readonly status: string;
          readonly currency: string;
          readonly total: bigint;
          readonly open_amount: bigint | null;
          readonly quantity: string;
          readonly unit_price: string;
          readonly net: bigint;
          readonly tax: bigint;
          readonly whole_net: bigint;
          readonly whole_tax: bigint;
          readonly base_total: bigint | null;
          readonly base_currency: string;
          readonly created_at: Date;
          readonly issued_at: Date | null;
          readonly seller: Document['seller'];
          readonly buyer: Document['buyer'];
        }
      >,
    ) => [
      row.kind,
      number(row.kind, row.number),
      statusOf(row.status, row.open_amount),
      ...text(row, 'party', 'issue_date', 'due_date', 'currency'),
      amount(row.total, row),
      amount(row.open_amount, row),
      ...text(row, 'supplier_number', 'line', 'description'),
      decimal(row.quantity),
      decimal(row.unit_price, exponentOf(row.currency)),
      ...text(row, 'account', 'percentage'),
      amount(row.net, row),
      amount(row.tax, row),
      ...text(row, 'document_id', 'entry_id', 'reference', 'notes', 'pricing'),
      amount(row.whole_net, row),
      amount(row.whole_tax, row),
      ...text(row, 'rate'),
      amount(row.base_total, { currency: row.base_currency }),
      ...text(row, 'base_currency', 'credits', 'party_id', 'tax_id'),
      row.created_at.toISOString(),
      row.issued_at?.toISOString() ?? null,
      row.seller?.name ?? null,
      row.seller?.address ?? null,
      row.seller?.vatNumber ?? null,
      row.seller?.registration ?? null,
      row.seller?.paymentDetails ?? null,
      row.buyer?.name ?? null,
      row.buyer?.address ?? null,
      row.buyer?.vatNumber ?? null,
    ],
  },
  payments: {
    tool: 'service_list_payments',
    columns: [
      'number',
      'direction',
      'party',
      'account',
      'date',
      'currency',
      'amount',
      'method',
      'reference',
      'void_on',
      'payment_id',
      'entry_id',
      'refund',
      'open',
      'rate',
      'base_amount',
      'base_currency',
      'party_id',
    ],
    first: firstId,
    select: `select y.payment_id as key, y.number, y.direction, p.name as party, a.code as account, y.date::text as date, y.currency, y.amount,
        y.method, y.reference, y.void_on::text as void_on, y.payment_id, y.entry_id,
        (i.side = 'receivable') <> (y.direction = 'received') as refund, i.open_amount, trim_scale(y.rate)::text as rate, y.base_amount, b.base_currency, y.party_id
      from (select * from accounting.payment where tenant_id = $1::uuid and payment_id > $2::uuid order by payment_id limit $3::int) y
      join accounting.party p on p.tenant_id = y.tenant_id and p.party_id = y.party_id
      join accounting.account a on a.tenant_id = y.tenant_id and a.account_id = y.account_id
      join accounting.item i on i.tenant_id = y.tenant_id and i.item_id = y.payment_id
      join accounting.book b on b.tenant_id = y.tenant_id order by y.payment_id`,
    cells: (
      row: Columns<
        | 'direction'
        | 'party'
        | 'account'
        | 'date'
        | 'method'
        | 'reference'
        | 'void_on'
        | 'payment_id'
        | 'entry_id'
        | 'refund'
        | 'rate'
        | 'party_id',
        {
          readonly number: bigint;
          readonly currency: string;
          readonly amount: bigint;
          readonly open_amount: bigint;
          readonly base_amount: bigint;
          readonly base_currency: string;
        }
      >,
    ) => [
      number('payment', row.number),
      ...text(row, 'direction', 'party', 'account', 'date', 'currency'),
      amount(row.amount, row),
      ...text(row, 'method', 'reference', 'void_on', 'payment_id', 'entry_id', 'refund'),
      amount(row.open_amount, row),
      ...text(row, 'rate'),
      amount(row.base_amount, { currency: row.base_currency }),
      ...text(row, 'base_currency', 'party_id'),
    ],
  },
  allocations: {
    tool: 'service_list_payments',
    columns: [
      'date',
      'currency',
      'amount',
      'credit',
      'charge',
      'credit_id',
      'charge_id',
      'undone_on',
      'entry_id',
      'allocation_id',
    ],
    first: firstId,
    select: `select x.allocation_id as key, x.date::text as date, i.currency, x.amount, x.credit_id, x.charge_id, x.undone_on::text as undone_on,
        x.entry_id, x.allocation_id, c.kind as credit_kind, ${numberOfItem('c')} as credit_number, i.kind as charge_kind, ${numberOfItem('i')} as charge_number
      from (select * from accounting.allocation where tenant_id = $1::uuid and allocation_id > $2::uuid order by allocation_id limit $3::int) x
      join accounting.item c on c.tenant_id = x.tenant_id and c.item_id = x.credit_id
      join accounting.item i on i.tenant_id = x.tenant_id and i.item_id = x.charge_id order by x.allocation_id`,
    cells: (
      row: Columns<
        'date' | 'credit_id' | 'charge_id' | 'undone_on' | 'entry_id' | 'allocation_id',
        {
          readonly currency: string;
          readonly amount: bigint;
          readonly credit_kind: DocumentKind | 'payment';
          readonly credit_number: bigint | null;
          readonly charge_kind: DocumentKind | 'payment';
          readonly charge_number: bigint | null;
        }
      >,
    ) => [
      ...text(row, 'date', 'currency'),
      amount(row.amount, row),
      number(row.credit_kind, row.credit_number),
      number(row.charge_kind, row.charge_number),
      ...text(row, 'credit_id', 'charge_id', 'undone_on', 'entry_id', 'allocation_id'),
    ],
  },
  'bank-lines': {
    tool: 'service_list_bank_lines',
    columns: [
      'account',
      'day',
      'currency',
      'amount',
      'description',
      'counterparty',
      'reference',
      'matched_entries',
      'line_id',
      'unmatched',
    ],
    first: `0001-01-01 ${firstId}`,
    // As many of each account as there may be of all: by an index that begins with the account.
    select: `select l.day || ' ' || l.line_id as key, l.code as account, l.day::text as day, l.account_currency as currency, l.amount, l.description, l.counterparty, l.reference, l.line_id,
        (select string_agg(e.number::text, ' ' order by m.matched_at) from accounting.bank_match m
          join accounting.entry e on e.tenant_id = m.tenant_id and e.entry_id = m.entry_id
          where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null) as entries,
        l.amount - coalesce((select sum(m.amount) from accounting.bank_match m
          where m.tenant_id = l.tenant_id and m.line_id = l.line_id and m.undone_at is null), 0)::bigint as unmatched
      from (select a.code, a.currency as account_currency, n.* from accounting.account a cross join lateral (
          select * from accounting.bank_line where tenant_id = a.tenant_id and account_id = a.account_id and withdrawn_at is null
            and (day, line_id) > (split_part($2, ' ', 1)::date, split_part($2, ' ', 2)::uuid) order by day, line_id limit $3::int) n
        where a.tenant_id = $1::uuid order by n.day, n.line_id limit $3::int) l
      order by l.day, l.line_id`,
    cells: (
      row: Columns<
        'account' | 'day' | 'description' | 'counterparty' | 'reference' | 'entries' | 'line_id',
        { readonly currency: string; readonly amount: bigint; readonly unmatched: bigint }
      >,
    ) => [
      ...text(row, 'account', 'day', 'currency'),
      amount(row.amount, row),
      ...text(row, 'description', 'counterparty', 'reference', 'entries', 'line_id'),
      amount(row.unmatched, row),
    ],
  },
} as const satisfies Record<string, Table>;
