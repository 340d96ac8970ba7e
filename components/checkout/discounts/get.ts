import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byDiscount, discount, noDiscount, selectDiscounts } from './discount.ts';

/** @throws Problem `not_found` (404) */
export const getDiscount = operation(
  {
    ...reads,
    name: 'service_get_discount',
    input: z.strictObject(byDiscount),
    answer: discount.answer,
    errors: ['not_found'],
  },
  async ({ context, read }, { discountId }) => {
    const [row] = await read(selectDiscounts('d.discount_id = $2::uuid', context.tenant, discountId));
    if (row === undefined) throw noDiscount();
    return discount.read(row);
  },
);
