import type { TenantScope, TenantTransaction } from '@steward/sql';
import type { Pictures } from './media/pictures.ts';

/** @param variantId SQL of it @returns SQL that is true or false, for statements whose `$1` is the tenant */
export type Buyable = (variantId: string) => string;

/** What the catalogue's verbs need of others. */
export interface CatalogueDeps {
  /** The brand of this id, or undefined where the tenant has none in use; the default brand where no id is given. */
  brandIn(tx: Pick<TenantTransaction, 'context' | 'query'>, brandId: string | undefined): Promise<string | undefined>;
  /** What a brand is called, also once it is archived. */
  brandName(scope: Pick<TenantScope, 'context' | 'read'>, brandId: string): Promise<string | undefined>;
  /** Categories that tax zones in use list. Tax is the checkout's. */
  taxCategories(tx: TenantTransaction): Promise<ReadonlySet<string>>;
  /** A condition: whether a variant can be bought, as far as stock goes. Stock is another's. */
  readonly buyable: Buyable;
  /** Where pictures are served: commerce's address. */
  readonly mediaAt: string;
  readonly pictures: Pictures;
  /** Pictures wait to be fetched. */
  wakeFetcher(): void;
}
