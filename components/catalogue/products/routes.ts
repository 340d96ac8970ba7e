import { restOf } from '@steward/access';
import { type Guard, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { rehearsal } from '@steward/tools';
import { z } from 'zod';
import { exportProducts } from '../csv/export.ts';
import { importProducts } from '../csv/import.ts';
import type { CatalogueDeps } from '../deps.ts';
import { createProducts } from './create.ts';
import { getProduct } from './get.ts';
import { priceInput } from './input.ts';
import { listProducts } from './list.ts';
import { publishProducts, unpublishProducts } from './publish.ts';
import { setPrices } from './set-prices.ts';
import { setVariants } from './set-variants.ts';
import { updateProducts } from './update.ts';

export function productRoutes(guard: Guard<Admitted>, ports: CatalogueDeps): Route[] {
  const rest = restOf({ guard, tag: 'Products', ports });
  const changed = { 200: 'By brand, how many products changed.' };
  return [
    rest('GET', '/api/products', listProducts, {
      summary: 'List products, newest first',
      description: 'A product is listed when it meets all filters. Read one product for its variants and prices.',
      answers: { 200: 'A page of products.' },
    }),
    rest('POST', '/api/products', createProducts, {
      summary: 'Add products',
      description:
        'Adds up to 100 products with their variants, prices and brands: all of them or, if one is wrong, none.',
      answers: { 201: 'The products.' },
    }),
    rest('PATCH', '/api/products', updateProducts, {
      summary: 'Change products',
      description: 'Changes the given members of up to 100 products: of all of them or, if one is wrong, of none.',
      answers: { 200: 'The products.' },
    }),
    rest('POST', '/api/products/import', importProducts, {
      summary: 'Import products from a CSV file',
      description:
        'The format is that of Shopify’s product CSV. Adds the products whose handles are new and changes the others: all of ' +
        'them or, if a line is wrong, none. Up to 100 wrong lines are named. Pictures are fetched soon afterwards; one whose address is wrong ' +
        'is left out and named. `dryRun: true` names wrong lines and tells what would be added and changed.',
      undone: rehearsal,
      answers: { 200: 'How many products were added and changed, and which columns were not imported.' },
    }),
    route({
      method: 'GET',
      path: '/api/products.csv',
      does: 'service_list_products',
      summary: 'Export products as CSV',
      description:
        'All products, the oldest first, in the format of Shopify’s product CSV, with the prices of one currency for one piece.',
      tag: 'Products',
      guard,
      query: z.strictObject({ currency: priceInput.shape.currency }),
      answers: { 200: { description: 'The products.', types: ['text/csv'] } },
      handle: ({ guard: { context }, query }) => ({
        status: 200,
        stream: exportProducts(context, query.currency, ports.mediaAt),
        type: 'text/csv; charset=utf-8; header=present',
        headers: { 'content-disposition': 'attachment; filename="products.csv"' },
      }),
    }),
    rest('GET', '/api/products/:productId', getProduct, {
      summary: 'Read a product with its variants and prices',
      without: ['handle'],
      answers: { 200: 'The product.' },
    }),
    rest('PUT', '/api/products/:productId/variants', setVariants, {
      summary: 'Set the variants of a product',
      description:
        'The list is the whole list. A variant with an id, or with the options of a present one, stays, with the members that are ' +
        'not given. Others are new. Variants that are left out are taken off the product.',
      answers: { 200: 'The product.' },
    }),
    rest('POST', '/api/products/prices', setPrices, {
      summary: 'Set the prices of variants',
      description: 'Replaces the prices of up to 500 variants: of all of them or, if one is wrong, of none.',
      answers: { 200: 'The products whose prices changed.' },
    }),
    rest('POST', '/api/products/publish', publishProducts, {
      summary: 'Publish products to brands',
      answers: changed,
    }),
    rest('POST', '/api/products/unpublish', unpublishProducts, {
      summary: 'Take products off the pages of brands',
      answers: changed,
    }),
  ];
}
