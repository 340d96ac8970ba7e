import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { getDelivery } from '../deliveries/get.ts';
import { listDeliveries } from '../deliveries/list.ts';
import { replayWebhook } from '../deliveries/replay.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { giveSecret } from '../signing/give.ts';
import { rotateSecret } from '../signing/rotate.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { getWebhook } from './get.ts';
import { listWebhooks } from './list.ts';
import { pauseWebhook } from './pause.ts';
import { resumeWebhook } from './resume.ts';
import { retargetWebhook } from './retarget.ts';
import { testWebhook } from './test.ts';
import { listEventTypes } from './types.ts';
import { updateWebhook } from './update.ts';

/** What a route that takes what awaits approval may answer besides: a person who could approve it does it at once. */
const deciding = ['client_not_approver', 'login_too_old', 'own_client', 'conflict'];
const one = { 200: 'The webhook.' };
/** No cache on the way may keep the one showing of a secret. */
const sends = () => ({ 'cache-control': 'no-store' });

export function webhookRoutes(guard: Guard<Admitted>, ports: DeliveriesPorts): Route[] {
  const rest = restOf({ guard, tag: 'Webhooks', ports });
  return [
    rest('GET', '/api/webhooks', listWebhooks, {
      summary: 'List webhooks',
      answers: { 200: 'A page of webhooks, including paused and disabled ones.' },
    }),
    rest('POST', '/api/webhooks', createWebhook, {
      summary: 'Create a webhook',
      description:
        'Sends events to an address outside, so this needs a token that may decide; every other caller proposes it. A webhook that signs ' +
        'by HMAC sends nothing until its secret is taken with `POST /api/webhooks/{webhookId}/secret`; what is announced meanwhile waits.',
      answers: { 201: 'The webhook.' },
      errors: deciding,
    }),
    rest('GET', '/api/webhooks/event-types', listEventTypes, {
      summary: 'List the types of events',
      answers: { 200: 'Every type that a webhook can get.' },
    }),
    rest('GET', '/api/webhooks/:webhookId', getWebhook, {
      summary: 'Read a webhook',
      description: '`health` says what waits, since when it fails, and why.',
      answers: one,
    }),
    rest('PATCH', '/api/webhooks/:webhookId', updateWebhook, {
      summary: 'Change how a webhook is sent to',
      description:
        'Members that are not given stay as they are. Another order holds for what is announced from then on.',
      answers: one,
    }),
    rest('PUT', '/api/webhooks/:webhookId/target', retargetWebhook, {
      summary: 'Change where a webhook sends, or what',
      description:
        'Members that are not given stay as they are. What waits already goes to the new address too. This needs a token that may decide.',
      answers: one,
      errors: deciding,
    }),
    rest('DELETE', '/api/webhooks/:webhookId', deleteWebhook, {
      summary: 'Delete a webhook',
      description: 'With its secrets, its deliveries and what waits for it.',
      answers: { 200: 'The webhook as it was.' },
    }),
    rest('POST', '/api/webhooks/:webhookId/secret', rotateSecret, {
      summary: 'Make a new secret',
      description:
        'Only this answer shows the secret. Requests are signed by it, and by the one before for `overlapHours` (default 24). The first ' +
        'secret of a webhook has it begin to send. Of ed25519 the answer has the public key, and no secret. This needs a token that may decide.',
      answers: { 201: 'The secret.' },
      errors: deciding,
      sends,
    }),
    rest('PUT', '/api/webhooks/:webhookId/secret', giveSecret, {
      summary: 'Give the secret of an agent platform',
      description:
        'That of its own, of a webhook that signs as `merchant`. Nobody is shown it again. The first secret has the webhook begin to send. Needs a token ' +
        'that may decide.',
      answers: one,
      errors: ['client_not_approver', 'login_too_old'],
    }),
    rest('POST', '/api/webhooks/:webhookId/pause', pauseWebhook, {
      summary: 'Pause a webhook',
      description: 'Nothing is sent until it is resumed. Events wait for thirty days.',
      answers: one,
    }),
    rest('POST', '/api/webhooks/:webhookId/resume', resumeWebhook, {
      summary: 'Resume a webhook',
      description:
        'What waited is sent, slowly at first. One that was disabled gets what is announced from now on. This needs a token that may decide.',
      answers: one,
      errors: deciding,
    }),
    rest('POST', '/api/webhooks/:webhookId/test', testWebhook, {
      summary: 'Send a test event',
      description: 'Its type is `deliveries.endpoint.tested`. What became of it is in the list of deliveries.',
      answers: { 202: 'It is announced.' },
    }),
    rest('POST', '/api/webhooks/:webhookId/replay', replayWebhook, {
      summary: 'Send events again',
      description:
        'One event by its `sequence`, or everything since a moment (`from`) or behind an event (`after`), with the ids that they had. At ' +
        'most 10,000 in one call and 100,000 in a day; `continueAfter` says how to go on.',
      answers: { 202: 'How many were put into the queue.' },
    }),
    rest('GET', '/api/webhooks/:webhookId/deliveries', listDeliveries, {
      summary: 'List deliveries',
      description:
        'The newest events first. What was settled thirty days ago is forgotten, and what tells of an event that you may not see, such as of ' +
        'somebody else’s action, is left out; `waiting` of the webhook counts it.',
      answers: { 200: 'A page of deliveries.' },
    }),
    rest('GET', '/api/webhooks/:webhookId/deliveries/:sequence', getDelivery, {
      summary: 'Read a delivery',
      description: 'With what is sent, and the last attempts with what was answered. Of an event that you may see.',
      answers: { 200: 'The delivery.' },
    }),
  ];
}
