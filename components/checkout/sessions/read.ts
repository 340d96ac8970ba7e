import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { checkout, readSession, selectSession, showSession } from './session.ts';

/** As members see it: with what it is called elsewhere, and without the key to its order. */
export const memberCheckout = checkout.omit({ order: true }).extend({
  brandId: z.uuid(),
  cartId: z.uuid().nullable(),
  orderId: z.uuid().nullable(),
  orderNumber: z.string().nullable(),
});

const noLinks = { tokenOf: () => '', statusUrlOf: () => '' };

/** What a buyer said, and what it came to when the buyer last saw it. @throws Problem `not_found` (404) */
export const readCheckout = operation(
  {
    ...reads,
    name: 'service_get_checkout',
    input: z.strictObject({ checkoutId: z.uuid().meta({ description: 'From service_list_checkouts.' }) }),
    answer: memberCheckout,
    errors: ['not_found'],
  },
  async ({ context, read }, { checkoutId }) => {
    const [row] = await read(selectSession(context.tenant, checkoutId));
    if (row === undefined)
      throw fail('not_found', 'There is no such checkout in this tenant: list the checkouts for their ids.');
    const one = readSession(row);
    const { order: _order, doorState: _state, ...shown } = showSession(context.tenant, one, noLinks);
    const { brandId, cartId, orderId, orderNumber } = one;
    return { ...shown, brandId, cartId, orderId, orderNumber };
  },
);
