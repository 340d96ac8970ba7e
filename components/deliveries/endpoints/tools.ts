import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import { getDelivery } from '../deliveries/get.ts';
import { listDeliveries } from '../deliveries/list.ts';
import { replayWebhook } from '../deliveries/replay.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { rotateSecret } from '../signing/rotate.ts';
import { because } from '../words.ts';
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
import { hostOf, webhook, type Webhook } from './webhook.ts';

const shows = under('webhook', webhook.answer);
const called = (one: Pick<Webhook, 'url'>): string => `the webhook to ${hostOf(one)}`;
const whatOf = ({ types, agentId }: Pick<Webhook, 'types' | 'agentId'>): string =>
  agentId !== null
    ? 'the orders of a shopping agent'
    : types === null
      ? 'every event'
      : types.length > 3
        ? counted(types.length, 'type') + ' of events'
        : types.join(', ');
const said = (one: Webhook): string =>
  `${called(one).replace('the', 'The')} gets ${whatOf(one)} and is ${one.status}${one.reason === null ? '' : `, because ${because[one.reason]}`}.`;
/** A preview's ids and keys would name nothing afterwards. */
const bound = ({ url, types, description, ordering, signing, perSecond }: Webhook) => ({
  webhook: { url, types, description, ordering, signing, perSecond },
});

