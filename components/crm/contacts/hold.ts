import { sql, type TenantTransaction } from '@steward/sql';
import { lockedContact } from './contact.ts';
import { recordUpdated } from './record.ts';

/**
 * Locks a contact for a caller that refers to it from elsewhere, until the transaction ends. A test contact becomes a real one by it.
 * Answers its id, or for a merged contact the id of the contact it was merged into.
 * @throws Problem `not_found` (404)
 */
export async function holdContact(tx: TenantTransaction, contactId: string): Promise<string> {
  const { id, test } = await lockedContact(tx, contactId);
  if (test) {
    await tx.query(sql`
      update crm.contact set test = false, version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tx.context.tenant}::uuid and contact_id = ${id}::uuid`);
    recordUpdated(tx, id, ['test']);
  }
  return id;
}
