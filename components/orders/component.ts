import { howToPay } from './payments/how-to-pay.ts';
import type { PaymentSettings } from './payments/settings.ts';
import type { Audit } from '@steward/audit';
import type { Consumer } from '@steward/bus';
import type { Receiver } from '@steward/callbacks';
import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses, Deferred, Log, Scope } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { Owed, WordsOwed } from '@steward/mail';
import type { Tenancy, TenantTransaction } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import { orderPages } from './buyer/page.ts';
import { createOrderTokens, type OrderTokens } from './buyer/token.ts';
import { editRoutes } from './edits/routes.ts';
import { editTools } from './edits/tools.ts';
import { letterConsumer } from './letters/consumer.ts';
import { letterRoutes } from './letters/routes.ts';
import { letterTools } from './letters/tools.ts';
import { type SellerPorts, orderPage, readerScope, writeLetter } from './letters/write.ts';
import type { Order } from './orders/order.ts';
import { type Beside, place, type PlacedOrder, placeOrder, type Prepared, preparePlacing } from './orders/place.ts';
import type { Placing } from './orders/placing.ts';
import { orderRoutes } from './orders/routes.ts';
import { orderTools } from './orders/tools.ts';
import { connectedAccounts } from './payments/handlers/card/connected.ts';
import { createPayments, type Payments } from './payments/payments.ts';
import { createOverdueOrders } from './payments/overdue/job.ts';
import { createProviderRequests } from './payments/requests/job.ts';
import { paymentRoutes } from './payments/routes.ts';
import { paymentTools } from './payments/tools.ts';
import type { OrdersPorts, PaperPorts, PlacingPorts } from './ports.ts';
import { refundRoutes } from './refunds/routes.ts';
import { refundTools } from './refunds/tools.ts';
import { returnRoutes } from './returns/routes.ts';
import { returnTools } from './returns/tools.ts';
import type { OrdersSettings } from './settings.ts';
import { readShown, type ShownPorts } from './shown/shown.ts';
import { shipping } from './tracking/callbacks.ts';

