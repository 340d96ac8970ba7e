import { dictionary } from '@steward/kernel';
import { z } from 'zod';

export const severities = ['info', 'warning', 'error'] as const;

/** What a buyer is told about a cart or a checkout. While there is an `error`, it cannot be completed. */
export const message = z.object({
  /** For programs. */
  code: z.string(),
  severity: z.enum(severities),
  /** For people, in English. */
  text: z.string(),
  lineId: z.uuid().optional(),
  /** Of the member that it is about. */
  pointer: z.string().optional(),
});
export type Message = z.output<typeof message>;

const ofCodes = dictionary<string>({
  discount_not_found: 'There is no such code.',
  discount_not_started: 'The code counts later.',
  discount_ended: 'The code has ended.',
  discount_exhausted: 'The code was used as often as it can be.',
  discount_used_by_buyer: 'You have used the code as often as you can.',
  discount_wrong_currency: 'The code does not count in this currency.',
  discount_nothing_eligible: 'The code is for other articles.',
  discount_minimum_not_met: 'The code counts from a larger order on.',
  discount_not_combinable: 'The code cannot be combined with the others.',
  discount_outdone: 'Other discounts take more off, and the code cannot be combined with them.',
  discount_too_many: 'So many codes cannot be used at once.',
});

export const codeRefused = (reason: string, at: number): Message => ({
  code: reason,
  severity: 'warning',
  text: ofCodes[reason] ?? 'The code does nothing.',
  pointer: `/codes/${at}`,
});

const ofLine = (lineId: string, code: string, severity: Message['severity'], text: string): Message => ({
  code,
  severity,
  text,
  lineId,
});

export const noLongerSold = (lineId: string, title: string): Message =>
  ofLine(lineId, 'no_longer_sold', 'error', `${title} is not sold any more: remove it.`);
export const outOfStock = (lineId: string, title: string): Message =>
  ofLine(lineId, 'out_of_stock', 'error', `${title} is sold out.`);
export const tooFew = (lineId: string, title: string, left: number): Message =>
  ofLine(lineId, 'quantity_not_available', 'error', `Of ${title} only ${left} can be bought.`);
export const priceChanged = (lineId: string, title: string): Message =>
  ofLine(lineId, 'price_changed', 'warning', `The price of ${title} has changed.`);

export const amountTooLarge: Message = {
  code: 'amount_too_large',
  severity: 'error',
  text: 'The order is too large: lower the quantities.',
};
export const countryNotServed: Message = {
  code: 'country_not_served',
  severity: 'error',
  text: 'The shop ships nothing to this address.',
  pointer: '/shippingAddress/country',
};
export const vatNumberUnread: Message = {
  code: 'vat_number_unread',
  severity: 'warning',
  text: 'The VAT number has no form of the European Union, so tax is charged: correct it, or leave it out.',
  pointer: '/vatNumber',
};
export const noShippingOption: Message = {
  code: 'no_shipping_option',
  severity: 'error',
  text: 'No way of shipping fits this order and address.',
  pointer: '/shippingOptionId',
};
export const shippingOptionGone: Message = {
  code: 'shipping_option_gone',
  severity: 'warning',
  text: 'The chosen way of shipping does not fit this order any more: choose another.',
  pointer: '/shippingOptionId',
};
export const paymentDeclined = (reason: string): Message => ({
  code: 'payment_declined',
  severity: 'warning',
  text: `The payment was declined (${reason}): pay in another way.`,
  pointer: '/payment',
});
