import { takes } from '@steward/agentic';
import type { BuyerCheckout as Checkout, Pickup } from '@steward/checkout';
import { tokenOf } from '@steward/checkout';
import { envelope } from '../shown/outcome.ts';
import type { Message } from '../shown/message.ts';
import { minorOf } from '../shown/money.ts';
import type { Total } from '../shown/totals.ts';
import { apart } from '../shown/titles.ts';
import { names as capabilities } from '../negotiation/versions.ts';
import type { Visit } from '../visit.ts';
import { showConsent } from './buyer.ts';
import { postalFrom } from './destination.ts';
import { showHandlers, usable } from './handlers.ts';
import { showLinks } from './links.ts';
import { showApplied, showLines, showTotals } from './lines.ts';
import { messagesOf } from './messages.ts';
import { optionsOf, type State, stateOf } from './state.ts';

/** How a way of shipping is called, and what it costs. */
export interface OfferedOption {
  readonly id: string;
  readonly title: string;
  /** Minor units. */
  readonly amount: number;
}
export type Offered = (option: Checkout['shippingOptions'][number]) => OfferedOption;

/** The page where the buyer goes on with a checkout: its address opens it. */
export const continueUrl = (base: string, secret: Uint8Array, id: string): string =>
  `${base}/checkout/${id}?t=${tokenOf(secret, id)}`;

const over = new Set<Checkout['status']>(['completed', 'cancelled', 'expired']);

/** @param more what is told beside what the checkout says of itself */
export function showCheckout(
  visit: Visit,
  checkout: Checkout,
  {
    secret,
    offered,
    totals,
    pickups = [],
    more = [],
  }: {
    readonly secret: Uint8Array;
    readonly offered: Offered;
    readonly totals: (totals: readonly Total[]) => readonly Total[];
    readonly pickups?: readonly Pickup[];
    readonly more?: readonly Message[];
  },
): Readonly<Record<string, unknown>> {
  const { version, active } = visit;
  const state = stateOf(checkout);
  const ended = over.has(checkout.status);
  const own = ended ? [] : messagesOf(visit, checkout, state);
  const unpayable = !ended && paysByHand(checkout, own);
  const messages = [
    ...more,
    ...own,
    ...(unpayable
      ? [
          {
            type: 'error' as const,
            code: 'payment_handoff_required',
            content: 'The buyer must pay on the page of the shop.',
            severity: 'requires_buyer_input' as const,
          },
        ]
      : []),
  ];
  const consent = active.has(capabilities.consent) ? showConsent(state.consent, version) : undefined;
  const buyer = { ...state.buyer, ...(consent === undefined ? {} : { consent }) };
  return {
    ucp: envelope(visit, capabilities.checkout, {
      payment_handlers: showHandlers(checkout.paymentHandlers, version),
    }),
    id: checkout.id,
    status: statusOf(checkout, messages, state),
    currency: checkout.currency,
    line_items: showLines(checkout, state.names),
    totals: totals(showTotals(checkout)),
    ...(Object.keys(buyer).length === 0 ? {} : { buyer }),
    ...(active.has(capabilities.discount)
      ? { discounts: { codes: state.codes ?? [...checkout.codes], applied: showApplied(checkout) } }
      : {}),
    ...(active.has(capabilities.fulfillment) && checkout.shippingRequired
      ? { fulfillment: fulfillmentOf(visit, checkout, state, { offered, pickups }) }
      : {}),
    payment: { instruments: state.instruments ?? [] },
    ...(state.attribution === undefined ? {} : { attribution: state.attribution }),
    ...(messages.length === 0 ? {} : { messages }),
    links: showLinks(visit.links),
    ...(ended ? {} : { expires_at: checkout.expiresAt, continue_url: continueUrl(visit.base, secret, checkout.id) }),
    ...(checkout.status !== 'completed' || checkout.order === null
      ? {}
      : {
          order: {
            id: checkout.order.id,
            label: checkout.order.number,
            permalink_url: checkout.order.statusUrl,
          },
        }),
  };
}

/** All is there, but no way of paying that an agent could take. */
const paysByHand = ({ status, paymentHandlers, total, missing }: Checkout, own: readonly Message[]): boolean =>
  (status === 'open' || status === 'ready') &&
  missing.every((want) => want === 'billing_address') &&
  own.every(({ type }) => type !== 'error') &&
  minorOf(total) > 0 &&
  usable(paymentHandlers).length === 0;

function statusOf({ status, missing }: Checkout, messages: readonly Message[], { left }: State): string {
  if (status === 'completed') return 'completed';
  if (status === 'cancelled' || status === 'expired') return 'canceled';
  const severities = new Set(messages.flatMap((one) => (one.type === 'error' ? [one.severity] : [])));
  const byHand = severities.has('requires_buyer_input') || severities.has('requires_buyer_review');
  if (byHand && !severities.has('recoverable')) return 'requires_escalation';
  if (status === 'completing') return 'complete_in_progress';
  if (left !== undefined) return 'incomplete';
  // The bill of what is not shipped comes with the payment.
  const ready = status === 'ready' || (severities.size === 0 && missing.every((want) => want === 'billing_address'));
  return ready ? 'ready_for_complete' : 'incomplete';
}

interface Offers {
  readonly offered: Offered;
  readonly pickups: readonly Pickup[];
}

/** One method, since all goods of an order go one way; that there is another one is a hint. */
function fulfillmentOf({ version }: Visit, checkout: Checkout, { fulfillment }: State, { offered, pickups }: Offers) {
  const lineIds = checkout.lines.map(({ id }) => id);
  const newer = version === '2026-08-25';
  const isPickup = fulfillment?.pickup === true;
  const options = optionsOf(checkout);
  const selected = options.find(({ id }) => id === checkout.shippingOptionId);
  const titles = apart(options.map((one) => offered(one).title));
  const places = [...new Map(pickups.map(({ location }) => [location.id, location])).values()];
  const destinations = isPickup
    ? places.map(({ id, name, address }) => ({ type: 'business_location', id, name, address: postalFrom(address) }))
    : (fulfillment?.destinations ?? []).map((one) => (newer ? { type: 'shipping_address', ...one } : one));
  const method = {
    id: fulfillment?.methodId ?? 'shipping',
    type: isPickup ? 'pickup' : 'shipping',
    line_item_ids: lineIds,
    ...(destinations.length === 0 ? {} : { destinations }),
    selected_destination_id: fulfillment?.destinationId ?? null,
    groups:
      fulfillment?.destinationId == null
        ? []
        : [
            {
              id: fulfillment.groupId,
              line_item_ids: lineIds,
              options: options.map((one, at) => {
                const said = takes(one);
                const { id, amount } = offered(one);
                return {
                  id,
                  title: titles[at],
                  ...(said === undefined ? {} : { description: newer ? { plain: said } : said }),
                  totals: [{ type: 'total', amount }],
                };
              }),
              selected_option_id: selected === undefined ? null : offered(selected).id,
            },
          ],
  };
  const hint = {
    type: 'pickup',
    line_item_ids: lineIds,
    fulfillable_on: null,
    description: `Pickup at ${places.map(({ name }) => name).join(', ')}`.slice(0, 1_000),
  };
  return { methods: [method], ...(isPickup || places.length === 0 ? {} : { available_methods: [hint] }) };
}
