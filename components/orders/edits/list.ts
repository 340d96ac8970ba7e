import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byOrder, expectOrder } from '../orders/order.ts';
import { orderEdit, presentEdit } from './edit.ts';
import { editedFrom, selectEdits } from './stored.ts';
import { mostEdits } from './words.ts';

/** What an order was before each edit of it, and after, newest first. @throws Problem `not_found` (404) */
export const listOrderEdits = operation(
  {
    ...reads,
    name: 'service_list_order_edits',
    input: z.strictObject(byOrder),
    answer: z.object({ edits: z.array(orderEdit) }),
    errors: ['not_found'],
  },
  async (scope, { orderId }) => {
    const rows = await scope.read(
      selectEdits(`d.order_id = $2::uuid order by d.version desc limit ${mostEdits}`, scope.context.tenant, orderId),
    );
    if (rows.length === 0) await expectOrder(scope, orderId);
    return { edits: rows.map((row) => presentEdit(editedFrom(row))) };
  },
);
