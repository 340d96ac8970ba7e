import { sql, type TenantTransaction } from '@steward/sql';
import { lockedContact } from './contact.ts';
import { recordUpdated } from './record.ts';

/**
 * Holds a contact for somebody who points at it from elsewhere, until the transaction ends; whoever does means it, so it is one of tests
 * no more. Answers its id, of one that was merged that of the contact it was merged into.
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
