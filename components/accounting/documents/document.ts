import { exponentOf, money, type Money } from '@steward/kernel';
import { statement, type Row, type Statement, type TenantTransaction } from '@steward/sql';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { type DocumentKind, numberOf, unknownDocument } from './kind.ts';
import type { Pricing } from './totals.ts';

/** `paid` is issued with nothing left open. */
export const documentStatuses = ['draft', 'issued', 'paid', 'void'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export interface DocumentLine {
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly accountId: string;
  readonly taxId: string | null;
  readonly percentage: string | null;
  readonly net: Money;
  readonly tax: Money;
}

export interface TaxTotal {
  readonly taxId: string;
  readonly name: string;
  readonly percentage: string;
  readonly net: Money;
  readonly tax: Money;
}

/** An invoice, a bill, or a credit of one, as every surface presents it. */
export interface Document {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly status: DocumentStatus;
  readonly version: number;
  /** Null until it is issued. */
  readonly number: string | null;
  readonly partyId: string;
  readonly partyName: string;
  readonly currency: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly pricing: Pricing;
  readonly supplierNumber: string | null;
  readonly reference: string | null;
  readonly notes: string | null;
  readonly credits: string | null;
  readonly lines: readonly DocumentLine[];
  readonly taxes: readonly TaxTotal[];
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** What is left to pay, or to be used of a credit; null until it is issued. */
  readonly open: Money | null;
  readonly rate: string | null;
  readonly baseTotal: Money | null;
  readonly entryId: string | null;
  readonly createdAt: string;
  readonly issuedAt: string | null;
}

const columns = `
  d.document_id, d.kind, d.status, d.version, d.number, d.party_id, p.name as party_name, d.currency,
  d.issue_date::text as issue_date, d.due_date::text as due_date, d.pricing, d.supplier_number, d.reference, d.notes, d.credits,
  d.net, d.tax, d.total, trim_scale(d.rate)::text as rate, d.base_total, b.base_currency, d.entry_id, d.created_at, d.issued_at,
  i.open_amount`;

const withLines = `coalesce((select json_agg(json_build_object('description', l.description, 'quantity', l.quantity::text,
      'price', l.unit_price::text, 'account', l.account_id, 'tax_id', l.tax_id, 'name', t.name,
      'percentage', l.percentage::text, 'net', l.net::text, 'tax', l.tax::text) order by l.line)
    from accounting.document_line l left join accounting.tax t on t.tenant_id = l.tenant_id and t.tax_id = l.tax_id
    where l.tenant_id = d.tenant_id and l.document_id = d.document_id), '[]'::json) as lines`;

/** Documents with all that is presented of them; `where` and what follows it speaks of `d` and of `i`, its open item. `lines`: read them. */
export const selectDocuments = (where: string, values: readonly unknown[], lines = true): Statement =>
  statement(
    `select ${columns}, ${lines ? withLines : `'[]'::json as lines`} from accounting.document d
     join accounting.book b on b.tenant_id = d.tenant_id
     join accounting.party p on p.tenant_id = d.tenant_id and p.party_id = d.party_id
     left join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id
     where ${where}`,
    values,
  );

export const documentById = (tenant: string, id: string): Statement =>
  selectDocuments('d.tenant_id = $1::uuid and d.document_id = $2::uuid', [tenant, id]);

/** @throws Problem `not_found` (404) */
export async function documentIn(tx: TenantTransaction, id: string): Promise<Document> {
  const [row] = await tx.query(documentById(tx.context.tenant, id));
  if (row === undefined) throw unknownDocument();
  return presentDocument(row);
}

interface LineRow {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly account: string;
  readonly tax_id: string | null;
  readonly name: string | null;
  readonly percentage: string | null;
  readonly net: string;
  readonly tax: string;
}

/** Of a row with `status` and `open_amount`. */
export function statusOf(row: Row): DocumentStatus {
  const status = row['status'] as 'draft' | 'issued' | 'void';
  return status === 'issued' && row['open_amount'] === 0n ? 'paid' : status;
}

export function presentDocument(row: Row): Document {
  const kind = row['kind'] as DocumentKind;
  const currency = String(row['currency']);
  const open = row['open_amount'] as bigint | null;
  const number = row['number'] as bigint | null;
  const baseTotal = row['base_total'] as bigint | null;
  const lines = row['lines'] as LineRow[];
  return {
    id: String(row['document_id']),
    kind,
    status: statusOf(row),
    version: Number(row['version']),
    number: number === null ? null : numberOf(kind, number),
    partyId: String(row['party_id']),
    partyName: String(row['party_name']),
    currency,
    issueDate: String(row['issue_date']),
    dueDate: String(row['due_date']),
    pricing: row['pricing'] as Pricing,
    supplierNumber: row['supplier_number'] as string | null,
    reference: row['reference'] as string | null,
    notes: row['notes'] as string | null,
    credits: row['credits'] as string | null,
    lines: lines.map((line) => presentLine(line, currency)),
    taxes: taxTotals(lines, currency),
    net: money(row['net'] as bigint, currency),
    tax: money(row['tax'] as bigint, currency),
    total: money(row['total'] as bigint, currency),
    open: open === null ? null : money(open, currency),
    rate: row['rate'] as string | null,
    baseTotal: baseTotal === null ? null : money(baseTotal, String(row['base_currency'])),
    entryId: row['entry_id'] as string | null,
    createdAt: (row['created_at'] as Date).toISOString(),
    issuedAt: (row['issued_at'] as Date | null)?.toISOString() ?? null,
  };
}

const presentLine = (line: LineRow, currency: string): DocumentLine => ({
  description: line.description,
  quantity: formatDecimal(parseDecimal(line.quantity) ?? 0n),
  unitPrice: formatDecimal(parseDecimal(line.price) ?? 0n, exponentOf(currency)),
  accountId: line.account,
  taxId: line.tax_id,
  percentage: line.percentage,
  net: money(BigInt(line.net), currency),
  tax: money(BigInt(line.tax), currency),
});

/** Sums of lines by tax, in the order they first appear. */
function taxTotals(lines: readonly LineRow[], currency: string): TaxTotal[] {
  const sum = (of: readonly LineRow[], pick: (line: LineRow) => string): bigint =>
    of.reduce((total, line) => total + BigInt(pick(line)), 0n);
  return [...Map.groupBy(lines, ({ tax_id }) => tax_id)].flatMap(([taxId, own]) =>
    taxId === null
      ? []
      : [
          {
            taxId,
            name: own[0]?.name ?? '',
            percentage: own[0]?.percentage ?? '',
            net: money(
              sum(own, ({ net }) => net),
              currency,
            ),
            tax: money(
              sum(own, ({ tax }) => tax),
              currency,
            ),
          },
        ],
  );
}
