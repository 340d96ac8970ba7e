import type { Receiver } from '@steward/callbacks';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses, Log } from '@steward/kernel';
import type { CardSettings, Orders } from '@steward/orders';
import type { Tenancy } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import type { CheckoutDeps } from './deps.ts';
import { discountRoutes } from './discounts/routes.ts';
import { discountTools } from './discounts/tools.ts';
import type { SessionDeps } from './sessions/deps.ts';
import { cardPayments } from './sessions/callbacks.ts';
import { createFollowUp, followUp } from './sessions/job.ts';
import { checkoutRoutes } from './sessions/routes.ts';
import { checkoutTools } from './sessions/tools.ts';
import { shippingRoutes } from './shipping/routes.ts';
import { shippingTools } from './shipping/tools.ts';
import { taxRoutes } from './tax/routes.ts';
import { taxTools } from './tax/tools.ts';

export const name = 'checkout';
export { checkoutNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { checkoutFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export const tools: readonly Tool<CheckoutDeps>[] = [...taxTools, ...shippingTools, ...discountTools, ...checkoutTools];
export type { Address } from './places/address.ts';
export { type Among, classOf, type Discount, type DiscountClass, type Rule } from './totals/discount.ts';
export { chooseDiscounts, type Choice } from './totals/choose.ts';
export { type Line, type LineTax, mostOfOneLine, type ShippingLine } from './totals/line.ts';
export { type Charged, type ChargedLine, type Priced, type TaxSum, type Totals, totalsOf } from './totals/totals.ts';
export { notShipped, type Shipping, shippingFor, type ShippingQuestion, type ShippingQuote } from './shipping/quote.ts';
export { type Inapplicable, type Sale } from './discounts/applicable.ts';
export { type Discounting, discountsFor, mostCodes } from './discounts/for-order.ts';
export { releaseDiscounts, useDiscounts } from './discounts/use.ts';
export { type TaxAnswer, type TaxedBuyer, type TaxEngine, type TaxQuestion, zoneEngine } from './tax/engine.ts';
export { taxCategories, zonesTaxedBy } from './tax/zones-with.ts';
export { quoteEdit } from './pricing/for-edit.ts';
export { pickupsAt } from './shipping/pickups-at.ts';
export { addressesOfTests } from './sessions/addresses.ts';
export { shippingOptionsNamed } from './shipping/options-named.ts';
export { createPickups, type Pickup, type Pickups } from './shipping/pickups.ts';
export { countryOfVatNumber } from './tax/vat-number.ts';

export { afresh } from './carts/afresh.ts';
export { type Cart, cart, type DoorState, type Holding, type Shop } from './carts/cart.ts';
export { codesGiven, linesGiven, quantitiesGiven } from './carts/given.ts';
export { cartGiven, createCart } from './carts/create.ts';
export { getCart } from './carts/get.ts';
export { cartBytes } from './room/kept.ts';
export { makeRoom } from './room/make.ts';
export { isToken, tokenDigest, tokenOf } from './carts/token.ts';
export { addLines, type Asked, cancelCart, replaceCart, setCodes, setQuantities } from './carts/change.ts';
export { type Answered, answeredBefore, claim, keepAnswer, type Repeatable } from './once/once.ts';
export { type AgentSale, agentSaleOf } from './sessions/agent-sale.ts';
export { cancelCheckout } from './sessions/cancel.ts';
export { isAttemptLimit } from './sessions/attempts.ts';
export { countCheckouts } from './sessions/count.ts';
export { completedBefore, hasChanged } from './sessions/refusal.ts';
export { completeByToken, completeCheckout, confirmCheckout } from './sessions/complete.ts';
export { checkoutChange, checkoutGiven, completeGiven } from './sessions/given.ts';
export { deleteTestCheckouts } from './sessions/delete-tests.ts';
export { cardPayments } from './sessions/callbacks.ts';
export { paymentSecrets } from './sessions/secrets.ts';
export { eraseBuyer } from './sessions/erase.ts';
export { getCheckout } from './sessions/get.ts';
export { keepDoorState } from './sessions/keep-door-state.ts';
export { type Opening, openCheckout } from './sessions/open.ts';
export { type Checkout as BuyerCheckout, checkout } from './sessions/session.ts';
export { updateCheckout, type Updated } from './sessions/update.ts';
export { followUp };
export type { SessionDeps };

export interface CheckoutPorts extends CheckoutDeps {
  readonly config: { readonly cards: CardSettings };
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly tenancy: Tenancy;
  readonly log: Pick<Log, 'warn'>;
  readonly secret: Uint8Array;
  readonly orders: Pick<Orders, 'place' | 'preparePlacing' | 'orderTokens' | 'orderPage' | 'payments' | 'howToPay'>;
}

export interface Checkout {
  /** What carts and checkouts of buyers run with, for the doors that serve them. */
  readonly sessions: SessionDeps;
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
  readonly receivers: readonly Receiver[];
  /** Starts following up payments that were left in the middle. */
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What checkouts run with. */
export const sessionDeps = ({ secret, orders }: Pick<CheckoutPorts, 'secret' | 'orders'>): SessionDeps => ({
  secret,
  payments: orders.payments,
  howToPay: orders.howToPay,
  placeOrder: orders.place,
  prepareOrder: orders.preparePlacing,
  tokenOf: (tenant, orderId) => orders.orderTokens.of({ tenant, orderId }),
  statusUrlOf: orders.orderPage,
});

/** Its routes are served at commerce's address: `/api/tax-…`, `/api/shipping-…`, `/api/discounts…`, `/api/checkouts…`. */
export function create(ports: CheckoutPorts): Checkout {
  const { config, identity, addresses, toolCatalogue, tenancy, log, brandIn, productsIn, collectionsIn, locationIn } =
    ports;
  const deps: CheckoutDeps = { brandIn, productsIn, collectionsIn, locationIn };
  toolCatalogue.bind(tools, deps);
  const guard = identity.tenant(addresses.commerce);
  const sessions = sessionDeps(ports);
  const following = createFollowUp(tenancy, sessions, log);
  return {
    sessions,
    serves: [
      {
        at: 'commerce',
        routes: [
          ...taxRoutes(guard),
          ...shippingRoutes(guard, deps),
          ...discountRoutes(guard, deps),
          ...checkoutRoutes(guard),
        ],
      },
    ],
    receivers: [cardPayments(sessions, config.cards)],
    start: following.start,
    [Symbol.asyncDispose]: following.stop,
  };
}
