import type { Beside, PaidBy, Payments, PaymentSettings, PlacedOrder, Placing, Prepared } from '@steward/orders';
import type { TenantTransaction } from '@steward/sql';
import type { OrderLinks } from './session.ts';

/** What checkouts are given beside their tenant. */
export interface SessionDeps extends OrderLinks {
  /** What the tokens of carts and checkouts follow from. */
  readonly secret: Uint8Array;
  /** How buyers may pay. */
  readonly payments: Payments;
  /** What buyers are told about a method, such as bank details. */
  readonly howToPay: (tx: TenantTransaction, settings: PaymentSettings, choice: PaidBy) => Promise<string | null>;
  /** In the transaction of the checkout; once for each. Orders are another component's. */
  readonly placeOrder: (tx: TenantTransaction, placing: Placing, beside?: Beside) => Promise<PlacedOrder>;
  /** What placing it goes by, read beside something else. */
  readonly prepareOrder: (tx: TenantTransaction, checkoutId: string) => Promise<Prepared>;
}
