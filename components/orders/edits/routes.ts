import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { OrdersPorts } from '../ports.ts';
import { listOrderEdits } from './list.ts';
import { editOrder, previewEdit } from './make.ts';

export function editRoutes(guard: Guard<Admitted>, ports: OrdersPorts): Route[] {
  const rest = restOf({ guard, tag: 'Orders', ports });
  return [
    rest('POST', '/api/orders/:orderId/edits', editOrder, {
      summary: 'Edit an order',
      description:
        'Takes off units that have not left, adds others at the present price, and changes the address. It moves no money. The `version` is that of the order ' +
        'as it was read. With the `total` that a preview showed (`edit.after.total`) nothing is edited at another one: 409 `other_price`.',
      answers: { 200: 'The edit, and the order as it is now.' },
    }),
    rest('POST', '/api/orders/:orderId/edits/preview', previewEdit, {
      summary: 'Preview an edit of an order',
      description:
        'Answers what the edit would make of the order, and refuses what it would refuse. Nothing changes. Edit with its `edit.after.total` as `total`.',
      answers: { 200: 'The edit as it would be, with each line before and after.' },
      // It changes nothing, so nobody has to approve it.
      does: 'service_update_order',
    }),
    rest('GET', '/api/orders/:orderId/edits', listOrderEdits, {
      summary: 'List edits of an order',
      description: 'Newest first: each line and sum as it was before and as it was then.',
      answers: { 200: 'The edits.' },
    }),
  ];
}
