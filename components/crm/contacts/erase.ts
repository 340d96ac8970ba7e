import { sql, type TenantTransaction } from '@steward/sql';
import { unknownContact } from './contact.ts';
import { record } from './record.ts';

export interface ErasedContact {
  /** Of a contact that was merged: the one it was merged into. */
  readonly contactId: string;
  /** Contacts that had been merged into it. */
  readonly mergedIds: readonly string[];
  /** Addresses and phones it was known by, to be looked for in what others keep; empty where it was erased before. */
  readonly values: readonly string[];
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
  /** Whether it was this transaction that erased it. */
  readonly fresh: boolean;
}

/**
 * Erases a contact with all that were merged into it: values, what it is found by, timeline. Whoever asked for it must have been
 * let in by the caller. Its ids stay, so that a repeat is told the same; whoever comes from the same address is a new contact.
 * @throws Problem `not_found` (404)
 */
export async function eraseContact(tx: TenantTransaction, contactId: string, reason: string): Promise<ErasedContact> {
  const [row] = await tx.query<{
    o_contact: string;
    o_merged: string[];
    o_values: string[];
    o_at: Date;
    o_fresh: boolean;
  }>(sql`select o_contact, o_merged, o_values, o_at, o_fresh from crm.erase_contact(${contactId}::uuid)`);
  if (row === undefined) throw unknownContact();
  const erased = { contactId: row.o_contact, mergedIds: row.o_merged };
  if (row.o_fresh) {
    const causationId = record(tx, 'crm.contact.erased', {
      contact_id: row.o_contact,
      merged_ids: row.o_merged,
      reason,
    });
    tx.publish({ type: 'crm.contact.erased', source: 'crm', subject: row.o_contact, causationId, data: erased });
  }
  return { ...erased, values: row.o_values, erasedAt: row.o_at.toISOString(), fresh: row.o_fresh };
}
