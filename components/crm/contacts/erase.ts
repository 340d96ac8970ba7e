import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event } from '../events.ts';
import { unknownContact } from './contact.ts';
import { tell } from './record.ts';

export interface ErasedContact {
  /** Of a contact that was merged: the one it was merged into. */
  readonly contactId: string;
  /** Contacts that were merged into it. */
  readonly mergedIds: readonly string[];
  /** Addresses and phones it was known by, to be looked for in what others keep; empty where it was erased before. */
  readonly values: readonly string[];
  /** RFC 3339, UTC. */
  readonly erasedAt: string;
  /** Whether it was this transaction that erased it. */
  readonly fresh: boolean;
}

/**
 * Erases a contact with all contacts that were merged into it: values, search terms, timeline. The caller must have checked that this
 * person may ask for it. Its ids stay, so a repeat gets the same answer; somebody with the same address becomes a new contact.
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
    tell(
      tx,
      event('crm.contact.erased', { contact_id: row.o_contact, merged_ids: row.o_merged, reason }),
      announcement('crm.contact.erased', erased, { subject: row.o_contact }),
    );
  }
  return { ...erased, values: row.o_values, erasedAt: row.o_at.toISOString(), fresh: row.o_fresh };
}

/**
 * Ids of test contacts, the first ones first, held until the transaction ends: whom somebody else has brought meanwhile is none any more.
 * @param page.before RFC 3339; those that were created later are left out
 */
export async function testContacts(
  tx: TenantTransaction,
  page: { readonly before?: string | undefined; readonly limit: number },
): Promise<string[]> {
  const { tenant } = tx.context;
  const found = await tx.query<{ contact_id: string }>(sql`
    select contact_id from crm.contact
    where tenant_id = ${tenant}::uuid and test and merged_into is null
      and created_at < coalesce(${page.before ?? null}::timestamptz, 'infinity')
    order by created_at, contact_id limit ${page.limit}::int`);
  const ids = found.map(({ contact_id }) => contact_id);
  // First the contacts that were merged, then those that they lead to: so do those who resolve.
  await tx.query(sql`
    select from crm.contact where tenant_id = ${tenant}::uuid and merged_into = any (${ids}::uuid[]) order by contact_id for update`);
  const held = await tx.query<{ contact_id: string }>(sql`
    select contact_id from crm.contact
    where tenant_id = ${tenant}::uuid and contact_id = any (${ids}::uuid[]) and test and merged_into is null
    order by contact_id for update`);
  return held.map(({ contact_id }) => contact_id);
}
