import { addressDigest, markFreed } from '@steward/mail';
import { fail } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { askRecipients } from './ask.ts';
import { namedBy, presentRecipient, type Recipient } from './list.ts';
import { addressees } from './recipient.ts';

/**
 * Writes again to an address that a mail server refused, and asks one that is neither a member's nor confirmed to confirm, once a day.
 * @throws Problem `not_found` (404) when the form names no such address, `recipient_unsubscribed` (409): only whoever reads it takes that back
 */
export async function retryRecipient(
  context: TenantContext,
  { recipients }: Pick<StudioGround, 'recipients'>,
  formId: string,
  address: string,
): Promise<Recipient> {
  return context.require(manageStudio).write(async (tx) => {
    const { all, published } = await namedBy(tx, formId);
    const digest = addressDigest(address);
    const find = async () => (await addressees(tx, recipients, all)).find((one) => one.digest === digest);
    const found = await find();
    if (found === undefined)
      throw fail('not_found', 'The form names no such address: add it to notificationEmails first.');
    if ((found.state?.unsubscribedAt ?? null) !== null)
      throw studioFail(
        'recipient_unsubscribed',
        'Whoever reads the address wants no letters of this organization. They can take that back on the page that each letter led to.',
      );
    const freed = await markFreed(tx, digest);
    if (freed !== undefined) tx.record(event('studio.recipient.freed', { recipient_id: freed, form_id: formId }));
    if (found.standing === 'unconfirmed') await askRecipients(tx, recipients, formId, [found]);
    return presentRecipient((await find()) ?? found, published);
  });
}
