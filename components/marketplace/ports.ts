import type { Decider } from '@steward/access';
import type { Secrets } from '@steward/audit';
import type { ProductVerbs } from '@steward/catalogue';
import type { Beside, PlacedOrder, OrdersPorts, Placing } from '@steward/orders';
import type { SqlPool, TenantTransaction } from '@steward/sql';

/** What the verbs of channels run with. */
export interface ChannelPorts {
  /** Of the installation. */
  readonly secret: Uint8Array;
  readonly secrets: Secrets;
  readonly decider: Pick<Decider, 'requireFor'>;
  /** For what is no organization's yet. */
  readonly pool: Pick<SqlPool, 'query'>;
  /** The brand of this id, or undefined where the tenant has none in use; the default brand where no id is given. Brands are the portal's. */
  readonly brandIn: (
    tx: Pick<TenantTransaction, 'context' | 'query'>,
    brandId: string | undefined,
  ) => Promise<string | undefined>;
  /** Which of these are products of the transaction's tenant. */
  readonly productsIn: (tx: TenantTransaction, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Something is to be done for a channel. */
  readonly wake: () => void;
  /** Where a browser installs the app; undefined without a connector. */
  readonly installUrl: string | undefined;
}

/** What comes from a shop is written by the verbs of those whose it is. */
export interface ImportPorts extends Pick<OrdersPorts, 'releaseDiscounts'> {
  readonly products: ProductVerbs;
  /** Which of these are variants of the transaction's tenant. */
  readonly variantsIn: (tx: TenantTransaction, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly place: (tx: TenantTransaction, placing: Placing, beside?: Beside) => Promise<PlacedOrder>;
}
