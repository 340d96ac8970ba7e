import type { Cart, BuyerCheckout as Checkout } from '@steward/checkout';
import { names as capabilities } from '../negotiation/versions.ts';
import { discountCodes, type Message, problem, warning } from '../shown/message.ts';
import type { Visit } from '../visit.ts';
import { faultsOfBuyer } from './buyer.ts';
import { faultsOfAddress } from './destination.ts';
import { tellLeftOut } from './items.ts';
import type { State } from './state.ts';
import { isLookedAt } from './wanted.ts';

type Told = Pick<Cart, 'messages' | 'lines' | 'codes'>;

const method = '$.fulfillment.methods[0]';
const option = `${method}.groups[0].selected_option_id`;

/** What our shop says of lines, codes and addresses, in the words of the protocol. */
export function translated({ messages, lines, codes }: Told, { codes: sent = [], fulfillment }: State): Message[] {
  const line = (lineId: string | undefined, member = '') => {
    const at = lines.findIndex(({ id }) => id === lineId);
    return at < 0 ? '$.line_items' : `$.line_items[${at}]${member}`;
  };
  const destination = fulfillment?.destinations.findIndex(({ id }) => id === fulfillment.destinationId) ?? -1;
  const to = destination < 0 ? '$.fulfillment' : `$.fulfillment.methods[0].destinations[${destination}]`;
  return messages.map(({ code, severity, text, lineId, pointer }): Message => {
    switch (code) {
      case 'out_of_stock':
        return problem('out_of_stock', `${text} It is out of stock.`, line(lineId));
      case 'quantity_not_available':
        return problem('out_of_stock', `${text} There is no more of it in stock.`, line(lineId, '.quantity'));
      case 'no_longer_sold':
        return problem('item_unavailable', text, line(lineId));
      case 'amount_too_large':
        return problem(code, text, '$.line_items');
      case 'country_not_served':
        return problem('address_undeliverable', text, `${to}.address_country`);
      case 'no_shipping_option':
        return problem('address_undeliverable', text, to);
      case 'shipping_option_gone':
        return warning('fulfillment_option_unavailable', text, option);
      case 'price_changed':
        return warning('price_changed', text, line(lineId, '.item.price'));
      case 'payment_declined':
        return problem('payment_failed', text, '$.payment');
      default: {
        const known = discountCodes[code];
        if (known !== undefined) {
          const said = codes[Number(pointer?.split('/')[2])] ?? '';
          const at = sent.findIndex((one) => one.trim().toLowerCase() === said.trim().toLowerCase());
          return warning(known, text, `$.discounts.codes[${Math.max(at, 0)}]`);
        }
        return severity === 'error' ? problem(code, text) : { type: severity, code, content: text };
      }
    }
  });
}

/** Codes that the shop does not look at. */
export const codesLeft = ({ codes = [] }: State): Message[] =>
  codes.flatMap((_, at) =>
    isLookedAt(codes, at)
      ? []
      : [
          warning(
            'discount_code_invalid',
            'There is no such code, or more codes than count at once.',
            `$.discounts.codes[${at}]`,
          ),
        ],
  );

/** Nothing is cheaper here for what a buyer is said to be. */
export const claimsLeft = ({ claims = [] }: State): Message[] =>
  claims.map((claim) => warning('eligibility_not_accepted', `Nothing changes by being eligible for ${claim}.`));

/** All that is said of a checkout that still may change. What only the buyer can do comes last. */
export function messagesOf(visit: Pick<Visit, 'active'>, checkout: Checkout, state: State): Message[] {
  const told = translated(checkout, state);
  const { fulfillment } = state;
  const at = fulfillment?.destinations.findIndex(({ id }) => id === fulfillment.destinationId) ?? -1;
  const selected = fulfillment?.pickup ? undefined : fulfillment?.destinations[at];
  const isPlaced = selected !== undefined || (fulfillment?.pickup === true && fulfillment.destinationId !== null);
  const ofAddress =
    checkout.shippingRequired && selected !== undefined
      ? faultsOfAddress(selected, `$.fulfillment.methods[0].destinations[${at}]`)
      : [];
  const stops = told.some(({ type }) => type === 'error');
  const missing = checkout.missing.flatMap((want): Message[] => {
    switch (want) {
      case 'lines':
        return stops || checkout.lines.length > 0 ? [] : [problem('missing', 'There are no items.', '$.line_items')];
      case 'email':
        return state.buyer?.email === undefined
          ? [problem('missing', 'The e-mail address of the buyer is required.', '$.buyer.email')]
          : [];
      case 'shipping_address':
        if (!visit.active.has(capabilities.fulfillment)) return [];
        return ofAddress.length > 0
          ? []
          : [
              fulfillment?.pickup
                ? problem('missing', 'Select where the goods are fetched.', `${method}.selected_destination_id`)
                : problem('missing', 'Say where the goods go, and select the destination.', '$.fulfillment'),
            ];
      case 'shipping_option':
        // Which there are depends on the address.
        return !isPlaced || !visit.active.has(capabilities.fulfillment) || checkout.shippingOptions.length === 0
          ? []
          : [problem('missing', 'Select one of the options of fulfillment.', option)];
      case 'billing_address':
        return [];
    }
  });
  return [
    ...tellLeftOut(state.left),
    ...told,
    ...codesLeft(state),
    ...claimsLeft(state),
    ...faultsOfBuyer(state.buyer),
    ...ofAddress,
    ...missing,
    ...byHand(visit, checkout),
  ];
}

/** What this agent cannot do, but the buyer on our page. */
function byHand(
  { active }: Pick<Visit, 'active'>,
  { payment, missing, shippingRequired, status }: Checkout,
): Message[] {
  if (status === 'completing')
    return payment?.action == null
      ? []
      : [
          problem(
            'payment_authentication_required',
            'The buyer must confirm the payment.',
            '$.payment',
            'requires_buyer_input',
          ),
        ];
  const ways = missing.some((want) => want === 'shipping_address' || want === 'shipping_option');
  return shippingRequired && ways && !active.has(capabilities.fulfillment)
    ? [
        problem(
          'fulfillment_required',
          'The buyer must say where the goods go, and how.',
          undefined,
          'requires_buyer_input',
        ),
      ]
    : [];
}
