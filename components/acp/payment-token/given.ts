import { isCurrency } from '@steward/kernel';
import { z } from 'zod';
import { largest, many, text } from '../shown/given.ts';
import { isCardNumber, isOver } from './card.ts';

/** Of an address of a bill, which nothing is done with: lengths are those of the protocol. */
const address = z.strictObject({
  name: text(256),
  line_one: text(60),
  line_two: text(60).optional(),
  city: text(60),
  state: text(100),
  country: text(2).min(2),
  postal_code: text(20),
});

const free = z.record(text(200), text(500)).refine((one) => Object.keys(one).length <= 50, 'Give at most 50 members');

const card = z
  .strictObject({
    type: z.literal('card'),
    card_number_type: z.enum(['fpan', 'network_token']),
    number: text(64).min(1),
    exp_month: text(2)
      .regex(/^(?:0[1-9]|1[0-2])$/, 'Give 01 to 12')
      .optional(),
    exp_year: text(4)
      .regex(/^\d{4}$/, 'Give four digits')
      .optional(),
    name: text(200).optional(),
    cvc: text(4)
      .regex(/^\d{3,4}$/, 'Give three or four digits')
      .optional(),
    cryptogram: text(200).optional(),
    eci_value: text(2).optional(),
    checks_performed: many(z.enum(['avs', 'cvv', 'ani', 'auth0']), 10).optional(),
    iin: text(8).optional(),
    display_card_funding_type: z.enum(['credit', 'debit', 'prepaid']),
    display_wallet_type: text(100).optional(),
    display_brand: text(100).optional(),
    display_last4: text(4)
      .regex(/^\d{4}$/, 'Give four digits')
      .optional(),
    metadata: free,
    virtual: z.boolean().optional(),
  })
  .refine(isCardNumber, { path: ['number'], message: 'This is no number of a card: its digits do not fit together' })
  .refine((given) => !isOver(given), { path: ['exp_year'], message: 'The card has expired' });

const allowance = z.strictObject({
  reason: z.literal('one_time'),
  max_amount: z.int().min(0).max(largest),
  currency: text(3)
    .regex(/^[a-z]{3}$/, 'Give a currency of ISO 4217 in lower case, such as usd')
    .refine((code) => isCurrency(code.toUpperCase()), 'Give a currency of ISO 4217, such as usd'),
  checkout_session_id: text(255).min(1),
  merchant_id: text(256).min(1),
  expires_at: text(40)
    .pipe(z.iso.datetime({ offset: true }))
    .refine((at) => Date.parse(at) > Date.now(), 'Give a time that is still to come'),
});

export const delegateGiven = z.strictObject({
  payment_method: card,
  allowance,
  billing_address: address.optional(),
  risk_signals: many(
    z.strictObject({
      type: z.literal('card_testing'),
      score: z.int().min(-largest).max(largest),
      action: z.enum(['blocked', 'manual_review', 'authorized']),
    }),
    20,
  ).min(1),
  metadata: free,
});
export type DelegateGiven = z.output<typeof delegateGiven>;
