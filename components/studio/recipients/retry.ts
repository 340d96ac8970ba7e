import { asItWas, operation } from '@steward/access';
import { addressDigest, markFreed } from '@steward/mail';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import type { StudioDeps } from '../deps.ts';
import { byForm } from '../forms/form.ts';
import { changes } from '../operations.ts';
import { askRecipients } from './ask.ts';
import { namedBy, presentRecipient, recipient } from './list.ts';
import { addressees } from './recipient.ts';

/**
 * Writes again to an address that a mail server refused, and asks one that is neither a member's nor confirmed to confirm, once a day.
 * @throws Problem `not_found` (404) when the form names no such address, `recipient_unsubscribed` (409): only its reader takes that back
 */
export const retryRecipient = operation(
  {
    ...changes,
    name: 'service_retry_form_recipient',
    input: z.strictObject({
      ...byForm,
      address: z.email().max(254).meta({ description: 'One of the form’s notification_emails.' }),
    }),
    answer: recipient,
    errors: ['insufficient_role', 'form_not_found', 'not_found', 'recipient_unsubscribed'],
  },
  async (scope, { formId, address }, { recipients }: Pick<StudioDeps, 'recipients'>) =>
    scope.write(async (tx) => {
      const { all, published } = await namedBy(tx, formId);
      const digest = addressDigest(address);
      const find = async () => (await addressees(tx, recipients, all)).find((one) => one.digest === digest);
      const found = await find();
      if (found === undefined)
        throw fail('not_found', 'The form does not have this address: add it to its notification e-mails first.');
      if ((found.state?.unsubscribedAt ?? null) !== null)
        throw studioFail(
          'recipient_unsubscribed',
          'The reader of this address has unsubscribed from letters of this organization. They can subscribe again on the ' +
            'page that each letter links to.',
        );
      const freed = await markFreed(tx, digest);
      if (freed !== undefined) tx.record(event('studio.recipient.freed', { recipient_id: freed, form_id: formId }));
      const asked =
        found.standing === 'unconfirmed'
          ? await askRecipients(
              tx,
              recipients,
              { formId },
              [(await find()) ?? found],
              published.has(found.address) && !found.left ? [] : [found.address],
            )
          : [];
      const answer = presentRecipient((await find()) ?? found, published);
      return freed === undefined && asked.length === 0 ? asItWas(answer) : answer;
    }),
);
