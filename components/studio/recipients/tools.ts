import { toolOf, under, type Tool } from '@steward/tools';
import type { StudioDeps } from '../deps.ts';
import { listRecipients, recipient, type Recipient } from './list.ts';
import { retryRecipient } from './retry.ts';

export const recipientTools: readonly Tool<StudioDeps>[] = [
  toolOf(listRecipients, {
    core: false,
    title: 'List the recipients of a form',
    description:
      'Lists the addresses of notification_emails with their state: confirmed, unsubscribed, or refused by a mail server.',
    answers: { items: 'recipients' },
    say: ({ items }) => `${items.filter(({ told }) => told).length} of ${items.length} addresses receive e-mails.`,
  }),
  toolOf(retryRecipient, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Write again to an address of a form',
    description:
      'Sends again to an address that a mail server refused. Asks an address that is neither confirmed nor a member’s to ' +
      'confirm by e-mail, once a day. Only the reader of the address can confirm. Awaits a person’s approval where visitors do not see a ' +
      'version of the form with this address yet, or its reader is a member no more.',
    approval: {
      moneyOut: false,
      routine: (_args, { data }) => isKnown((data as { readonly recipient: Recipient }).recipient),
    },
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
    ? `${address} was not asked to confirm yet. It can be asked once a day.`
    : `${address} was asked to confirm at ${askedAt} and has not confirmed. It is asked once a day at most.`;

const isKnown = ({ published, left }: Recipient): boolean => published && !left;
