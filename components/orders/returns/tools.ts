import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import { approveReturn, rejectReturn } from './decide.ts';
import { getReturn, listReturns } from './list.ts';
import { receiveReturn } from './receive.ts';
import { requestReturn } from './request.ts';
import { goodsReturn, type GoodsReturn } from './return.ts';

const shows = under('return', goodsReturn.answer);
const units = ({ lines }: GoodsReturn, of: 'quantity' | 'received' = 'quantity'): string =>
  counted(
    lines.reduce((sum, line) => sum + line[of], 0),
    'unit',
  );
const called = (one: GoodsReturn): string => `the return of ${units(one)} of order ${one.orderNumber}`;
const whole = ({ id: _id, version: _version, createdAt: _made, updatedAt: _at, ...rest }: GoodsReturn) => ({
  return: rest,
});
const changing = { core: false, annotations: { destructiveHint: false, idempotentHint: true } } as const;

export const returnTools: readonly Tool[] = [
  toolOf(requestReturn, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Request a return',
    description:
      'Opens a return of units that were sent. Then approve it, receive it when the goods arrive, and refund it with ' +
      'service_refund_order.',
    shows,
    preview: whole,
    say: (made, preview) => `${preview ? 'Would open' : 'Opened'} ${called(made)}.`,
  }),
  toolOf(approveReturn, {
    ...changing,
    title: 'Approve a return',
    description: 'Lets a requested return come. Pays nothing back.',
    shows,
    say: (after, preview) => (preview ? `Would approve ${called(after)}.` : `Approved ${called(after)}.`),
  }),
  toolOf(rejectReturn, {
    ...changing,
    title: 'Reject a return',
    description: 'Refuses a return, also after it was received. Nothing is paid back for it then.',
    shows,
    say: (after, preview) => (preview ? `Would reject ${called(after)}.` : `Rejected ${called(after)}.`),
  }),
  toolOf(receiveReturn, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Receive a return',
    description:
      'Records what came back and how much of it is damaged. Undamaged units go back into stock. Pays nothing back: that ' +
      'is service_refund_order with `return_id`.',
    shows,
    preview: whole,
    say: (after, preview) =>
      `${preview ? 'Would receive' : 'Received'} ${units(after, 'received')} of order ${after.orderNumber}.`,
  }),
  toolOf(getReturn, {
    core: false,
    title: 'Read a return',
    description: 'Reads one return with its lines: how much was to come back, came, and is damaged.',
    shows,
    say: (found) => `${called(found)[0]?.toUpperCase()}${called(found).slice(1)}, is ${found.state}.`,
  }),
  toolOf(listReturns, {
    core: false,
    title: 'List returns',
    description: 'Lists returns, newest first, also those of one order or in one state.',
    answers: { items: 'returns' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'return')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
