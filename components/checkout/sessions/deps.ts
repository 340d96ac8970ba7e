import type { Order, Placing } from '@steward/orders';
import type { TenantTransaction } from '@steward/sql';
import type { OrderLinks } from './session.ts';

/** What checkouts are given beside their tenant. */
export interface SessionDeps extends OrderLinks {
  /** What the tokens of carts and checkouts follow from. */
  readonly secret: Uint8Array;
  /** In the transaction of the checkout; once for each. Orders are another component's. */
  readonly placeOrder: (tx: TenantTransaction, placing: Placing) => Promise<Order>;
}
