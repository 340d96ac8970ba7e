import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import { type Addresses, createGuardedFetch, type Log } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { Catalogue, Tool } from '@steward/tools';
import type { CatalogueDeps } from './deps.ts';
import { collectionRoutes } from './collections/routes.ts';
import { collectionTools } from './collections/tools.ts';
import { createFetcher } from './media/fetcher.ts';
import { createPictures } from './media/pictures.ts';
import { mediaRoutes, pictureRoute } from './media/routes.ts';
import { mediaTools } from './media/tools.ts';
import { priceListRoutes } from './price-lists/routes.ts';
import { priceListTools } from './price-lists/tools.ts';
import { productRoutes } from './products/routes.ts';
import { productTools } from './products/tools.ts';
import type { CatalogueSettings } from './settings.ts';

export const name = 'catalogue';
export const tools: readonly Tool<CatalogueDeps>[] = [
  ...productTools,
  ...mediaTools,
  ...collectionTools,
  ...priceListTools,
];
export { catalogueSettings as settings } from './settings.ts';
export { mediaBytes } from './media/bytes.ts';
export { catalogueNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { catalogueFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export {
  etagOf,
  foundPage,
  listCollected,
  listPublished,
  publishedProduct,
  readPublished,
  type PublishedProduct,
  type PublishedSummary,
} from './products/published.ts';
export { finders as publishedFinders, several, sieves as publishedSieves } from './products/terms.ts';
export { facetsAsked } from './products/facets.ts';
export { collected, collectedBy, collectionsIn } from './collections/collections-in.ts';
export { listPublishedCollections, publishedCollection, readPublishedCollection } from './collections/published.ts';
export { type Image, imageShape } from './media/medium.ts';
export { productsIn } from './products/products-in.ts';
export { variantsNamed } from './products/variants-named.ts';
export { offered, offerOf, type Offer } from './products/offered.ts';
export { variantsIn } from './products/variants-in.ts';

export interface CataloguePorts extends Pick<CatalogueDeps, 'brandIn' | 'taxCategories' | 'buyable'> {
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
  taxCategories,
  buyable,
}: CataloguePorts): {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
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
          ...collectionRoutes(guard, deps),
          ...priceListRoutes(guard, deps),
          pictureRoute(tenancy.pool),
        ],
      },
    ],
    start: fetcher.start,
    [Symbol.asyncDispose]: async () => {
      await fetcher.stop();
      await pictures[Symbol.asyncDispose]();
    },
  };
}
