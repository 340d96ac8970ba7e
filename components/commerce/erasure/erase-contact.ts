import { eraseParties, type ErasedParties } from '@steward/accounting';
import { eraseContact as eraseIn } from '@steward/crm';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { erasePeople } from '../permissions.ts';
import { afterErasing, erasedRow, forget, type Forgotten } from './forget.ts';
import type { Reason } from './reason.ts';

export interface ErasedPerson {
  /** Of a contact that was merged: the one it was merged into. */
  readonly contactId: string;
  readonly mergedIds: readonly string[];
  /** Submissions of theirs that say nothing any more. */
  readonly submissions: number;
  /** Customers and suppliers that are the same person; the name of one that something is booked for stays. */
  readonly parties: ErasedParties['parties'];
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
}

/**
 * Erases a person in one transaction: the contact with all that were merged into it, what they submitted, letters that tell of it and
 * were not sent yet, answers to calls and actions that speak of them, the keys of what the audit log sealed about them,
 * and what the books keep of them and need not keep. Ids
 * and the fact stay. A submission under way comes before it, and goes, or after it, and is of a new contact. Repeating it is
 * harmless: it answers the same.
 *
 * Who asks must have been let in as somebody who may decide: it cannot be taken back.
 * @throws Problem `not_found` (404), `legal_hold` (409)
 */
export async function eraseContact(context: TenantContext, contactId: string, reason: Reason): Promise<ErasedPerson> {
  return context.require(erasePeople).write(async (tx) => {
    const { ids, forget: left, ...erased } = await erasePerson(tx, contactId, reason);
    await forget(tx, left, reason);
    const [all] = await tx.query<{ submissions: number }>(sql`
      select count(*)::int as submissions from commerce.submission
      where tenant_id = ${context.tenant}::uuid and contact_id = any (${ids}::uuid[])`);
    return { ...erased, submissions: all?.submissions ?? 0 };
  });
}

/** The contact, what was submitted, and letters about it; `ids` are of contacts, `forget` is left to be done. */
export async function erasePerson(
  tx: TenantTransaction,
  contactId: string,
  reason: Reason,
): Promise<Omit<ErasedPerson, 'submissions'> & { readonly ids: readonly string[]; readonly forget: Forgotten }> {
  const { values, fresh: _, ...erased } = await eraseIn(tx, contactId, reason);
  const ids = [erased.contactId, ...erased.mergedIds];
  const rows = await tx.query(
    sql`select submission_id, form_id, form_version from commerce.erase_submissions_of(${ids}::uuid[]) order by 1`,
  );
  await afterErasing(tx, rows.map(erasedRow), reason);
  const books = await eraseParties(tx, { contactIds: ids }, reason);
  return {
    ...erased,
    parties: books.parties,
    ids,
    forget: { ids: [...ids, ...books.ids], values: [...values, ...books.values] },
  };
}

/**
 * Erases a customer or supplier as far as the books allow, as with the contact it was linked with: after a restored backup, which may know
 * nothing of the link.
 * @throws Problem `legal_hold` (409)
 */
export async function eraseParty(context: TenantContext, partyId: string, reason: Reason): Promise<ErasedParties> {
  return context.require(erasePeople).write(async (tx) => {
    const books = await eraseParties(tx, { partyIds: [partyId] }, reason);
    await forget(tx, books, reason);
    return books;
  });
}
