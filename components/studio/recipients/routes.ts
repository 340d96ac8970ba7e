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
      summary: 'List whom a form has us write to',
      description:
        'The addresses of the draft and of the version that is served: who confirmed, who wants no letters any more, and which a mail server refused.',
      answers: { 200: 'The addresses.' },
    }),
    rest('POST', '/api/forms/:formId/recipients/retry', retryRecipient, {
      summary: 'Write again to an address of a form',
      description:
        'Tries an address again that a mail server refused, and asks one that is neither a member’s nor confirmed to confirm, once a day.',
      answers: { 200: 'The address.' },
    }),
  ];
}
