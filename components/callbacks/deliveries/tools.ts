import { type Tool, toolOf, under } from '@steward/tools';
import type { ConnectionPorts } from '../deps.ts';
import { delivery, type DeliveryShown } from './delivery.ts';
import { getDelivery } from './get.ts';
import { listDeliveries } from './list.ts';
import { rejectDelivery, replayDeliveries, retryDelivery } from './operate.ts';

const called = ({ provider, topic, receivedAt }: DeliveryShown): string => `${provider} ${topic} of ${receivedAt}`;

export const deliveryTools: readonly Tool<ConnectionPorts>[] = [
  toolOf(listDeliveries, {
    core: false,
    title: 'List deliveries of providers',
    description:
      'Lists what providers reported, newest first, with status, attempts, last error and what each became. Filter by status `dead` to see what waits for a person. What was sent is not shown.',
    say: ({ items, nextCursor }) => `${items.length} deliveries${nextCursor === null ? '' : ', and more'}.`,
  }),
  toolOf(getDelivery, {
    core: false,
    title: 'Get a delivery of a provider',
    description:
      'Gets one delivery of a provider: what it was about, whether it was carried out, what it became, and why not.',
    shows: under('delivery', delivery.answer),
    say: (one) => `${called(one)} is ${one.status}.`,
  }),
  toolOf(retryDelivery, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Try a delivery again',
    description:
      'Tries a delivery again at once that was given up or rejected, or that waits for its next attempt. Use it once the cause of its last error is mended.',
    shows: under('delivery', delivery.answer),
    say: (one, preview) => `${preview ? 'Would try' : 'Tries'} ${called(one)} again.`,
  }),
  toolOf(rejectDelivery, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Give a delivery up',
    description:
      'Gives up a delivery that is not carried out, with a reason. service_retry_callback_delivery takes that back.',
    shows: under('delivery', delivery.answer),
    say: (one, preview) => `${preview ? 'Would give up' : 'Gave up'} ${called(one)}.`,
  }),
  toolOf(replayDeliveries, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Carry deliveries out again',
    description:
      'Carries out again what was carried out, ignored, given up or rejected, by ids or by time and other filters, 200 a call at most. What is there already stays as it is. Use it after a mistake in what deliveries do was mended.',
    say: ({ deliveryIds, more }, preview) =>
      `${preview ? 'Would carry' : 'Carries'} ${deliveryIds.length} deliveries out again${more ? '; there are more' : ''}.`,
  }),
];
