import type { Of } from '@steward/contract';
import { fail } from '@steward/kernel';
import type { TenantContext, TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { Party } from './party.ts';

/** A contact of the CRM, as far as the books show it. */
export const partyContact = z.object({ id: z.uuid(), name: z.string().nullable(), email: z.string().nullable() });
export type PartyContact = Of<{ readonly answer: typeof partyContact }>;

/** The contacts of people, as the contacts component passes them in. */
export interface Contacts {
  /**
   * Holds a contact until the transaction ends, so that it is not erased meanwhile. Answers its id, of one that was merged that of the
   * contact it was merged into.
   * @throws Problem `not_found` (404)
   */
  hold(tx: TenantTransaction, contactId: string): Promise<string>;
  /** By the ids that were asked for; one that was merged is the contact it was merged into, one that is not there is left out. */
  byId(context: TenantContext, contactIds: readonly string[]): Promise<ReadonlyMap<string, PartyContact>>;
  byEmail(context: TenantContext, email: string): Promise<PartyContact | undefined>;
}

/** As much of them as writing a party takes. */
export interface HoldingContacts {
  readonly contacts: Pick<Contacts, 'hold'>;
}

/** The contact to link; null for none. Locked before any party is: erasing a person locks in the same order. */
export async function heldContact(
  tx: TenantTransaction,
  contactId: string | null | undefined,
  contacts: Pick<Contacts, 'hold'> | undefined,
): Promise<string | null> {
  if (contactId === null || contactId === undefined) return null;
  if (contacts === undefined)
    throw fail('not_found', 'There is no such contact in this tenant: search the contacts for their ids.');
  return contacts.hold(tx, contactId);
}

/** The contact that a party is linked with; else one of the same address, for somebody to link who knows. */
export async function personOf(
  context: TenantContext,
  { contactId, email }: Pick<Party, 'contactId' | 'email'>,
  contacts: Contacts,
): Promise<{ readonly contact: PartyContact | null; readonly suggested: PartyContact | null }> {
  if (contactId !== null)
    return { contact: (await contacts.byId(context, [contactId])).get(contactId) ?? null, suggested: null };
  return { contact: null, suggested: email === null ? null : ((await contacts.byEmail(context, email)) ?? null) };
}