export const webhookTools: readonly Tool<DeliveriesPorts>[] = [
  toolOf(listEventTypes, {
    core: false,
    title: 'List types of events',
    description:
      'Lists the types of events that the organization announces and a webhook can get, such as `commerce.order.placed`.',
    say: ({ types }) => `${counted(types.length, 'type')} of events.`,
  }),
  toolOf(createWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: true },
    approval: { moneyOut: false },
    title: 'Create a webhook',
    description:
      'Has events sent to an https address outside, signed, from now on. Data leaves the organization, so this awaits a person’s approval. ' +
      'Afterwards a person makes its secret, on its page or with POST /api/webhooks/{webhook_id}/secret: until then a webhook that signs by `hmac` sends nothing.',
    shows,
    preview: bound,
    keepsPreview: true,
    say: (made, preview) =>
      preview
        ? `Would send ${whatOf(made)} to ${hostOf(made)}.`
        : `${said(made)}${made.reason === 'secret_missing' ? ' It begins to send once its secret is made.' : ''}`,
  }),
  toolOf(listWebhooks, {
    core: false,
    title: 'List webhooks',
    description: 'Lists webhooks with their addresses, types and status, including paused and disabled ones.',
    answers: { items: 'webhooks' },
    say: ({ items }) => `${counted(items.length, 'webhook')}.`,
  }),
  toolOf(getWebhook, {
    core: false,
    title: 'Read a webhook',
    description: 'Reads one webhook. `health` says how many events wait, since when it fails, and why.',
    shows: under('webhook', getWebhook.answer),
    say: (found) =>
      `${said(found)} ${counted(found.health.waiting, 'event')} wait${found.health.failures === 0 ? '' : `; the last ${counted(found.health.failures, 'attempt')} failed (${found.health.lastError})`}.`,
  }),
  toolOf(retargetWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    approval: { moneyOut: false },
    title: 'Change where a webhook sends',
    description:
      'Changes the address of a webhook, or the types of events that it gets. What waits already goes to the new address too. Data leaves ' +
      'the organization, so this awaits a person’s approval.',
    shows,
    preview: bound,
    keepsPreview: true,
    say: (changed, preview) => (preview ? `Would send ${whatOf(changed)} to ${hostOf(changed)}.` : said(changed)),
  }),
  toolOf(updateWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change a webhook',
    description:
      'Changes only the given members: description, order, requests per second. Change its address and types with service_retarget_webhook.',
    shows,
    preview: bound,
    say: (changed, preview) => (preview ? `Would change ${called(changed)}.` : said(changed)),
  }),
  toolOf(rotateSecret, {
    core: false,
    answersSecret: true,
    annotations: { destructiveHint: false, idempotentHint: false },
    approval: { moneyOut: false },
    title: 'Make a secret of a webhook',
    description:
      'Makes a new secret that requests are signed with. The one before signs as well for `overlap_hours`. The first secret of a webhook has it ' +
      'begin to send. No action shows a secret: where somebody needs it, a person makes it on the page of the webhook, or with POST ' +
      '/api/webhooks/{webhook_id}/secret. Receivers check signatures with any library of Standard Webhooks.',
    preview: ({ webhookId, signing }) => ({ webhookId, signing }),
    say: ({ secret, publicKey, earlierEndAt }, preview) =>
      preview
        ? 'Would make a new secret of the webhook, which no action shows: make it on the page of the webhook to see it.'
        : `${secret !== null ? 'The secret is not shown again' : publicKey !== null ? 'The key pair is new' : 'The secret is new'}.${earlierEndAt === null ? '' : ` The one before signs until ${earlierEndAt}.`}`,
    warn: ({ secret, publicKey }) =>
      secret === null && publicKey === null
        ? 'An approved secret is not shown: a person makes a new one on the page of the webhook.'
        : undefined,
  }),
  toolOf(pauseWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Pause a webhook',
    description: 'Sends nothing until the webhook is resumed. Events wait for it for thirty days.',
    shows,
    preview: bound,
    say: (one, preview) => (preview ? `Would pause ${called(one)}.` : said(one)),
  }),
  toolOf(resumeWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    approval: { moneyOut: false },
    title: 'Resume a webhook',
    description:
      'Sends what waited, slowly at first. A webhook that was disabled gets what is announced from now on: replay what it missed. Data leaves ' +
      'the organization again, and a person may have stopped it.',
    shows,
    preview: bound,
    keepsPreview: true,
    say: (one, preview) => (preview ? `Would resume ${called(one)}.` : said(one)),
  }),
  toolOf(deleteWebhook, {
    core: false,
    final: true,
    annotations: { destructiveHint: true, idempotentHint: false },
    title: 'Delete a webhook',
    description: 'Deletes a webhook for good, with its secrets, its deliveries and the events that wait for it.',
    shows,
    preview: bound,
    say: (one, preview) => (preview ? `Would delete ${called(one)} for good.` : `Deleted ${called(one)}.`),
  }),
  toolOf(testWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: true },
    title: 'Test a webhook',
    description:
      'Sends an event of the type `deliveries.endpoint.tested` to the webhook. What became of it is in service_list_webhook_deliveries.',
    say: ({ type }, preview) =>
      preview ? `Would send an event ${type}.` : `An event ${type} is on its way: list the deliveries of the webhook.`,
  }),
  toolOf(replayWebhook, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: true },
    title: 'Send events again',
    description:
      'Sends events to a webhook again, with the ids that they had: one by `sequence`, or everything since a moment (`from`) or behind an event ' +
      '(`after`). At most 10,000 in one call and 100,000 in a day. Receivers that have seen an id ignore it.',
    say: ({ events, continueAfter }, preview) =>
      `${preview ? 'Would put' : 'Put'} ${counted(events, 'event')} into the queue.${continueAfter === null ? '' : ' There are more.'}`,
  }),
  toolOf(listDeliveries, {
    core: false,
    title: 'List deliveries of a webhook',
    description:
      'Lists what was sent to a webhook, or waits, the newest events first. `state`: pending, delivered, or failed after three days.',
    answers: { items: 'deliveries' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'delivery', 'deliveries')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(getDelivery, {
    core: false,
    title: 'Read a delivery',
    description: 'Reads one delivery with what is sent, and its last attempts with what the address answered.',
    shows: under('delivery', getDelivery.answer),
    say: ({ type, state, attempts }) => `${type} is ${state} after ${counted(attempts, 'attempt')}.`,
  }),
];
