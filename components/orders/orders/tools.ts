import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { fulfilOrder } from '../fulfilments/fulfil.ts';
import { updateFulfilment } from '../fulfilments/update.ts';
import type { OrdersPorts } from '../ports.ts';
import { cancelOrder } from './cancel.ts';
import { getOrder } from './get.ts';
import { listOrders } from './list.ts';
import { order, type Order } from './order.ts';
import { updateOrder } from './update.ts';

const shows = under('order', order.answer);
const words = (status: string): string => status.replaceAll('_', ' ');
const called = ({ number, total, paymentStatus, fulfilmentStatus }: Order): string =>
  `Order ${number} over ${total.amount} ${total.currency} (${words(paymentStatus)}, ${words(fulfilmentStatus)})`;
const repeatable = { destructiveHint: false, idempotentHint: true };
/** What changes of it: ids and times of what is made are known only then. */
const sent = ({ id, number, lines, fulfilmentStatus }: Order) => ({
  order: {
    id,
    number,
    fulfilmentStatus,
    lines: lines.map((line) => ({
      id: line.id,
      title: line.title,
      quantity: line.quantity,
      fulfilled: line.fulfilled,
    })),
  },
});
const standing = ({ id, number, status, paymentStatus, note, tags, total, cancelReason }: Order) => ({
  order: { id, number, status, paymentStatus, note, tags, total, cancelReason },
});

export const orderTools: readonly Tool<OrdersPorts>[] = [
  toolOf(listOrders, {
    core: false,
    title: 'List orders',
    description:
      'Lists orders, newest first, by status, payment, fulfilment, e-mail address, number, contact, tag or time. Use ' +
      'service_get_order for lines and addresses. Orders of tests are listed with `mode: test` alone.',
    answers: { items: 'orders' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'order')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(getOrder, {
    core: false,
    title: 'Read an order',
    description:
      'Reads one order: lines, discounts, taxes, addresses, what is paid and what has left, with its tracking.',
    shows,
    say: (found) => `${called(found)} is ${found.status}.`,
  }),
  toolOf(updateOrder, {
    core: false,
    annotations: repeatable,
    title: 'Note or tag an order',
    description:
      'Sets the note and the tags that colleagues see. What was bought, by whom and for how much never changes.',
    shows,
    preview: standing,
    say: (changed, preview) => (preview ? `Would change order ${changed.number}.` : `${called(changed)} is changed.`),
  }),
  toolOf(fulfilOrder, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Fulfil an order',
    description:
      'Says that an order, or some lines of it, left for the buyer, and takes them from stock. Give carrier and tracking if ' +
      'you know them. Give a `reference` to be safe to repeat.',
    shows,
    preview: sent,
    say: ({ number, units, unitsFulfilled }, preview) => {
      const all = `${unitsFulfilled} of ${counted(units, 'piece')} of order ${number}`;
      return preview ? `Would send, so that ${all} have left.` : `${all} have left.`;
    },
  }),
  toolOf(updateFulfilment, {
    core: false,
    annotations: repeatable,
    title: 'Change tracking',
    description: 'Changes carrier, tracking number and tracking page of what has left. Null clears.',
    shows,
    preview: ({ id, number, fulfilments }) => ({
      order: { id, number },
      fulfilments: fulfilments.map(({ updatedAt: _at, ...one }) => one),
    }),
    say: ({ number }, preview) => `${preview ? 'Would change' : 'Changed'} the tracking of order ${number}.`,
  }),
  toolOf(cancelOrder, {
    final: true,
    core: false,
    title: 'Cancel an order',
    description:
      'Cancels an order of which nothing has left, or all that left is back: frees its stock and its discounts. It gives no ' +
      'money back: refund an order that is paid first. This cannot be undone.',
    shows,
    preview: standing,
    say: ({ number }, preview) => `${preview ? 'Would cancel' : 'Cancelled'} order ${number}.`,
  }),
];
