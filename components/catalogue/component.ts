import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import { type Addresses, createGuardedFetch, type Log } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import type { CatalogueDeps } from './deps.ts';
import { collectionRoutes } from './collections/routes.ts';
import { collectionTools } from './collections/tools.ts';
import { logoRoutes } from './logos/routes.ts';
import { logoTools } from './logos/tools.ts';
import { createFetcher } from './media/fetcher.ts';
import { createPictures } from './media/pictures.ts';
import { mediaRoutes, pictureRoute } from './media/routes.ts';
import { mediaTools } from './media/tools.ts';
import { priceListRoutes } from './price-lists/routes.ts';
import { priceListTools } from './price-lists/tools.ts';
import { createProducts } from './products/create.ts';
import { getProduct } from './products/get.ts';
import { productRoutes } from './products/routes.ts';
import { setVariants } from './products/set-variants.ts';
import { productTools } from './products/tools.ts';
import { updateProducts } from './products/update.ts';
import type { CatalogueSettings } from './settings.ts';

export const name = 'catalogue';
export const tools: readonly Tool<CatalogueDeps>[] = [
  ...productTools,
  ...mediaTools,
  ...logoTools,
  ...collectionTools,
  ...priceListTools,
];
export { catalogueSettings as settings } from './settings.ts';
export { mediaBytes } from './media/bytes.ts';
export { catalogueNouns as nouns } from './nouns.ts';
export { finders } from './finders.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { catalogueFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export {
  etagOf,
  foundPage,
  listCollected,
  listPublished,
  publishedAfter,
  publishedNamed,
  publishedProduct,
  readPublished,
  type PublishedProduct,
  type PublishedSummary,
  variantsSold,
} from './products/published.ts';
export { finders as publishedFinders, several, sieves as publishedSieves } from './products/terms.ts';
export { facetsAsked } from './products/facets.ts';
export { collected, collectedBy, collectionsIn } from './collections/collections-in.ts';
export { listPublishedCollections, publishedCollection, readPublishedCollection } from './collections/published.ts';
export { logoOf } from './logos/logo.ts';
export { type Image, imageShape } from './media/medium.ts';
export { markdownOf } from './csv/markdown.ts';
export { mostVariants } from './products/input.ts';
export { productsIn } from './products/products-in.ts';
export { productsOfVariants } from './products/products-of-variants.ts';
export { nextPriceChange } from './price-lists/running.ts';
export { variantsNamed } from './products/variants-named.ts';
export { offered, offerOf, type Offer } from './products/offered.ts';
export { variantsIn } from './products/variants-in.ts';

/** Verbs of products with what they run with. */
export interface ProductVerbs {
  create(...of: WithoutDeps<typeof createProducts>): ReturnType<typeof createProducts>;
  get(...of: WithoutDeps<typeof getProduct>): ReturnType<typeof getProduct>;
  update(...of: WithoutDeps<typeof updateProducts>): ReturnType<typeof updateProducts>;
  setVariants(...of: WithoutDeps<typeof setVariants>): ReturnType<typeof setVariants>;
}
type WithoutDeps<V extends (...of: never) => unknown> =
  Parameters<V> extends [infer C, infer I, ...unknown[]] ? [C, I] : never;

export interface CataloguePorts extends Pick<CatalogueDeps, 'brandIn' | 'brandName' | 'taxCategories' | 'buyable'> {
  readonly tenancy: Tenancy;
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
  readonly config: CatalogueSettings;
  readonly log: Log;
}

/** Its routes are served at commerce's address: `/api/products…`, and pictures for everybody at `/media…`. */
export function create({
  tenancy,
  identity,
  addresses,
  toolCatalogue,
  config,
  log,
  brandIn,
  brandName,
  taxCategories,
  buyable,
}: CataloguePorts): {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
  /** The verbs of products, for whoever brings some from elsewhere. */
  readonly products: ProductVerbs;
  start(): void;
  [Symbol.asyncDispose](): Promise<void>;
} {
  const pictures = createPictures();
  const fetcher = createFetcher({
    tenancy,
    pictures,
    log,
    fetch: createGuardedFetch({
      accept: 'image/*',
      userAgent: 'steward',
      loopback: config.picturesFromLoopback,
      ports: config.picturePorts,
    }),
  });
  const deps: CatalogueDeps = {
    brandIn,
    brandName,
    taxCategories,
    buyable,
    mediaAt: addresses.commerce,
    pictures,
    wakeFetcher: () => fetcher.wake(),
  };
  toolCatalogue.bind(tools, deps);
  const guard = identity.tenant(addresses.commerce);
  return {
    serves: [
      {
        at: 'commerce',
        routes: [
          ...productRoutes(guard, deps),
          ...mediaRoutes(guard, deps),
          ...logoRoutes(guard, deps),
          ...collectionRoutes(guard, deps),
          ...priceListRoutes(guard, deps),
          pictureRoute(tenancy.pool),
        ],
      },
    ],
    products: {
      create: async (context, input) => createProducts(context, input, deps),
      get: async (context, input) => getProduct(context, input, deps),
      update: async (context, input) => updateProducts(context, input, deps),
      setVariants: async (context, input) => setVariants(context, input, deps),
    },
    start: fetcher.start,
    [Symbol.asyncDispose]: async () => {
      await fetcher.stop();
      await pictures[Symbol.asyncDispose]();
    },
  };
}
