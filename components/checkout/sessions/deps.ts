import type { Beside, Payments, PlacedOrder, Placing, Prepared } from '@steward/orders';
import type { TenantTransaction } from '@steward/sql';
import type { OrderLinks } from './session.ts';

/** What checkouts are given beside their tenant. */
export interface SessionDeps extends OrderLinks {
  /** What the tokens of carts and checkouts follow from. */
  readonly secret: Uint8Array;
  /** How buyers may pay. */
  readonly payments: Payments;
  /** In the transaction of the checkout; once for each. Orders are another component's. */
  readonly placeOrder: (tx: TenantTransaction, placing: Placing, beside?: Beside) => Promise<PlacedOrder>;
  /** What placing it goes by, read beside something else. */
  readonly prepareOrder: (tx: TenantTransaction, checkoutId: string) => Promise<Prepared>;
}
