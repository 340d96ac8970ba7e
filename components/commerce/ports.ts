import type { SessionDeps } from '@steward/checkout';
import type { Identity } from '@steward/identity';
import type { Addresses, ClientAddress, Log, Metrics } from '@steward/kernel';
import type { Limiter } from '@steward/limits';
import type { OrderTokens } from '@steward/orders';
import type { Tenancy } from '@steward/sql';
import type { Storefront } from '@steward/studio';

/** What the server gives commerce. */
export interface CommercePorts {
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly addresses: Addresses;
  readonly clientAddress: ClientAddress;
  /** Keys, published forms and origins; the studio's. */
  readonly storefront: Storefront;
  readonly limiter: Limiter;
  /** What carts and checkouts run with. */
  readonly checkout: { readonly sessions: SessionDeps };
  /** What proves whose an order is. */
  readonly orders: { readonly orderTokens: Pick<OrderTokens, 'tenantOf'> };
  readonly limits: {
    readonly perAddressPerMinute: number;
    readonly perKeyPerMinute: number;
  };
  /**
   * Whether visitors see the id of the contact of their submission. Two equal ids show them
   * that it is the same person (docs/adr/0018).
   */
  readonly tellsContact: boolean;
  /** Whether `/example` serves a page to try forms in; not in production. */
  readonly examplePage?: boolean;
  /** When what is done here happened, where that is not now. Milliseconds since the epoch. */
  readonly happenedAt?: (() => number | undefined) | undefined;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registry' | 'observe'>;
}
