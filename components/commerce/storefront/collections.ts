import { listPublishedCollections, publishedCollection, readPublishedCollection } from '@steward/catalogue';
import { type Guard, pageOf, pageQuery, route, type Route } from '@steward/contract';
import type { Request } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import type { SiteKey } from '@steward/studio';
import { z } from 'zod';
import { fresh, noCollection } from './products.ts';
import { keyHeader } from './routes.ts';
import { visitorOf } from './visitor.ts';

/** What the pages of a site read of the collections that are published to its brand. */
export function collectionRoutes(guard: Guard<SiteKey>, { tenancy }: { readonly tenancy: Tenancy }): Route[] {
  const visiting = (key: SiteKey, { id }: Request) => tenancy.systemContext(visitorOf(key, id));
  const common = {
    method: 'GET',
    does: 'for_anyone',
    tag: 'Storefront',
    guard,
    headers: { ...keyHeader, 'If-None-Match': 'ETag of what the page has.' },
  } as const;
  const same = { 304: { description: 'Nothing changed.' } };
  return [
    route({
      ...common,
      path: '/storefront/v1/collections',
      summary: 'The collections that are published to the brand of the site, newest first',
      query: pageQuery(),
      answers: {
        200: { description: 'A page of collections.', schema: pageOf(publishedCollection.answer) },
        ...same,
      },
      handle: async ({ guard: key, query, request }) =>
        fresh(request, await listPublishedCollections(visiting(key, request), key.brandId, query)),
    }),
    route({
      ...common,
      path: '/storefront/v1/collections/:handle',
      summary: 'A collection',
      description: 'Its products are those of `/storefront/v1/products?collection={handle}`.',
      params: z.strictObject({ handle: z.string() }),
      answers: { 200: { description: 'The collection.', schema: publishedCollection.answer }, ...same },
      errors: ['collection_not_found'],
      handle: async ({ guard: key, params: { handle }, request }) => {
        const found = await readPublishedCollection(visiting(key, request), key.brandId, handle);
        if (found === undefined) throw noCollection();
        return fresh(request, found);
      },
    }),
  ];
}
