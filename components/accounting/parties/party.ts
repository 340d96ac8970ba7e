import { count, type Fixed, flag, id, nullable, type Of, shape, text } from '@steward/contract';
import { fail, isCurrency } from '@steward/kernel';
import { statement, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { booksFail, invalidAt, missingAt } from '../errors.ts';
import { currencyCode } from '../money/schema.ts';
import { addressOf, addressWanted, isStorable, vatNumberPattern } from '../text.ts';

/** A customer, a supplier, or both. Of `accounting.party` named `t`. */
export const party = shape('t', {
  id: id('t.party_id'),
  name: text(),
  email: nullable(text()),
  customer: flag(),
  supplier: flag(),
  /** What its documents are in where nothing else is said. */
  currency: text(),
  /** Days from a document's date to its due date. */
  termsDays: count(),
  taxIdLast4: nullable(text()),
  archived: flag('t.archived_at is not null'),
  /** The CRM's contact of the same person. */
  contactId: nullable(id('case when t.erased_at is null then t.contact_id end')),
  /** As it is printed, a line each. */
  address: nullable(text()),
  vatNumber: nullable(text()),
});
export type Party = Of<typeof party>;

export const partyInput = z.strictObject({
  name: z.string().trim().min(1).max(200).meta({ description: 'As documents show it.' }),
  email: z.email().max(254).nullable().optional().meta({ description: 'null removes it.' }),
  customer: z.boolean().optional().meta({ description: 'Whether invoices can be issued to it.' }),
  supplier: z.boolean().optional().meta({ description: 'Whether bills of it can be recorded.' }),
  currency: currencyCode.optional().meta({ description: 'Currency of its documents. Default: the base currency.' }),
  termsDays: z.int().min(0).max(366).optional().meta({ description: 'Days until its documents are due. Default: 30.' }),
  taxIdLast4: z
    .string()
    .regex(/^[0-9A-Za-z]{4}$/, 'Give the last four letters or digits, no others')
    .nullable()
    .optional()
    .meta({ description: 'Only the last four characters of its taxpayer id.' }),
  contactId: z
    .uuid()
    .nullable()
    .optional()
    .meta({ description: 'Contact of the same person. The two are shown and erased together.' }),
  address: z.string().max(500).optional().meta({ description: 'Postal address, up to 10 lines.' }),
  vatNumber: z.string().max(20).optional().meta({ description: 'As printed.' }),
});
export type PartyInput = Fixed<z.output<typeof partyInput>>;

export const partyById = (tenant: string, partyId: string): Statement =>
  statement(`select ${party.columns} from accounting.party t where t.tenant_id = $1::uuid and t.party_id = $2::uuid`, [
    tenant,
    partyId,
  ]);

export const unknownParty = (): Error =>
  fail('not_found', 'There is no such customer or supplier in this tenant: list the parties for their ids.');

/** @throws Problem `not_found` (404) */
export async function partyIn(tx: TenantTransaction, partyId: string): Promise<Party> {
  const [row] = await tx.query(partyById(tx.context.tenant, partyId));
  if (row === undefined) throw unknownParty();
  return party.read(row);
}

/** Whether what an empty list was asked about is there at all. @throws Problem `not_found` (404) */
export async function requireParty(scope: TenantScope, partyId: string): Promise<void> {
  if ((await scope.read(partyById(scope.context.tenant, partyId))).length === 0)
    throw missingAt('/partyId', 'There is no such customer or supplier in this tenant.');
}

/**
 * A party for something new; an archived party gets nothing new. Locked, so that an erasure at this moment waits and keeps the booked name.
 * @throws Problem `not_found` (404), `party_archived` (409)
 */
export async function activeParty(tx: TenantTransaction, partyId: string): Promise<Party> {
  const one = partyById(tx.context.tenant, partyId);
  const [row] = await tx.query(statement(`${one.text} for key share`, one.values));
  if (row === undefined) throw unknownParty();
  const found = party.read(row);
  if (found.archived) throw booksFail('party_archived', 'This customer or supplier is archived: restore it first.');
  return found;
}

/** @throws Problem `invalid_request` (400) with what is wrong */
export function checkParty(input: Omit<Party, 'id' | 'archived' | 'contactId' | 'address' | 'vatNumber'>): void {
  if (input.name.trim() === '' || !isStorable(input.name, 200)) throw invalidAt('/name', 'Give 1 to 200 characters.');
  if (input.email !== null && (!isStorable(input.email, 254) || !/^[^\s@]+@[^\s@]+$/.test(input.email)))
    throw invalidAt('/email', 'Give an e-mail address of up to 254 characters.');
  if (!input.customer && !input.supplier)
    throw invalidAt('/customer', 'Make the party a customer, a supplier, or both.');
  if (!isCurrency(input.currency)) throw invalidAt('/currency', 'Give a currency of ISO 4217, such as EUR.');
  if (!Number.isInteger(input.termsDays) || input.termsDays < 0 || input.termsDays > 366)
    throw invalidAt('/termsDays', 'Give 0 to 366 days.');
  if (input.taxIdLast4 !== null && !/^[0-9A-Za-z]{4}$/.test(input.taxIdLast4))
    throw invalidAt('/taxIdLast4', 'Give only the last four characters.');
}

/**
 * What documents say of whoever sells or buys, beside the name, in one form.
 * @throws Problem `invalid_request` (400) with what is wrong
 */
export function postalOf({
  address,
  vatNumber,
}: Pick<Party, 'address' | 'vatNumber'>): Pick<Party, 'address' | 'vatNumber'> {
  const lines = address === null ? null : addressOf(address);
  if (lines === undefined) throw invalidAt('/address', addressWanted);
  const number = vatNumber?.trim() ?? null;
  if (number !== null && !vatNumberPattern.test(number))
    throw invalidAt('/vatNumber', 'Give 2 to 20 letters, digits, spaces, dots and hyphens.');
  return { address: lines, vatNumber: number };
}
