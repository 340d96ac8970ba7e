import type { TenantTransaction } from '@steward/sql';

/** What verbs are given beside their tenant. */
export interface CheckoutDeps {
  /** The id of a brand in use; undefined when there is no such brand in the transaction's tenant. Brands are the portal's. */
  readonly brandIn: (tx: TenantTransaction, brandId: string) => Promise<string | undefined>;
  /** Which of these are products of the transaction's tenant. Products are the catalogue's. */
  readonly productsIn: (tx: TenantTransaction, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Which of these are collections in use of the transaction's tenant. Collections are the catalogue's. */
  readonly collectionsIn: (tx: TenantTransaction, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Whether it is a location in use of the transaction's tenant, which stays so until the transaction ends. Locations are the stock's. */
  readonly locationIn: (tx: TenantTransaction, id: string) => Promise<boolean>;
}
