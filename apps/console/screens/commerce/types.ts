import type { Amount } from '../../data/money.ts';

export type OrderStatus = 'open' | 'closed' | 'cancelled';
export type PaymentStatus =
  | 'pending'
  | 'authorized'
  | 'partially_paid'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'voided';
export type FulfilmentStatus = 'unfulfilled' | 'partially_fulfilled' | 'fulfilled' | 'partially_returned' | 'returned';

export interface OrderSummary {
  readonly id: string;
  readonly number: string;
  readonly mode: 'live' | 'test';
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly fulfilmentStatus: FulfilmentStatus;
  readonly contactId: string | null;
  readonly channelId: string | null;
  readonly externalName: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly total: Amount;
  readonly units: number;
  readonly tags: readonly string[];
  readonly placedAt: string;
}

export interface Address {
  readonly name: string | null;
  readonly company: string | null;
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly region: string | null;
  readonly postcode: string | null;
  readonly country: string;
  readonly phone: string | null;
}

export interface OrderLine {
  readonly id: string;
  readonly productId: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly image: { readonly url: string; readonly alt: string } | null;
  readonly requiresShipping: boolean;
  readonly quantity: number;
  readonly fulfilled: number;
  readonly returned: number;
  /** How many are left to send: not those that were paid back before they left. */
  readonly unitsToFulfil: number;
  readonly unitPrice: Amount;
  readonly net: Amount;
  readonly tax: Amount;
  readonly total: Amount;
}

export interface Fulfilment {
  readonly id: string;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly deliveryStatus: string | null;
  readonly deliveryAt: string | null;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly createdAt: string;
}

export interface Order extends OrderSummary {
  readonly currency: string;
  readonly locale: string | null;
  readonly phone: string | null;
  readonly vatNumber: string | null;
  readonly shippingAddress: Address | null;
  readonly billingAddress: Address | null;
  readonly buyerNote: string | null;
  readonly note: string | null;
  readonly lines: readonly OrderLine[];
  readonly shipping: { readonly name: string; readonly total: Amount } | null;
  readonly discounts: readonly { readonly name: string; readonly code: string | null; readonly amount: Amount }[];
  readonly fulfilments: readonly Fulfilment[];
  readonly subtotal: Amount;
  readonly discount: Amount;
  readonly tax: Amount;
  /** The tax is in the other amounts, so it is not added to them. */
  readonly pricesIncludeTax: boolean;
  readonly authorized: Amount;
  readonly captured: Amount;
  readonly refunded: Amount;
  readonly credited: Amount;
  readonly balanceDue: Amount;
  readonly toGiveBack: Amount;
  readonly unitsFulfilled: number;
  readonly unitsReturned: number;
  readonly cancelledAt: string | null;
  readonly cancelReason: string | null;
  readonly version: number;
}

/** Asks for returns or refunds of an order: lists have those of test keys only where they are asked for. */
export const ofOrder = ({ id, mode }: Pick<Order, 'id' | 'mode'>) => ({
  orderId: id,
  limit: 50,
  ...(mode === 'test' ? { mode } : {}),
});

export interface Letter {
  readonly kind: 'placed' | 'cancelled' | 'shipped' | 'delivered' | 'refunded' | 'edited';
  readonly toldAt: string;
  readonly state: 'waiting' | 'sent' | 'returned' | 'given_up' | 'left_out' | 'settled';
  readonly settledAt: string | null;
  readonly reason: string | null;
}

export interface Payments {
  readonly payments: readonly {
    readonly id: string;
    readonly handler: string;
    readonly method: string;
    readonly state: 'started' | 'requires_action' | 'awaiting' | 'authorized' | 'captured' | 'declined' | 'voided';
    readonly reference: string | null;
    readonly declineReason: string | null;
    readonly payBy: string | null;
    readonly createdAt: string;
    readonly amount: Amount;
    readonly captured: Amount;
    readonly voided: Amount;
    readonly refunded: Amount;
  }[];
  readonly requests: readonly {
    readonly id: string;
    readonly kind: 'capture' | 'void' | 'refund';
    readonly amount: Amount;
    readonly state: 'asked' | 'done' | 'refused';
    readonly reason: string | null;
  }[];
}

