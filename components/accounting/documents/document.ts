import {
  amount,
  count,
  day,
  field,
  id,
  moment,
  moneyShape,
  nullable,
  type Of,
  shape,
  text,
  type Fixed,
} from '@steward/contract';
import { exponentOf, money } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { credited, creditedSql, creditsOf, creditsOfSql, presentCredited, presentCredits } from './credited.ts';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { documentKind, type DocumentKind, documentStatus, numberOf, unknownDocument } from './kind.ts';
import { pricing } from './totals.ts';
import { documentLanguage } from './words.ts';

type DocumentStatus = z.output<typeof documentStatus>;

/** Who sells, as an invoice says it. */
export const documentSeller = z.object({
  /** Null where it is the organization's and the document is a draft. */
  name: z.string().nullable(),
  address: z.string().nullable(),
  vatNumber: z.string().nullable(),
  registration: z.string().nullable(),
  /** Where to pay to; of invoices alone. */
  paymentDetails: z.string().nullable(),
  /** In which it is written. */
  language: documentLanguage,
});

/** Who buys, as an invoice says it. */
export const documentBuyer = z.object({
  name: z.string(),
  address: z.string().nullable(),
  vatNumber: z.string().nullable(),
});

/** What an issued document holds, and of a draft what it would hold now. Of what suppliers wrote nothing is. */
const ofSale = (members: string): string =>
  `case when d.kind in ('invoice', 'credit_note') then json_build_object(${members}) end`;
const now = (held: string, present: string): string => `case when d.entry_id is null then ${present} else ${held} end`;
export const sellerSql =
  ofSale(`'name', ${now('d.seller_name', 's.name')}, 'address', ${now('d.seller_address', 's.address')},
    'vatNumber', ${now('d.seller_vat_number', 's.vat_number')}, 'registration', ${now('d.seller_registration', 's.registration')},
    'paymentDetails', case d.kind when 'invoice' then ${now('d.seller_payment_details', 's.payment_details')} end,
    'language', coalesce(${now('d.seller_language', 's.language')}, 'en')`);
/** Whom an order was billed to is nobody else in part: its e-mail, which leads to the party, is proved by nobody. */
const buyers = (own: string, present: string): string =>
  now(
    own,
    `case when num_nonnulls(d.buyer_name, d.buyer_address, d.buyer_vat_number) > 0 then ${own} else ${present} end`,
  );
export const buyerSql =
  ofSale(`'name', coalesce(d.buyer_name, p.name), 'address', ${buyers('d.buyer_address', 'p.address')},
    'vatNumber', ${buyers('d.buyer_vat_number', 'p.vat_number')}`);

export const documentLine = z.object({
  description: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  accountId: z.uuid(),
  taxId: z.uuid().nullable(),
  percentage: z.string().nullable(),
  net: moneyShape,
  tax: moneyShape,
});
type DocumentLine = Fixed<z.output<typeof documentLine>>;

export const taxTotal = z.object({
  taxId: z.uuid(),
  name: z.string(),
  percentage: z.string(),
  net: moneyShape,
  tax: moneyShape,
});
type TaxTotal = Fixed<z.output<typeof taxTotal>>;

/** An invoice, a bill, or a credit of one: of `accounting.document` named `d`, its party `p`, the seller `s` of the books, its open item `i` and its lines `l`. */
export const document = shape('d', {
  id: id('d.document_id'),
  kind: field(documentKind),
  status: field(documentStatus, undefined, (status, { open }) => statusOf(status, open)),
  version: count(),
  /** Null until it is issued. */
  number: nullable(
    field(z.string(), undefined, (number, { kind }) => numberOf(kind as DocumentKind, number as bigint)),
  ),
  partyId: id(),
  partyName: text('p.name'),
  currency: text(),
  issueDate: day('d.issue_date'),
  dueDate: day('d.due_date'),
  pricing: field(pricing),
  supplierNumber: nullable(text()),
  reference: nullable(text()),
  notes: nullable(text()),
  /** The document that a credit takes back. */
  credits: nullable(id()),
  credited: nullable(field(credited, creditedSql, presentCredited)),
  creditedBy: field(creditsOf, creditsOfSql, presentCredits),
  lines: field(z.array(documentLine), 'l.lines', (lines, { currency }) =>
    (lines as readonly StoredLine[]).map((line) => presentLine(line, String(currency))),
  ),
  taxes: field(z.array(taxTotal), 'null', (_none, { lines, currency }) =>
    taxTotals(lines as readonly StoredLine[], String(currency)),
  ),
  net: amount(),
  tax: amount(),
  total: amount(),
  /** What is left to pay, or to be used of a credit; null until it is issued. */
  open: nullable(amount('i.open_amount')),
  rate: nullable(text('trim_scale(d.rate)::text')),
  baseTotal: nullable(amount(undefined, 'base_currency')),
  entryId: nullable(id()),
  createdAt: moment(),
  issuedAt: nullable(moment()),
  seller: nullable(field(documentSeller, sellerSql)),
  buyer: nullable(field(documentBuyer, buyerSql)),
});
export type Document = Of<typeof document>;

