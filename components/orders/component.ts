import type { Consumer } from '@steward/bus';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses, Deferred, Scope } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Owed, WordsOwed } from '@steward/mail';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { orderPages } from './buyer/page.ts';
import { createOrderTokens, type OrderTokens } from './buyer/token.ts';
import { letterConsumer } from './letters/consumer.ts';
import { orderPage, readerScope, writeLetter } from './letters/write.ts';
import type { Order } from './orders/order.ts';
import { placeOrder } from './orders/place.ts';
import type { Placing } from './orders/placing.ts';
import { orderRoutes } from './orders/routes.ts';
import { orderTools } from './orders/tools.ts';
import { paymentRoutes } from './payments/routes.ts';
import { paymentTools } from './payments/tools.ts';
import type { OrdersPorts, PlacingPorts } from './ports.ts';
import { refundRoutes } from './refunds/routes.ts';
import { refundTools } from './refunds/tools.ts';
import { returnRoutes } from './returns/routes.ts';
import { returnTools } from './returns/tools.ts';
import type { OrdersSettings } from './settings.ts';
import { readShown, type ShownPorts } from './shown/shown.ts';

export const name = 'orders';
export const tools: readonly Tool<OrdersPorts>[] = [...orderTools, ...paymentTools, ...returnTools, ...refundTools];
export { ordersNouns as nouns } from './nouns.ts';
export { ordersSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { ordersFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { deleteTestOrders } from './orders/delete-tests.ts';
export { countOrdersOf, type ErasedOrders, eraseOrders } from './orders/erase.ts';
export { figuresOf, type OrderFigures, placedBetween } from './orders/between.ts';
export { type PublicOrder, publicOrder, readPublicOrder } from './buyer/public-order.ts';
export type { OrderTokens } from './buyer/token.ts';
export { expectOrder, orderIn, type Order, type OrderLine } from './orders/order.ts';
export { placeOrder };
export { createOrderTokens } from './buyer/token.ts';
export type { PlacedLine, PlacedShipping, PlacedTax, Placing, PostalAddress } from './orders/placing.ts';
export type { Buyer, OrdersPorts, PlacingPorts } from './ports.ts';
export type { Mode } from './words.ts';
export type { PaymentAction, PaymentOutcome } from './payments/handlers/handler.ts';
export { handlersFor, instructionsFor, type PaymentChoice } from './payments/handlers/handlers.ts';
export {
  type PaymentSettings,
  selectSettings as selectPaymentSettings,
  settingsOf as paymentSettingsOf,
} from './payments/settings.ts';
export { type Payment, paymentOfCheckout } from './payments/payment.ts';
export { beginPayment } from './payments/begin.ts';
export { answersLocally, authorize, confirm, lookUp } from './payments/ask.ts';
export { settlePayment } from './payments/settle.ts';
export { attachPayments } from './payments/attach.ts';
export { cancelOrder } from './orders/cancel.ts';
export { fulfilOrder } from './fulfilments/fulfil.ts';
export { recordOrderPayment } from './payments/record.ts';
export { refundOrder } from './refunds/make.ts';
export { type Refund, refundIn } from './refunds/refund.ts';
export { givenUpBy } from './payments/void.ts';
export { takenByOrders } from './refunds/taken.ts';
export { voidPayment } from './payments/void.ts';
export { type Movement, movementsOf } from './payments/movements.ts';

export interface OrdersNeeds extends PlacingPorts, OrdersPorts, ShownPorts {
  readonly config: OrdersSettings;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly limiter: Limiter;
  /** Proves whose an order is; the same in every process. */
  readonly secret: Uint8Array;
  readonly awaited: { readonly orders: Deferred<Pick<Orders, 'writeLetter'>> };
}

export interface Orders {
  readonly serves: readonly [
    { readonly at: 'commerce'; readonly routes: readonly Route[]; register(scope: Scope): void },
  ];
  readonly consumers: readonly Consumer[];
  /** `placeOrder` with what the process has of others. */
  placeOrder(tx: TenantTransaction, placing: Placing): Promise<Order>;
  readonly orderTokens: OrderTokens;
  /** Where the buyer of an order sees it, without signing in: whoever has the link may. */
  orderPage(tenant: string, orderId: string): string;
  /** For the mail worker: the words of a letter that an order owes. */
  writeLetter(tenant: string, owed: Owed): Promise<WordsOwed | undefined>;
}

/**
 * Its routes are served at commerce's address: `/api/orders…`, `/api/fulfilments…`, `/api/returns…`, `/api/refunds` and
 * `/api/payment-settings`; and for the buyer of an order its page, `/orders/{orderId}`.
 */
export function create(needs: OrdersNeeds): Orders {
  const { config, tenancy, identity, addresses, toolCatalogue, limiter, secret, awaited } = needs;
  const { contactOf, releaseDiscounts, contactsById, brandName } = needs;
  const ports = { releaseDiscounts, contactsById };
  toolCatalogue.bind(tools, ports);
  const guard = identity.tenant(addresses.commerce);
  const tokens = createOrderTokens(secret);
  const telling = { tenancy, identity, tokens, brandName, commerce: addresses.commerce };
  const orders: Orders = {
    serves: [
      {
        at: 'commerce',
        routes: [...orderRoutes(guard, ports), ...paymentRoutes(guard), ...returnRoutes(guard), ...refundRoutes(guard)],
        register: (scope) =>
          orderPages(scope, {
            tokens,
            limiter,
            read: async (tenant, orderId) => readShown(readerScope(tenancy, tenant, orderId), orderId, telling),
          }),
      },
    ],
    consumers: [letterConsumer({ identity, lettersPerDay: config.orderLettersPerDay })],
    placeOrder: async (tx, placing) => placeOrder(tx, placing, { contactOf }),
    orderTokens: tokens,
    orderPage: (tenant, orderId) => orderPage(telling, tenant, orderId),
    writeLetter: async (tenant, owed) => writeLetter(telling, tenant, owed),
  };
  awaited.orders.give(orders);
  return orders;
}
