import type { BuyerCheckout as Checkout, Cart } from '@steward/checkout';
import { byBuyer, discountCodes, type Message, problem, warning } from '../shown/message.ts';
import { faultsOfAddress } from './address.ts';
import type { State } from './state.ts';
import { codesLeft, emailOf } from './wanted.ts';

type Told = Pick<Cart, 'messages' | 'lines' | 'codes'>;

const address = '$.fulfillment_details.address';

/** A code that does nothing, and why. */
export interface Rejected {
  readonly code: string;
  readonly reason: string;
  readonly message: string;
}

export const rejectedOf = (
  { messages, codes }: Pick<Told, 'messages' | 'codes'>,
  { codes: sent = [] }: State,
): Rejected[] => [
  ...messages.flatMap(({ code, text, pointer }): Rejected[] => {
    const reason = discountCodes[code];
    if (reason === undefined) return [];
    const said = codes[Number(pointer?.split('/')[2])] ?? '';
    const own = sent.find((one) => one.trim().toLowerCase() === said.trim().toLowerCase()) ?? said;
    return [{ code: own, reason, message: text }];
  }),
  ...codesLeft(sent).map((at) => ({
    code: sent[at] ?? '',
    reason: 'discount_code_invalid',
    message: 'There is no such code, or more codes than count at once.',
  })),
];

/** What our shop says of lines, codes and addresses, in the words of the protocol. */
export function translated(told: Told, state: State): Message[] {
  const { messages, lines } = told;
  const line = (lineId: string | undefined, member = '') => {
    const at = lines.findIndex(({ id }) => id === lineId);
    return at < 0 ? '$.line_items' : `$.line_items[${at}]${member}`;
  };
  const own = messages.flatMap(({ code, severity, text, lineId }): Message[] => {
    if (discountCodes[code] !== undefined) return [];
    switch (code) {
      case 'out_of_stock':
        return [problem('out_of_stock', text, line(lineId))];
      case 'quantity_not_available':
        return [problem('quantity_exceeded', text, line(lineId, '.quantity'))];
      case 'no_longer_sold':
        return [problem('not_found', text, line(lineId))];
      case 'amount_too_large':
        return [problem('maximum_exceeded', text, '$.line_items')];
      case 'country_not_served':
        return [problem('region_restricted', text, `${address}.country`)];
      case 'no_shipping_option':
        return [problem('region_restricted', text, address)];
      case 'shipping_option_gone':
        return [warning('limited_availability', text, '$.selected_fulfillment_options')];
      case 'price_changed':
        return [warning('price_change', text, line(lineId))];
      case 'payment_declined':
        return [problem('payment_declined', text, '$.payment_data')];
      default:
        return severity === 'error'
          ? [problem('invalid', text)]
          : [{ type: 'info', content_type: 'plain', content: text }];
    }
  });
  const { codes: sent = [], gone = [] } = state;
  return [
    ...own,
    ...gone.map((id) => problem('not_found', `Nothing is sold as ${id}: the other items are there.`, '$.line_items')),
    ...rejectedOf(told, state).map(({ code, reason, message }) =>
      warning(reason, message, `$.discounts.codes[${Math.max(0, sent.indexOf(code))}]`),
    ),
    ...faultsOfBuyer(state),
  ];
}

function faultsOfBuyer({ buyer, details }: State): Message[] {
  const wrong = (email: string | undefined, param: string) =>
    email !== undefined && emailOf(email) === undefined
      ? [problem('invalid', 'This is no e-mail address: give one such as ann@example.com.', param)]
      : [];
  return [
    ...wrong(buyer?.email, '$.buyer.email'),
    ...(buyer === undefined ? wrong(details?.email, '$.fulfillment_details.email') : []),
  ];
}

const toBank = byBuyer(
  'intervention_required',
  'The bank of the buyer wants to see them, and nothing was paid: pay by another card, or by a session that says 3ds in capabilities.interventions.supported.',
);

/** All that is said of a session that still may change. */
export function messagesOf(checkout: Checkout, state: State): Message[] {
  const unseen = checkout.payment?.reason === 'authentication_required';
  const told = translated(checkout, state).map((one) => (unseen && one.code === 'payment_declined' ? toBank : one));
  const given = state.details?.address;
  const ofAddress =
    checkout.shippingRequired && given !== undefined && state.pickup === undefined
      ? faultsOfAddress(given, address)
      : [];
  const stops = told.some(({ type }) => type === 'error');
  const missing = checkout.missing.flatMap((want): Message[] => {
    switch (want) {
      case 'lines':
        return stops || checkout.lines.length > 0 ? [] : [problem('missing', 'There are no items.', '$.line_items')];
      case 'email':
        return state.buyer?.email === undefined && state.details?.email === undefined
          ? [problem('missing', 'The e-mail address of the buyer is required.', '$.buyer.email')]
          : [];
      case 'shipping_address':
        return ofAddress.length > 0 ? [] : [problem('missing', 'Say where the goods go.', address)];
      case 'shipping_option':
        // Which there are depends on the address.
        return given === undefined || checkout.shippingOptions.length === 0
          ? []
          : [problem('missing', 'Select one of fulfillment_options.', '$.selected_fulfillment_options')];
      case 'billing_address':
        return [];
    }
  });
  return [...told, ...ofAddress, ...missing];
}