export const name = 'orders';
export const tools: readonly Tool<OrdersPorts>[] = [
  ...orderTools,
  ...editTools,
  ...paymentTools,
  ...returnTools,
  ...refundTools,
  ...letterTools,
];
export { ordersNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export { ordersSettings as settings } from './settings.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { ordersFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export { deleteTestOrders } from './orders/delete-tests.ts';
export { countOrdersOf, type ErasedOrders, eraseOrders } from './orders/erase.ts';
export { figuresOf, type OrderFigures, placedBetween } from './orders/between.ts';
export { type PublicOrder, publicOrder, readPublicOrder } from './buyer/public-order.ts';
export { mannerOf } from './shown/format.ts';
export { pageLinks } from './shown/summary.ts';
export type { OrderTokens } from './buyer/token.ts';
export { expectOrder, orderIn, type Order, type OrderLine } from './orders/order.ts';
export { type Beside, place, type PlacedOrder, placeOrder, type Prepared, preparePlacing };
export { addressGiven, country, postalAddress, postcode } from './orders/address.ts';
export { editOrder } from './edits/make.ts';
export { type EditedOrder, editIn, editsOf } from './edits/stored.ts';
export type { VersionLine, VersionShipping } from './edits/version.ts';
export { createOrderTokens } from './buyer/token.ts';
export type { PlacedLine, PlacedShipping, PlacedTax, Placing, PostalAddress } from './orders/placing.ts';
export type { Buyer, EditAnswer, EditQuestion, OrdersPorts, Paper, PlacingPorts } from './ports.ts';
export type { Mode } from './words.ts';
export type { PaymentAction, PaymentOutcome } from './payments/handlers/handler.ts';
export { isCardToken } from './payments/handlers/card/token.ts';
export { handlersFor, instructionsFor, type PaymentChoice } from './payments/handlers/handlers.ts';
export {
  type PaymentSettings,
  selectSettings as selectPaymentSettings,
  settingsOf as paymentSettingsOf,
} from './payments/settings.ts';
export { type Payment, paymentById, paymentOfCheckout } from './payments/payment.ts';
export { beginPayment } from './payments/begin.ts';
export { answersLocally, authorize, confirm, lookUp, secretsOf } from './payments/ask.ts';
export type { CardAccount, CardAccounts, CardKeys } from './payments/handlers/card/accounts.ts';
export { lastDayToPay } from './payments/pay-by.ts';
export { refundTold } from './payments/handlers/card/requests.ts';
export { cardReceiver, connectedAccounts } from './payments/handlers/card/connected.ts';
export { letGo } from './payments/requests/ask.ts';
export { carryOut, settleRefund } from './payments/requests/carry-out.ts';
export { createPayments, type Payments } from './payments/payments.ts';
export type { CardSettings } from './payments/handlers/card/settings.ts';
export { carryOutDue } from './payments/requests/job.ts';
export { settlePayment } from './payments/settle.ts';
export { awaitElsewhere, receiveElsewhere } from './elsewhere/money.ts';
export { editElsewhere } from './elsewhere/edit.ts';
export { reserveElsewhere } from './elsewhere/stock.ts';
export { attachAtOnce, attachPayments } from './payments/attach.ts';
export { askLocally, isAgreed, nextAttempt, payAtOnce } from './payments/at-once.ts';
export { readWholeOrder, type WholeOrder, wholeOrderIn } from './orders/whole.ts';
export { cancelOrder } from './orders/cancel.ts';
export { fulfilOrder } from './fulfilments/fulfil.ts';
export { booked as bookedSource, receiveBooked, takeBackBooked } from './payments/booked.ts';
export { recordOrderPayment } from './payments/record.ts';
export { givenBackElsewhere, makeRefund, refundOrder } from './refunds/make.ts';
export { type RefundPart, partsOf } from './refunds/parts.ts';
export { type Refund, refundIn } from './refunds/refund.ts';
export { givenUp, takenByOrders } from './refunds/taken.ts';
export { voidPayment } from './payments/void.ts';
export { type Movement, movementsOf } from './payments/movements.ts';

/** How a buyer has chosen to pay. */
export interface PaidBy {
  readonly handler: string;
  readonly method: string;
}

export interface OrdersNeeds extends PlacingPorts, Omit<OrdersPorts, 'mediaAt'>, ShownPorts, SellerPorts, PaperPorts {
  readonly config: OrdersSettings;
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce' | 'portal'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly limiter: Limiter;
  readonly log: Log;
  /** Opens what is needed to speak for accounts of tenants at providers. */
  readonly audit: Pick<Audit, 'secrets'>;
  /** Proves whose an order is; the same in every process. */
  readonly secret: Uint8Array;
  readonly awaited: { readonly orders: Deferred<Pick<Orders, 'writeLetter'>> };
}

export interface Orders {
  readonly serves: readonly [
    { readonly at: 'commerce'; readonly routes: readonly Route[]; register(scope: Scope): void },
  ];
  readonly consumers: readonly Consumer[];
  /** What carriers say, where anybody takes it. */
  readonly receivers: readonly Receiver[];
  /** `placeOrder` with what the process has of others; likewise those below. */
  placeOrder(tx: TenantTransaction, placing: Placing): Promise<Order>;
  place(tx: TenantTransaction, placing: Placing, beside?: Beside): Promise<PlacedOrder>;
  preparePlacing(tx: TenantTransaction, checkoutId: string): Promise<Prepared>;
  readonly orderTokens: OrderTokens;
  /** How buyers pay, for checkouts. */
  readonly payments: Payments;
  /** What a buyer is told about a method, such as bank details. */
  howToPay(tx: TenantTransaction, settings: PaymentSettings, choice: PaidBy): Promise<string | null>;
  /** Where the buyer of an order sees it, without signing in: whoever has the link may. */
  orderPage(tenant: string, orderId: string): string;
  /** For the mail worker: the words of a letter that an order owes. */
  writeLetter(tenant: string, owed: Owed): Promise<WordsOwed | undefined>;
  /** Starts asking providers for what was decided, and cancelling orders that were not paid by their day. */
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Its routes are served at commerce's address: `/api/orders…`, `/api/fulfilments…`, `/api/returns…`, `/api/refunds`,
 * `/api/payment-settings` and `/api/brands/{brandId}/letters`; and for the buyer of an order its page, `/orders/{orderId}`, with its
 * invoices, `/orders/{orderId}/papers/{paperId}`.
 */
export function create(needs: OrdersNeeds): Orders {
  const { config, tenancy, identity, addresses, toolCatalogue, limiter, secret, awaited, log } = needs;
  const { audit, contactOf, contactsIn, releaseDiscounts, contactsById, quoteEdit, noteOnTimeline } = needs;
  const { brandName, brandLinks, logoOf, paymentDetails, sellerLanguage, addressing, papersOf, mayBePaid, drawPaper } =
    needs;
  const others = { releaseDiscounts, contactsById, quoteEdit, noteOnTimeline, brandName, addressing };
  const ports: OrdersPorts = { ...others, mediaAt: addresses.commerce };
  toolCatalogue.bind(tools, ports);
  const guard = identity.tenant(addresses.commerce);
  const tokens = createOrderTokens(secret);
  const payments = createPayments({ settings: config.cards, own: connectedAccounts(audit.secrets), log });
  const workers = [
    createProviderRequests(tenancy, payments.handlers, log),
    createOverdueOrders(tenancy, { releaseDiscounts, mayBePaid }, log),
  ];
  const { commerce, portal } = addresses;
  const telling = {
    tenancy,
    identity,
    addressing,
    tokens,
    brandName,
    brandLinks,
    logoOf,
    paymentDetails,
    sellerLanguage,
    commerce,
    portal,
  };
  const orders: Orders = {
    serves: [
      {
        at: 'commerce',
        routes: [
          ...orderRoutes(guard, ports),
          ...editRoutes(guard, ports),
          ...paymentRoutes(guard),
          ...returnRoutes(guard),
          ...refundRoutes(guard),
          ...letterRoutes(guard, ports),
        ],
        register: (scope) =>
          orderPages(scope, {
            tokens,
            limiter,
            open: (tenant, orderId) => {
              const scope = readerScope(tenancy, tenant, orderId);
              return {
                read: async () => readShown(scope, orderId, telling),
                papers: async (order) => papersOf(scope.context, order),
                draw: async (order, id, left) => drawPaper(scope.context, order, id, left),
              };
            },
          }),
      },
    ],
    receivers:
      config.tracking === undefined ? [] : [shipping({ settings: config.tracking, secrets: audit.secrets, log })],
    consumers: [letterConsumer({ identity, addressing, lettersPerDay: config.orderLettersPerDay })],
    placeOrder: async (tx, placing) => placeOrder(tx, placing, { contactOf, contactsIn }),
    place: async (tx, placing, beside) => place(tx, placing, { contactOf, contactsIn }, beside),
    preparePlacing: async (tx, checkoutId) => preparePlacing(tx, checkoutId, { contactOf, contactsIn }),
    orderTokens: tokens,
    payments,
    howToPay: async ({ context, query }, settings, choice) =>
      howToPay({ context, read: query }, settings, choice, { paymentDetails }),
    start: () => {
      for (const worker of workers) worker.start();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map(async (worker) => worker.stop()));
    },
    orderPage: (tenant, orderId) => orderPage(telling, tenant, orderId),
    writeLetter: async (tenant, owed) => writeLetter(telling, tenant, owed),
  };
  awaited.orders.give(orders);
  return orders;
}
