import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forTool, toSnake } from '../cases.ts';
import type { StudioGround } from '../ground.ts';
import { asks, changes } from '../tool-ground.ts';
import { listRecipients, type Recipient } from './list.ts';
import { retryRecipient } from './retry.ts';

const byForm = { form_id: z.uuid().meta({ description: 'A form of service_list_forms.' }) };
const time = z.string().nullable();
const recipient = z.object({
  address: z.string(),
  standing: z.enum(['member', 'confirmed', 'unconfirmed']),
  told: z.boolean(),
  published: z.boolean(),
  asked_at: time,
  confirmed_at: time,
  unsubscribed_at: time,
  stopped_at: time,
  last_refusal: z.object({ at: z.string(), reason: z.string() }).nullable(),
});

export const recipientTools: readonly Tool<StudioGround>[] = [
  tool({
    ...asks,
    name: 'service_list_form_recipients',
    title: 'List whom a form writes to',
    core: false,
    description:
      'Lists the addresses of notification_emails with what became of them: who confirmed, who wants no letters any more, and which a mail server refused.',
    input: z.strictObject(byForm),
    output: z.object({ recipients: z.array(recipient) }),
    run: async (call, { form_id }, ground) => {
      const found = await listRecipients(call.context, ground, form_id);
      const told = found.filter((one) => one.told).length;
      return { summary: `${told} of ${found.length} addresses are told.`, data: { recipients: found.map(toSnake) } };
    },
  }),
  tool({
    ...changes,
    name: 'service_retry_form_recipient',
    title: 'Write again to an address of a form',
    core: false,
    description:
      'Tries an address again that a mail server refused, and asks one that is neither a member’s nor confirmed to confirm by a letter, once a day. Nobody but whoever reads it confirms it.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject({
      ...byForm,
      address: z.email().max(254).meta({ description: 'One of notification_emails.' }),
    }),
    output: z.object({ recipient }),
    run: async (call, { form_id, address }, ground) => {
      const found = await forTool(retryRecipient(call.context, ground, form_id, address));
      return {
        summary: call.preview
          ? `Would write to ${found.address} again.`
          : found.standing === 'unconfirmed'
            ? askedInWords(found)
            : `${found.address} is written to again.`,
        data: { recipient: toSnake(found) },
      };
    },
  }),
];

const askedInWords = ({ address, askedAt }: Recipient): string =>
  askedAt === null
    ? `${address} was not asked to confirm yet; it can be asked once a day.`
    : `${address} was asked to confirm at ${askedAt}, and has not yet; it is asked once a day at most.`;
