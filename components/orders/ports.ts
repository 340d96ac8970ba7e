import type { TenantContext, TenantTransaction } from '@steward/sql';

/** Who bought, as it is told to whoever keeps contacts. */
export interface Buyer {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  /** Of a phone number that does not name its own; ISO 3166. */
  readonly defaultCountry?: string | undefined;
  /** Bought with a test key. */
  readonly test: boolean;
  /** Becomes an entry on the contact's timeline. */
  readonly source: { readonly kind: string; readonly refs: Readonly<Record<string, string>> };
}

/** What placing an order needs of others. */
export interface PlacingPorts {
  /**
   * The contact that somebody is, made where there is none; in the transaction of the order. Contacts are the CRM's.
   * @throws Problem `invalid_request` (400) with a pointer for each value that it does not take, before anything is written
   */
  readonly contactOf: (tx: TenantTransaction, buyer: Buyer) => Promise<string>;
}

/** What verbs are given beside their tenant. */
export interface OrdersPorts {
  /** Gives back what a checkout used of discounts, once. Discounts are the checkout's. */
  readonly releaseDiscounts: (tx: TenantTransaction, checkoutId: string) => Promise<void>;
  /** Which of some contacts there are, by id. Contacts are the CRM's. */
  readonly contactsById: (
    context: TenantContext,
    contactIds: readonly string[],
  ) => Promise<ReadonlyMap<string, unknown>>;
}
