import { toolOf, under, type Tool } from '@steward/tools';
import type { StudioDeps } from '../deps.ts';
import { listRecipients, recipient, type Recipient } from './list.ts';
import { retryRecipient } from './retry.ts';

export const recipientTools: readonly Tool<StudioDeps>[] = [
  toolOf(listRecipients, {
    core: false,
    title: 'List whom a form writes to',
    description:
      'Lists the addresses of notification_emails with what became of them: who confirmed, who wants no letters any more, and which a mail server refused.',
    answers: { items: 'recipients' },
    say: ({ items }) => `${items.filter(({ told }) => told).length} of ${items.length} addresses are told.`,
  }),
  toolOf(retryRecipient, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Write again to an address of a form',
    description:
      'Tries an address again that a mail server refused, and asks one that is neither a member’s nor confirmed to confirm by a letter, once a day. Nobody but whoever reads it confirms it.',
    shows: under('recipient', recipient),
    say: (found, preview) =>
      preview
        ? `Would write to ${found.address} again.`
        : found.standing === 'unconfirmed'
          ? askedInWords(found)
          : `${found.address} is written to again.`,
  }),
];

const askedInWords = ({ address, askedAt }: Recipient): string =>
  askedAt === null
    ? `${address} was not asked to confirm yet; it can be asked once a day.`
    : `${address} was asked to confirm at ${askedAt}, and has not yet; it is asked once a day at most.`;
