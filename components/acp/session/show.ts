import { takes } from '@steward/agentic';
import type { BuyerCheckout as Checkout, Pickup } from '@steward/checkout';
import { isAtBank } from '../page/link.ts';
import { byBuyer, type Message, problem } from '../shown/message.ts';
import { minorOf } from '../shown/money.ts';
import { total } from '../shown/totals.ts';
import { version } from '../versions.ts';
import type { Visit } from '../visit.ts';
import { showHandlers, usable } from './handlers.ts';
import { addressFrom } from './address.ts';
import { showLinks } from './links.ts';
import { itemIdOf, showApplied, showLines, showTotals } from './lines.ts';
import { messagesOf, rejectedOf } from './messages.ts';
import { goesToBank, type State, stateOf } from './state.ts';
import { digitalOption } from './wanted.ts';

/** Another card may pay. */
const paidOtherwise = new Set(['payment_declined', 'intervention_required']);
const over = new Set<Checkout['status']>(['completed', 'cancelled', 'expired']);

/** The part of the protocol for discounts, which every session has. */
const discountExtension = {
  name: 'discount',
  extends: [
    '$.CheckoutSessionCreateRequest.discounts',
    '$.CheckoutSessionUpdateRequest.discounts',
    '$.CheckoutSession.discounts',
  ],
};

/** Of the handler for tests, which asks no issuer. */
const authentication = {
  acquirer_details: {
    acquirer_bin: '000000',
    acquirer_country: 'US',
    acquirer_merchant_id: 'test',
    merchant_name: 'Test',
  },
  directory_server: 'visa',
};

/**
 * A session in the words of the protocol. @param more what is told beside what the session says of itself
 * @param order what became of it; undefined: what the session knows of it
 */
export function showSession(
  checkout: Checkout,
  door: Pick<Visit, 'base' | 'shop' | 'links' | 'continueUrl'> & { readonly pickups?: readonly Pickup[] },
  more: readonly Message[] = [],
  order?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const state = stateOf(checkout);
  const ended = over.has(checkout.status);
  const own = ended ? [] : messagesOf(checkout, state);
  const atBank = isAtBank(checkout) && goesToBank(state);
  const messages = [
    ...(atBank ? [confirmed] : []),
    ...more,
    ...own,
    ...(!ended && cannotBePaid(checkout, own) ? [unpayable] : []),
  ];
  const status = atBank ? 'requires_escalation' : statusOf(checkout, messages);
  const supported = goesToBank(state) ? ['3ds'] : [];
  return {
    id: checkout.id,
    protocol: { version },
    capabilities: {
      payment: { handlers: ended ? [] : showHandlers(checkout.paymentHandlers, door) },
      interventions: { supported, required: [], enforcement: 'conditional' },
      extensions: [discountExtension],
    },
    ...(state.buyer === undefined ? {} : { buyer: state.buyer }),
    status,
    currency: checkout.currency.toLowerCase(),
    ...(checkout.locale === null ? {} : { locale: checkout.locale }),
    line_items: showLines(checkout, state.names),
    ...(state.details === undefined ? {} : { fulfillment_details: state.details }),
    fulfillment_options: optionsOf(checkout, ended ? [] : (door.pickups ?? [])),
    ...selectedOf(checkout, state),
    totals: showTotals(checkout),
    messages,
    links: showLinks(door.links),
    ...(status === 'authentication_required' ? { authentication_metadata: authentication } : {}),
    ...(ended ? {} : { expires_at: checkout.expiresAt }),
    ...(atBank ? { continue_url: door.continueUrl(checkout.id) } : {}),
    ...(state.metadata === undefined ? {} : { metadata: state.metadata }),
    discounts: {
      codes: state.codes ?? [...checkout.codes],
      applied: showApplied(checkout),
      rejected: ended ? [] : rejectedOf(checkout, state),
    },
    ...(checkout.order === null
      ? {}
      : {
          order: order ?? {
            id: checkout.order.id,
            checkout_session_id: checkout.id,
            order_number: checkout.order.number,
            permalink_url: checkout.order.statusUrl,
            status: 'confirmed',
          },
        }),
  };
}

const unpayable = problem('unsupported', 'The shop offers no way of paying that an agent could take.');

/** Of a card the provider asks the bank itself, and says of the acquirer nothing that `authentication_metadata` would have. */
const confirmed = byBuyer('requires_3ds', 'The bank of the buyer wants to see them: have them open continue_url.');

/** All is there, but no way of paying that an agent could take. */
const cannotBePaid = ({ status, paymentHandlers, total: sum, missing }: Checkout, own: readonly Message[]): boolean =>
  (status === 'open' || status === 'ready') &&
  isWithoutBillAlone(missing) &&
  own.every(({ type }) => type !== 'error') &&
  minorOf(sum) > 0 &&
  usable(paymentHandlers).length === 0;

/** The bill of what is not shipped comes with the payment. */
const isWithoutBillAlone = (missing: Checkout['missing']): boolean =>
  missing.every((want) => want === 'billing_address');

function statusOf({ status, missing, payment }: Checkout, messages: readonly Message[]): string {
  switch (status) {
    case 'completed':
    case 'expired':
      return status;
    case 'cancelled':
      return 'canceled';
    case 'completing':
      return payment?.action?.kind === 'confirm' ? 'authentication_required' : 'complete_in_progress';
    default: {
      const stops = messages.some(({ type, code = '' }) => type === 'error' && !paidOtherwise.has(code));
      return isWithoutBillAlone(missing) && !stops ? 'ready_for_payment' : 'not_ready_for_payment';
    }
  }
}

function optionsOf(
  { shippingRequired, shippingOptions, lines }: Checkout,
  pickups: readonly Pickup[],
): Readonly<Record<string, unknown>>[] {
  if (!shippingRequired)
    return lines.length === 0
      ? []
      : [{ type: 'digital', id: digitalOption, title: 'Nothing is shipped', totals: [total('total', 0)] }];
  const described = (one: Checkout['shippingOptions'][number] | undefined) => {
    const said = one === undefined ? undefined : takes(one);
    return said === undefined ? {} : { description: said };
  };
  return [
    ...shippingOptions
      .filter(({ kind }) => kind !== 'pickup')
      .map((one) => ({
        type: 'shipping',
        id: one.id,
        title: one.name,
        ...described(one),
        totals: [total('total', minorOf(one.price), one.name)],
      })),
    ...pickups.map(({ id, name, price, location }) => {
      const now = shippingOptions.find((one) => one.id === id);
      return {
        type: 'pickup',
        id,
        title: name,
        ...described(now),
        location: { name: location.name, address: addressFrom(location.address) },
        pickup_type: 'in_store',
        totals: [total('total', minorOf(now?.price ?? price), name)],
      };
    }),
  ];
}

function selectedOf({ shippingRequired, shippingOptionId, shippingOptions, lines }: Checkout, { names }: State) {
  const option = shippingRequired ? shippingOptionId : digitalOption;
  if (option === null || lines.length === 0) return {};
  const ids = lines.map(({ variantId }) => itemIdOf(variantId, names));
  const isPickup = shippingOptions.some(({ id, kind }) => id === option && kind === 'pickup');
  const type = !shippingRequired ? 'digital' : isPickup ? 'pickup' : 'shipping';
  return { selected_fulfillment_options: [{ type, option_id: option, item_ids: ids }] };
}
