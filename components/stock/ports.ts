import type { TenantTransaction } from '@steward/sql';

/** What the verbs of stock are given beside their tenant. */
export interface StockPorts {
  /** Which of these are variants of the transaction's tenant. Variants are the catalogue's. */
  readonly variantsIn: (tx: TenantTransaction, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** What people call variants, by id; those that were taken off too. */
  readonly variantsNamed: (
    tx: Pick<TenantTransaction, 'context' | 'query'>,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly title: string; readonly sku: string | null }>>;
  /** The currency of the tenant's books, in which stock is valued. */
  readonly baseCurrency: (tx: Pick<TenantTransaction, 'context' | 'query'>) => Promise<string>;
  /** Names of the ways of shipping by which buyers fetch goods at a location. Shipping is the checkout's. */
  readonly pickupsAt: (tx: TenantTransaction, locationId: string) => Promise<readonly string[]>;
}
