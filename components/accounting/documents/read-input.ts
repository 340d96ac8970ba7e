import { type FieldError, isCurrency } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { activeParty, type Party } from '../parties/party.ts';
import { booksFail, missingAt, refuseAt } from '../errors.ts';
import { mostFaults, mostLines } from '../lines.ts';
import { accountIds } from '../journal/read-lines.ts';
import { mostAmount } from '../journal/post.ts';
import { controlAccounts } from '../subledger/control.ts';
import { parsePercentage } from '../taxes/percentage.ts';
import { isStorable } from '../text.ts';
import { parseDecimal, quantityLimit } from './decimal.ts';
import type { DocumentInput, DocumentLineInput } from './input.ts';
import { type DocumentKind, natures } from './kind.ts';
import { amountsOf, type Amounts, type Pricing } from './totals.ts';

export interface ReadLine extends Amounts {
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly accountId: string;
  readonly taxId: string | null;
  readonly percentage: string | null;
}

export interface ReadDocument {
  readonly partyId: string;
  readonly currency: string;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly pricing: Pricing;
  readonly supplierNumber: string | null;
  readonly reference: string | null;
  readonly notes: string | null;
  readonly credits: string | null;
  /** Whom it is made out to, where that is not what the party says: as the order says, or the invoice that it credits. */
  readonly buyer: Buyer | undefined;
  readonly lines: readonly ReadLine[];
  readonly net: bigint;
  readonly tax: bigint;
}

export interface SaleTerms {
  /** What was sold already keeps the tax that it was sold with, also one that is out of use since. */
  readonly archivedTaxes?: boolean;
  /** Whom an order was billed to, where that is not what the party says. */
  readonly buyer?: Buyer;
}

export interface Buyer {
  readonly name: string | null;
  readonly address: string | null;
  readonly vatNumber: string | null;
}

/**
 * What a draft says, checked and priced.
 * @throws Problem `document_invalid`, `account_unusable`, `control_account`, `amount_too_large` (422), `not_found` (404),
 *   `party_archived` (409)
 */
export async function readInput(
  tx: TenantTransaction,
  kind: DocumentKind,
  input: DocumentInput,
  terms: SaleTerms = {},
): Promise<ReadDocument> {
  const party = await activeParty(tx, input.partyId);
  const currency = input.currency ?? party.currency;
  const dueDate = input.dueDate ?? daysAfter(input.issueDate, party.termsDays);
  refuseFaults(faultsOf(kind, input, { party, currency, dueDate }));
  const credited = input.credits === undefined ? undefined : await creditedBuyer(tx, kind, input.credits, party.id);
  const pricing = input.pricing ?? 'exclusive';
  const lines = await readLines(tx, input.lines, { currency, pricing, ...terms });
  const sum = (of: (line: ReadLine) => bigint): bigint => lines.reduce((total, line) => total + of(line), 0n);
  const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
  if (sum(({ net, tax }) => size(net) + size(tax)) > mostAmount)
    throw booksFail('amount_too_large', 'The sum of the lines is larger than an entry can hold: split the document.');
  if (sum(({ net, tax }) => net + tax) < 0n)
    refuseFaults([{ pointer: '/lines', code: 'invalid_value', detail: belowZero[kind] }]);
  return {
    partyId: party.id,
    currency,
    issueDate: input.issueDate,
    dueDate,
    pricing,
    supplierNumber: said(input.supplierNumber),
    reference: said(input.reference),
    notes: said(input.notes),
    credits: input.credits ?? null,
    buyer: terms.buyer ?? credited,
    lines,
    net: sum(({ net }) => net),
    tax: sum(({ tax }) => tax),
  };
}

const belowZero: Readonly<Record<DocumentKind, string>> = {
  invoice: 'The total is below zero: draft a credit note over the positive amount (kind credit_note).',
  credit_note: 'The total is below zero: draft an invoice over the positive amount (kind invoice).',
  bill: 'The total is below zero: draft a supplier credit over the positive amount (kind supplier_credit).',
  supplier_credit: 'The total is below zero: draft a bill over the positive amount (kind bill).',
};

const said = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

