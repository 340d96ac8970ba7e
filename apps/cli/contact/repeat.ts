import { archivedEvents } from '@steward/archive';
import { eraseContact, eraseOrder, eraseParty, eraseSubmission } from '@steward/commerce';
import { isId, Problem } from '@steward/kernel';
import type { OpenInstance } from '../with-instance.ts';

/**
 * After a restored backup: erases again whom the archive says was erased, for a backup brings them back.
 * @param since the first day that is read, `YYYY-MM-DD`
 * @returns how many contacts, submissions, orders, customers and suppliers were erased, or are so still
 * @throws Problem `legal_hold` (409)
 */
export async function repeatPeople(instance: OpenInstance, tenant: string, since: string): Promise<number> {
  const context = instance.operator(tenant);
  const target = await instance.archive.target();
  let again = 0;
  const once = async (erase: () => Promise<unknown>): Promise<void> => {
    try {
      await erase();
      again += 1;
    } catch (error) {
      // Made after the backup, and gone with what it lacks.
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    }
  };
  for await (const { payload } of archivedEvents(target, tenant, 'crm.contact.erased', since)) {
    const { contact_id: id, merged_ids: merged } = payload;
    // In the backup they may not have been merged yet.
    for (const one of [id, ...(Array.isArray(merged) ? merged : [])])
      if (isId(one)) await once(async () => eraseContact(context, { contactId: one, reason: 'requested' }));
  }
  for await (const { payload } of archivedEvents(target, tenant, 'commerce.submission.erased', since))
    for (const one of Array.isArray(payload['submission_ids']) ? payload['submission_ids'] : [])
      if (isId(one)) await once(async () => eraseSubmission(context, { submissionId: one, reason: 'requested' }));
  for await (const { payload } of archivedEvents(target, tenant, 'commerce.order.erased', since)) {
    const { order_id: id } = payload;
    if (isId(id) && (await eraseOrder(context, id, 'requested'))) again += 1;
  }
  // The backup may be older than the link with the contact.
  for await (const { payload } of archivedEvents(target, tenant, 'accounting.party.erased', since)) {
    const { party_id: id } = payload;
    if (isId(id) && (await eraseParty(context, id, 'requested')).parties.length > 0) again += 1;
  }
  return again;
}
