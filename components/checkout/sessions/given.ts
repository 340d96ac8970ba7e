import { line, remarks } from '@steward/contract';
import { readEmail } from '@steward/crm';
import { addressGiven, postalAddress } from '@steward/orders';
import { z } from 'zod';
import { codesGiven, linesGiven, localeGiven } from '../carts/given.ts';
import { currency, moneyGiven } from '../money.ts';

const optional = (longest: number) => line(longest).nullable().optional();

const address = addressGiven.transform(postalAddress);

const email = z
  .string()
  .max(320)
  .refine((text) => readEmail(text) !== undefined, 'Give an e-mail address such as ann@example.com')
  .transform((text) => readEmail(text)?.address ?? text);

/** What a buyer says; null clears, and what is left out stays. */
export const checkoutChange = z.strictObject({
  email: email.nullable().optional(),
  name: optional(200),
  phone: optional(40),
  shippingAddress: address.nullable().optional(),
  billingAddress: address.nullable().optional(),
  shippingOptionId: z.uuid().nullable().optional().meta({ description: 'One of `shippingOptions`.' }),
  codes: codesGiven.optional(),
  vatNumber: optional(40),
  note: remarks(2000).nullable().optional(),
  marketingConsent: z.boolean().optional(),
  locale: localeGiven.nullable().optional(),
  lines: linesGiven.min(1).optional().meta({ description: 'The whole list in place of the present lines.' }),
});
export type CheckoutChange = z.output<typeof checkoutChange>;

export const checkoutGiven = z.strictObject({
  cartId: z.uuid().optional().meta({ description: 'With the `X-Cart-Token` of the cart. Or give `lines`.' }),
  lines: linesGiven.min(1).optional(),
  currency: currency.optional(),
  codes: codesGiven.optional(),
  locale: localeGiven.optional(),
});
export type CheckoutGiven = z.output<typeof checkoutGiven>;

export const completeGiven = z.strictObject({
  payment: z
    .strictObject({ handler: z.string().min(1).max(40), method: z.string().min(1).max(40) })
    .nullable()
    .optional()
    .meta({ description: 'One of `paymentHandlers`. Required unless the total is zero.' }),
  total: moneyGiven.optional().meta({
    description: 'What the buyer has seen: where it is not the total any more, nothing is done.',
  }),
});
export type CompleteGiven = z.output<typeof completeGiven>;