function faultsOf(
  kind: DocumentKind,
  input: DocumentInput,
  { party, currency, dueDate }: { party: Party; currency: string; dueDate: string },
): FieldError[] {
  const faults: FieldError[] = [];
  const expect = (holds: boolean, pointer: string, detail: string): void => {
    if (!holds) faults.push({ pointer, code: 'invalid_value', detail });
  };
  const { side, nature } = natures[kind];
  expect(
    side === 'receivable' ? party.customer : party.supplier,
    '/partyId',
    `The party is no ${side === 'receivable' ? 'customer' : 'supplier'}: mark it as a ` +
      `${side === 'receivable' ? 'customer' : 'supplier'} first.`,
  );
  expect(
    isCurrency(currency),
    '/currency',
    `${currency} is no currency of ISO 4217 with a minor unit: give a code such as EUR.`,
  );
  expect(dueDate >= input.issueDate, '/dueDate', 'Give the issue date or a later day.');
  expect(
    side === 'payable' || input.supplierNumber === undefined,
    '/supplierNumber',
    "Only bills and supplier credits have a supplier's number: leave it out.",
  );
  expect(
    nature === 'credit' || input.credits === undefined,
    '/credits',
    'Only a credit can credit a document: leave it out.',
  );
  expect(isStorable(input.supplierNumber ?? '', 100), '/supplierNumber', 'Give up to 100 characters.');
  expect(isStorable(input.reference ?? '', 100), '/reference', 'Give up to 100 characters.');
  expect(isStorable(input.notes ?? '', 2000), '/notes', 'Give up to 2000 characters.');
  expect(input.lines.length >= 1 && input.lines.length <= mostLines, '/lines', `Give 1 to ${mostLines} lines.`);
  for (const [index, { description, quantity, unitPrice }] of input.lines.slice(0, mostLines).entries()) {
    const size = description.trim().length;
    expect(size >= 1 && isStorable(description, 1000), `/lines/${index}/description`, 'Give 1 to 1000 characters.');
    const counted = parseDecimal(quantity) ?? 0n;
    expect(
      counted > 0n && counted < quantityLimit,
      `/lines/${index}/quantity`,
      'Give a decimal above zero, with up to twelve digits before the point and six after it.',
    );
    expect(
      parseDecimal(unitPrice) !== undefined,
      `/lines/${index}/unitPrice`,
      'Give a decimal with up to eighteen digits before the point and six after it.',
    );
  }
  return faults;
}

function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length > 0)
    throw booksFail('document_invalid', `${faults[0]?.pointer}: ${faults[0]?.detail}`, {
      errors: faults.slice(0, mostFaults),
    });
}

/** Whom a document that may be credited was made out to; undefined of what a supplier sent. */
async function creditedBuyer(
  tx: TenantTransaction,
  kind: DocumentKind,
  id: string,
  partyId: string,
): Promise<Buyer | undefined> {
  const [row] = await tx.query<{
    kind: DocumentKind;
    status: string;
    party_id: string;
    name: string | null;
    address: string | null;
    vatNumber: string | null;
  }>(sql`
    select kind, status, party_id, buyer_name as name, buyer_address as address, buyer_vat_number as "vatNumber" from accounting.document
    where tenant_id = ${tx.context.tenant}::uuid and document_id = ${id}::uuid`);
  if (row === undefined)
    throw missingAt(
      '/credits',
      'There is no such document to credit in this tenant: give the id of an issued invoice or bill.',
    );
  const { side, nature } = natures[row.kind];
  if (side !== natures[kind].side || nature !== 'charge' || row.status !== 'issued' || row.party_id !== partyId)
    refuseFaults([
      {
        pointer: '/credits',
        code: 'invalid_value',
        detail: 'Give an issued invoice or bill of the same party.',
      },
    ]);
  const { name, address, vatNumber } = row;
  return side === 'receivable' ? { name, address, vatNumber } : undefined;
}

async function readLines(
  tx: TenantTransaction,
  inputs: readonly DocumentLineInput[],
  terms: SaleTerms & { readonly currency: string; readonly pricing: Pricing },
): Promise<ReadLine[]> {
  const accounts = await accountIds(
    tx,
    inputs.map(({ account }) => account),
  );
  const { receivable, payable } = await controlAccounts(tx);
  const controlled = inputs.findIndex(({ account }) => [receivable, payable].includes(accounts.get(account) ?? ''));
  if (controlled !== -1) {
    const detail =
      'Issuing posts the total to accounts receivable or payable by itself: choose the account of what is sold or bought.';
    throw refuseAt(`/lines/${controlled}/account`, 'control_account', detail);
  }
  const taxes = await tx.query<{ tax_id: string; percentage: string }>(sql`
    select tax_id, percentage::text as percentage from accounting.tax
    where tenant_id = ${tx.context.tenant}::uuid and tax_id = any (${inputs.flatMap(({ taxId }) => taxId ?? [])}::uuid[])
      and (${terms.archivedTaxes === true}::boolean or archived_at is null)`);
  const percentages = new Map(taxes.map(({ tax_id, percentage }) => [tax_id, percentage]));
  const faults: FieldError[] = [];
  const lines = inputs.map((line, index) => {
    const accountId = accounts.get(line.account);
    const percentage = line.taxId === undefined ? null : percentages.get(line.taxId.toLowerCase());
    if (accountId === undefined)
      faults.push({
        pointer: `/lines/${index}/account`,
        code: 'unknown_account',
        detail: 'No account in use has this code or id: list the accounts.',
      });
    if (percentage === undefined)
      faults.push({
        pointer: `/lines/${index}/taxId`,
        code: 'unknown_tax',
        detail: 'No tax rate in use has this id: list the tax rates.',
      });
    const priced = {
      quantity: parseDecimal(line.quantity) ?? 0n,
      unitPrice: parseDecimal(line.unitPrice) ?? 0n,
      percentage: parsePercentage(percentage ?? '0'),
    };
    return {
      description: line.description.trim(),
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      accountId: accountId ?? '',
      taxId: line.taxId ?? null,
      percentage: percentage ?? null,
      ...amountsOf(priced, terms.currency, terms.pricing),
    };
  });
  if (faults.length > 0)
    throw booksFail(
      faults.some(({ code }) => code === 'unknown_account') ? 'account_unusable' : 'document_invalid',
      `${faults[0]?.pointer}: ${faults[0]?.detail}`,
      { errors: faults.slice(0, mostFaults) },
    );
  return lines;
}
