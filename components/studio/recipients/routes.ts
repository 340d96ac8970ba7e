import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import type { StudioDeps } from '../deps.ts';
import { listRecipients } from './list.ts';
import { retryRecipient } from './retry.ts';

export function recipientRoutes(guard: MemberGuard, ports: StudioDeps): Route[] {
  const rest = restOf({ guard, tag: 'Forms', ports });
  return [
    rest('GET', '/api/forms/:formId/recipients', listRecipients, {
      summary: 'List the recipients of a form',
      description:
        'The addresses of the draft and of the version that visitors see, with their state: confirmed, unsubscribed, or ' +
        'refused by a mail server.',
      answers: { 200: 'The addresses.' },
    }),
    rest('POST', '/api/forms/:formId/recipients/retry', retryRecipient, {
      summary: 'Write again to an address of a form',
      description:
        'Sends again to an address that a mail server refused. Asks an address that is neither confirmed nor a member’s to ' +
        'confirm, once a day.',
      answers: { 200: 'The address.' },
    }),
  ];
}
