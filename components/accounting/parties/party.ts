import { fail, isCurrency } from '@steward/kernel';
import { sql, statement, type Row, type Statement, type TenantTransaction } from '@steward/sql';
import { booksFail } from '../errors.ts';
import { isStorable } from '../text.ts';

/** A customer, a supplier, or both. */
export interface Party {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly customer: boolean;
  readonly supplier: boolean;
  /** What its documents are in where nothing else is said. */
  readonly currency: string;
  /** Days from a document's date to its due date. */
  readonly termsDays: number;
  readonly taxIdLast4: string | null;
  readonly archived: boolean;
  /** The CRM's contact of the same person. */
  readonly contactId: string | null;
}

export interface PartyInput {
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly customer?: boolean | undefined;
  readonly supplier?: boolean | undefined;
  /** The base currency where none is given. */
  readonly currency?: string | undefined;
  /** 0–366; 30 where none is given. */
  readonly termsDays?: number | undefined;
  readonly taxIdLast4?: string | null | undefined;
  /** The CRM's contact of the same person. */
  readonly contactId?: string | null | undefined;
}

export const presentParty = (row: Row): Party => ({
  id: String(row['party_id']),
  name: String(row['name']),
  email: row['email'] as string | null,
  customer: row['customer'] === true,
  supplier: row['supplier'] === true,
  currency: String(row['currency']),
  termsDays: Number(row['terms_days']),
  taxIdLast4: row['tax_id_last4'] as string | null,
  archived: row['archived_at'] !== null,
  contactId: row['contact_id'] as string | null,
});

export const partyById = (tenant: string, id: string): Statement => sql`
  select party_id, name, email, customer, supplier, currency, terms_days, tax_id_last4, archived_at,
    case when erased_at is null then contact_id end as contact_id
  from accounting.party where tenant_id = ${tenant}::uuid and party_id = ${id}::uuid`;

export const unknownParty = (): Error => fail('not_found', 'There is no such customer or supplier in this tenant.');

/** @throws Problem `not_found` (404) */
export async function partyIn(tx: TenantTransaction, id: string): Promise<Party> {
  const [row] = await tx.query(partyById(tx.context.tenant, id));
  if (row === undefined) throw unknownParty();
  return presentParty(row);
}

/**
 * For something new: a party that is archived gets nothing new. Held, so that whoever is erased meanwhile keeps the name that is booked.
 * @throws Problem `not_found` (404), `party_archived` (409)
 */
export async function activeParty(tx: TenantTransaction, id: string): Promise<Party> {
  const { text, values } = partyById(tx.context.tenant, id);
  const [row] = await tx.query(statement(`${text} for key share`, values));
  if (row === undefined) throw unknownParty();
  const party = presentParty(row);
  if (party.archived) throw booksFail('party_archived', 'This customer or supplier is archived: restore it first.');
  return party;
}

/** @throws Problem `invalid_request` (400) with what is wrong */
export function checkParty(input: Omit<Party, 'id' | 'archived' | 'contactId'>): void {
  const wrong = (pointer: string, detail: string): Error =>
    fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'invalid_value', detail }] });
  if (input.name.trim() === '' || !isStorable(input.name, 200)) throw wrong('/name', 'From 1 to 200 characters.');
  if (input.email !== null && (!isStorable(input.email, 254) || !/^[^\s@]+@[^\s@]+$/.test(input.email)))
    throw wrong('/email', 'An e-mail address of up to 254 characters.');
  if (!input.customer && !input.supplier) throw wrong('/customer', 'A party is a customer, a supplier, or both.');
  if (!isCurrency(input.currency)) throw wrong('/currency', 'A currency of ISO 4217.');
  if (!Number.isInteger(input.termsDays) || input.termsDays < 0 || input.termsDays > 366)
    throw wrong('/termsDays', 'From 0 to 366 days.');
  if (input.taxIdLast4 !== null && !/^[0-9A-Za-z]{4}$/.test(input.taxIdLast4))
    throw wrong('/taxIdLast4', 'The last four characters only.');
}
