import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import type { OrdersPorts } from '../ports.ts';
import { listOrderEdits } from './list.ts';
import { editOrder } from './make.ts';

export const editTools: readonly Tool<OrdersPorts>[] = [
  toolOf(editOrder, {
    core: false,
    annotations: { destructiveHint: true },
    title: 'Edit an order',
    description:
      'Changes an order before it leaves: takes units off its lines, adds variants at their present price, or sends it to another address. Awaits approval by a person. ' +
      'It moves no money: what the buyer owes more is awaited, and what was paid too much stays to be given back with service_refund_order (`balance`). ' +
      'Give the version of the order as you read it. With `preview` you see each line, the totals and the difference before anything changes: give `after.total` of it as `total`, and the edit is made at that total or not at all.',
    say: ({ edit: { difference }, order: { number, total, balanceDue, toGiveBack } }, preview) =>
      `${preview ? 'Would edit' : 'Edited'} order ${number}: the difference is ${difference.amount} ${difference.currency}, and it comes to ${total.amount}. ` +
      `${balanceDue.amount} ${preview ? 'would be' : 'are'} left to pay and ${toGiveBack.amount} to give back.` +
      (preview
        ? ` Edit it with \`total\` ${total.amount} ${total.currency}, and it comes to that or stays as it is.`
        : ''),
    // Ids and times of what is made are known only then.
    preview: ({ edit: { lines, before, after, difference, readdressed }, order }) => ({
      order: { id: order.id, number: order.number, balanceDue: order.balanceDue, toGiveBack: order.toGiveBack },
      shippingAddress: readdressed ? order.shippingAddress : undefined,
      lines: lines.map(({ id, before: was, ...line }) => ({ ...line, ...(was === null ? {} : { id }), before: was })),
      before,
      after,
      difference,
    }),
  }),
  toolOf(listOrderEdits, {
    core: false,
    title: 'List edits of an order',
    description:
      'Lists how an order was edited, newest first: each line and sum before and after. Use it to read what an earlier version of an order was.',
    say: ({ edits }) => `${counted(edits.length, 'edit')}.`,
  }),
];
