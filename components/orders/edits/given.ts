import { type Fixed, versionNumber } from '@steward/contract';
import { z } from 'zod';
import { moneyGiven } from '../money.ts';
import { addressGiven } from '../orders/address.ts';
import { byOrder } from '../orders/order.ts';
import { mostLines, mostQuantity } from '../words.ts';

/** What is to change of an order. There is no price in it: what is added costs what it costs now. */
export const editGiven = z.strictObject({
  ...byOrder,
  version: versionNumber.meta({
    description: 'Of the order as you read it. If the order has changed since, nothing is edited.',
  }),
  lines: z
    .array(
      z.strictObject({
        lineId: z.uuid().meta({ description: 'Of the order, from service_get_order.' }),
        quantity: z.int().min(0).max(mostQuantity).meta({
          description: 'How many it has from now on: fewer than now, and 0 takes it off. What has left stays.',
        }),
      }),
    )
    .min(1)
    .max(mostLines)
    .optional()
    .meta({ description: 'Lines of which fewer are wanted. Each keeps its price and its share of discounts.' }),
  add: z
    .array(
      z.strictObject({
        variantId: z.uuid().meta({ description: 'Of a product that the brand of the order sells.' }),
        quantity: z.int().min(1).max(mostQuantity).meta({ description: 'Units to add.' }),
      }),
    )
    .min(1)
    .max(mostLines)
    .optional()
    .meta({ description: 'What is wanted beside it, more of a line too: lines of their own, at the present price.' }),
  shippingAddress: addressGiven
    .optional()
    .meta({ description: 'Where it goes instead: the whole address. Only while nothing has left.' }),
  total: moneyGiven.optional().meta({
    description: 'What a preview showed as `after.total`: where the edit comes to anything else, nothing is edited.',
  }),
});
export type EditGiven = Fixed<z.output<typeof editGiven>>;
