import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import type { CatalogueDeps } from '../deps.ts';
import { createPriceList } from './create.ts';
import { listListPrices } from './list-prices.ts';
import { listPriceLists } from './list.ts';
import { type PriceList, priceList } from './price-list.ts';
import { setListPrices } from './set-prices.ts';
import { updatePriceList } from './update.ts';

const shows = under('price_list', priceList.answer);
const called = ({ name, currency, status, startsAt, endsAt, variantCount }: PriceList): string =>
  `${name} in ${currency}, ${status}, from ${startsAt}${endsAt === null ? '' : ` until ${endsAt}`}, with ${counted(variantCount, 'variant')}`;
const changing = { rare: true, core: false, annotations: { destructiveHint: false, idempotentHint: true } } as const;

export const priceListTools: readonly Tool<CatalogueDeps>[] = [
  toolOf(createPriceList, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add a price list',
    description:
      'Adds a list of prices that hold for a time, in one currency, for one brand or all. service_set_list_prices gives it prices. While ' +
      'it holds, buyers pay the lowest of the ordinary price and of all lists, and see the ordinary one beside it.',
    shows,
    preview: ({ id: _id, createdAt: _made, updatedAt: _at, ...rest }) => ({ price_list: rest }),
    say: (made, preview) => `${preview ? 'Would add' : 'Added'} the price list ${called(made)}.`,
  }),
  toolOf(updatePriceList, {
    ...changing,
    title: 'Change a price list',
    description: 'Changes only the given members of a price list. An `ends_at` that is past ends it.',
    shows,
    say: (changed, preview) =>
      preview ? `Would change the price list to ${called(changed)}.` : `The price list is ${called(changed)}.`,
  }),
  toolOf(setListPrices, {
    ...changing,
    title: 'Set prices of a price list',
    description:
      'Replaces the prices of up to 500 variants in a price list: of all or, if one is wrong, of none. A variant without an ordinary ' +
      'price in the currency is not sold by a list.',
    shows,
    say: (changed, preview) =>
      preview ? `Would change the price list to ${called(changed)}.` : `The price list is ${called(changed)}.`,
  }),
  toolOf(listPriceLists, {
    core: false,
    rare: true,
    title: 'List price lists',
    description: 'Lists price lists, newest first: those that hold or will, or all.',
    answers: { items: 'price_lists' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'price list')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
  toolOf(listListPrices, {
    core: false,
    rare: true,
    title: 'List the prices of a price list',
    description: 'Lists the variants that have prices in a price list.',
    answers: { items: 'variants' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'variant')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