/** @param open of its item, in minor units; null where it has none */
export const statusOf = (status: unknown, open: unknown): DocumentStatus =>
  status === 'issued' && open === 0n ? 'paid' : (status as DocumentStatus);

const withLines = `(select coalesce(json_agg(json_build_object('description', l.description, 'quantity', l.quantity::text,
      'unitPrice', l.unit_price::text, 'accountId', l.account_id, 'taxId', l.tax_id, 'name', t.name,
      'percentage', trim_scale(l.percentage)::text, 'net', l.net::text, 'tax', l.tax::text) order by l.line), '[]'::json) as lines
    from accounting.document_line l left join accounting.tax t on t.tenant_id = l.tenant_id and t.tax_id = l.tax_id
    where l.tenant_id = d.tenant_id and l.document_id = d.document_id)`;

/** Documents with all that is presented of them; `where` and what follows it speaks of `d` and of `i`, its open item. `lines`: read them. */
export const selectDocuments = (where: string, values: readonly unknown[], lines = true): Statement =>
  statement(
    `select ${document.columns}, b.base_currency from accounting.document d
     join accounting.book b on b.tenant_id = d.tenant_id
     join accounting.party p on p.tenant_id = d.tenant_id and p.party_id = d.party_id
     left join accounting.seller s on s.tenant_id = d.tenant_id
     left join accounting.item i on i.tenant_id = d.tenant_id and i.item_id = d.document_id
     cross join lateral ${lines ? withLines : `(select '[]'::json as lines)`} l
     where ${where}`,
    values,
  );

export const documentById = (tenant: string, documentId: string): Statement =>
  selectDocuments('d.tenant_id = $1::uuid and d.document_id = $2::uuid', [tenant, documentId]);

/** @throws Problem `not_found` (404) */
export async function documentIn(tx: TenantTransaction, documentId: string): Promise<Document> {
  const [row] = await tx.query(documentById(tx.context.tenant, documentId));
  if (row === undefined) throw unknownDocument();
  return document.read(row);
}

/** Amounts in minor units. */
interface StoredLine extends Omit<DocumentLine, 'net' | 'tax'> {
  /** Of its tax. */
  readonly name: string | null;
  readonly net: string;
  readonly tax: string;
}

const presentLine = (line: StoredLine, currency: string): DocumentLine => ({
  description: line.description,
  quantity: formatDecimal(parseDecimal(line.quantity) ?? 0n),
  unitPrice: formatDecimal(parseDecimal(line.unitPrice) ?? 0n, exponentOf(currency)),
  accountId: line.accountId,
  taxId: line.taxId,
  percentage: line.percentage,
  net: money(BigInt(line.net), currency),
  tax: money(BigInt(line.tax), currency),
});

/** Sums of lines by tax, in the order they first appear. */
function taxTotals(lines: readonly StoredLine[], currency: string): TaxTotal[] {
  const sum = (of: readonly StoredLine[], pick: (line: StoredLine) => string) =>
    money(
      of.reduce((total, line) => total + BigInt(pick(line)), 0n),
      currency,
    );
  return [...Map.groupBy(lines, ({ taxId }) => taxId)].flatMap(([taxId, own]) =>
    taxId === null
      ? []
      : [
          {
            taxId,
            name: own[0]?.name ?? '',
            percentage: own[0]?.percentage ?? '',
            net: sum(own, ({ net }) => net),
            tax: sum(own, ({ tax }) => tax),
          },
        ],
  );
}