export const reasons = [
  'changed_mind',
  'damaged',
  'defective',
  'wrong_item',
  'not_as_described',
  'not_delivered',
  'cancelled',
  'goodwill',
  'other',
] as const;
export type Reason = (typeof reasons)[number];

export interface Return {
  readonly id: string;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly state: 'requested' | 'approved' | 'received' | 'refunded' | 'rejected';
  readonly reason: Reason;
  readonly note: string | null;
  readonly lines: readonly {
    readonly lineId: string;
    readonly title: string;
    readonly options: Readonly<Record<string, string>>;
    readonly sku: string | null;
    readonly quantity: number;
    readonly received: number;
    readonly damaged: number;
  }[];
  readonly createdAt: string;
}

export interface Refund {
  readonly id: string;
  readonly reason: Reason;
  readonly note: string | null;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly credited: Amount;
  readonly total: Amount;
  readonly payments: readonly { readonly method: string; readonly givenBackBy: 'merchant' | 'handler' }[];
  readonly createdAt: string;
}

export interface Posting {
  readonly id: string;
  readonly orderId: string | null;
  readonly kind:
    | 'invoice'
    | 'payment'
    | 'refund'
    | 'cancellation'
    | 'cost'
    | 'edit_credit'
    | 'edit_charge'
    | 'allocation';
  readonly state: 'due' | 'waiting' | 'drafted' | 'posted' | 'left_out';
  readonly reason: string | null;
  readonly detail: string | null;
  readonly documentId: string | null;
  readonly paymentIds: readonly string[];
  readonly entryId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Product {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly type: string | null;
  readonly tags: readonly string[];
  readonly status: 'draft' | 'active' | 'archived';
  readonly taxCategory: string;
  readonly brandIds: readonly string[];
  readonly variantCount: number;
  readonly image: { readonly url: string; readonly alt: string } | null;
  readonly version: number;
  readonly updatedAt: string;
  readonly available?: boolean;
}

export interface Price {
  readonly amount: string;
  readonly currency: string;
  readonly minQuantity: number;
  readonly compareAt: string | null;
}

export interface Variant {
  readonly id: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly weightGrams: number | null;
  readonly prices: readonly Price[];
}

export interface ProductWhole extends Product {
  readonly description: string;
  readonly options: readonly string[];
  readonly media: readonly {
    readonly id: string;
    readonly status: 'ready' | 'pending' | 'failed';
    readonly url: string | null;
    readonly alt: string;
    readonly failure: string | null;
  }[];
  readonly variants: readonly Variant[];
}

export interface Brand {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export interface Location {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly country: string | null;
  /** In lines, as somebody wrote it. */
  readonly address: string | null;
  readonly postalAddress: {
    readonly line1: string;
    readonly line2: string | null;
    readonly city: string;
    readonly region: string | null;
    readonly postcode: string | null;
  } | null;
  readonly archivedAt: string | null;
}

/** By what people know what is counted. */
export interface Item {
  readonly itemId: string;
  readonly sku: string | null;
  readonly name: string | null;
  readonly variants: readonly { readonly id: string; readonly title: string; readonly sku: string | null }[];
}

export interface Level extends Item {
  readonly locationId: string;
  readonly location: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly available: number;
  readonly incoming: number;
}

export interface Movement extends Item {
  readonly id: string;
  readonly kind:
    | 'adjust'
    | 'receive'
    | 'count'
    | 'expect'
    | 'transfer'
    | 'reserve'
    | 'release'
    | 'expire'
    | 'ship'
    | 'restock'
    | 'open';
  readonly locationId: string;
  readonly onHand: number;
  readonly reserved: number;
  readonly incoming: number;
  readonly reason: string | null;
  readonly note: string | null;
  readonly sourceKind: string;
  readonly actor: string;
  readonly createdAt: string;
}

/** Options of a variant as one line: `M · blue`. */
export const optionsText = (options: Readonly<Record<string, string>>): string => Object.values(options).join(' · ');

/** Pieces of an order in one line, each with its variant. */
export const piecesText = (
  pieces: readonly {
    readonly title: string;
    readonly options: Readonly<Record<string, string>>;
    readonly quantity: number;
  }[],
): string =>
  pieces
    .map(({ title, options, quantity }) => `${quantity} × ${[title, optionsText(options)].filter(Boolean).join(' ')}`)
    .join(', ');
