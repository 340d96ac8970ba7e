import {
  etagOf,
  facetsAsked,
  foundPage,
  listCollected,
  listPublished,
  publishedFinders,
  publishedProduct,
  publishedSieves,
  several,
} from '@steward/catalogue';
import { type Answer, type Guard, pageCursor, pageQuery, route, type Route } from '@steward/contract';
import type { Addresses, Request } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import { buyable } from '@steward/stock';
import type { SiteKey } from '@steward/studio';
import { z } from 'zod';
import { commerceFail } from '../errors.ts';
import type { Page, ProductPages } from './product-pages.ts';
import { caching, keyHeader, matches } from './routes.ts';
import { visitorOf } from './visitor.ts';

/** Where a page of products begins: an id, or a place in the order of a collection. */
const place = pageCursor(z.union([z.uuid(), z.string().regex(/^[0-9]{1,3}$/)])).unwrap();

/** What the pages of a site read of the products that its brand sells. */
export function productRoutes(
  guard: Guard<SiteKey>,
  {
    tenancy,
    addresses,
    pages,
  }: { readonly tenancy: Tenancy; readonly addresses: Pick<Addresses, 'commerce'>; readonly pages: ProductPages },
): Route[] {
  const visiting = (key: SiteKey, { id }: Request) => tenancy.systemContext(visitorOf(key, id));
  /** Of the sandbox of stock for a test key. */
  const depsOf = ({ mode }: SiteKey) => ({
    mediaAt: addresses.commerce,
    buyable: (variantId: string) => buyable(variantId, mode),
  });
  const headers = { ...keyHeader, 'If-None-Match': 'ETag of what the page has.' };
  return [
    route({
      method: 'GET',
      path: '/storefront/v1/products',
      does: 'for_anyone',
      summary: 'The products that the brand of the site sells, newest first',
      description: 'With `If-None-Match` of what the page has, 304 and no body.',
      tag: 'Storefront',
      guard,
      headers,
      query: pageQuery(place).extend({
        ...publishedFinders,
        available: z
          .enum(['true', 'false'])
          .transform((said) => said === 'true')
          .optional()
          .meta({
            description:
              'true: products of which one can be bought now, as far as stock goes; false: those that are sold out. A page of them may have fewer than `limit`, or none, and a next one.',
          }),
        priceFrom: publishedSieves.priceFrom,
        priceTo: publishedSieves.priceTo,
        currency: publishedSieves.currency,
        collection: several(z.string().max(120)).optional().meta({
          description: 'Handle of a collection: its products, in its order. Of several: those in any, newest first.',
        }),
        facets: facetsAsked,
      }),
      answers: {
        200: { description: 'A page of products.', schema: foundPage },
        304: { description: 'Nothing changed.' },
      },
      errors: ['collection_not_found'],
      handle: async ({ guard: key, query: { collection, ...query }, request }) => {
        const context = visiting(key, request);
        const deps = depsOf(key);
        const found =
          collection === undefined
            ? await listPublished(context, key.brandId, query, deps)
            : await listCollected(context, key.brandId, { ...query, collection }, deps);
        if (found === undefined) throw noCollection();
        return fresh(request, found);
      },
    }),
    route({
      method: 'GET',
      path: productPath,
      does: 'for_anyone',
      summary: 'A product with its variants and prices',
      description: 'With `If-None-Match` of what the page has, 304 and no body.',
      tag: 'Storefront',
      guard,
      headers,
      params: z.strictObject({ handle: z.string() }),
      answers: {
        200: { description: 'The product.', schema: publishedProduct },
        304: { description: 'Nothing changed.' },
      },
      errors: ['product_not_found'],
      handle: async ({ guard: key, params: { handle }, request }) => {
        const found = await pages.get(key, handle);
        if (found === undefined)
          throw commerceFail(
            'product_not_found',
            'This site sells no product of this handle: the product must be active and published to the brand of the site.',
          );
        return unlessKnown(request, found);
      },
    }),
  ];
}

/** Of one product. */
export const productPath = '/storefront/v1/products/:handle';

export const noCollection = (): Error =>
  commerceFail(
    'collection_not_found',
    'This site shows no collection of this handle: the collection must be in use and published to the brand of the site.',
  );

/** The body with its entity tag, or 304 where the page has it. */
export function fresh(request: Request, body: object): Answer {
  const text = JSON.stringify(body);
  return unlessKnown(request, { text, etag: etagOf(text) });
}

function unlessKnown({ headers }: Request, { text, etag }: Page): Answer {
  const known = headers['if-none-match'];
  const sent = { etag, 'cache-control': caching };
  return known !== undefined && matches(known, etag)
    ? { status: 304, headers: sent }
    : { status: 200, text, headers: sent };
}
