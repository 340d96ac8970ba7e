import type { TenantTransaction } from '@steward/sql';
import type { Pictures } from './media/pictures.ts';

/** What the catalogue's verbs need of others. */
export interface CatalogueDeps {
  /** The brand of this id, or undefined where the tenant has none in use; the default brand where no id is given. */
  brandIn(tx: Pick<TenantTransaction, 'context' | 'query'>, brandId: string | undefined): Promise<string | undefined>;
  /** Categories that tax zones in use list. Tax is the checkout's. */
  taxCategories(tx: TenantTransaction): Promise<ReadonlySet<string>>;
  /** Where pictures are served: commerce's address. */
  readonly mediaAt: string;
  readonly pictures: Pictures;
  /** Pictures wait to be fetched. */
  wakeFetcher(): void;
}
