import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import type { CatalogueDeps } from '../deps.ts';
import { createPriceList } from './create.ts';
import { listListPrices } from './list-prices.ts';
import { listPriceLists } from './list.ts';
import { setListPrices } from './set-prices.ts';
import { updatePriceList } from './update.ts';

const one = { 200: 'The price list.' };

export function priceListRoutes(guard: Guard<Admitted>, ports: CatalogueDeps): Route[] {
  const rest = restOf({ guard, tag: 'Price lists', ports });
  return [
    rest('GET', '/api/price-lists', listPriceLists, {
      summary: 'List price lists, newest first',
      answers: { 200: 'A page of price lists.' },
    }),
    rest('POST', '/api/price-lists', createPriceList, {
      summary: 'Add a price list',
      description: 'From `startsAt` until `endsAt` buyers pay its prices where they are lower than all others.',
      answers: { 201: 'The price list.' },
    }),
    rest('PATCH', '/api/price-lists/:priceListId', updatePriceList, {
      summary: 'Change a price list',
      description: 'Members that are not given stay as they are. An `endsAt` that is past ends it.',
      answers: one,
    }),
    rest('GET', '/api/price-lists/:priceListId/prices', listListPrices, {
      summary: 'List the prices of a price list',
      answers: { 200: 'A page of variants with their prices in it.' },
    }),
    rest('POST', '/api/price-lists/:priceListId/prices', setListPrices, {
      summary: 'Set prices of a price list',
      description: 'Replaces the prices of up to 500 variants: of all of them or, if one is wrong, of none.',
      answers: one,
    }),
  ];
}
