import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { listStockValues } from '../costs/values.ts';
import type { MemberGuard } from '../door.ts';
import { setStockItems } from '../items/set.ts';
import { listStockMovements } from '../movements/list.ts';
import type { StockPorts } from '../ports.ts';
import { adjustStock } from './adjust.ts';
import { countStock } from './count.ts';
import { expectStock } from './expect.ts';
import { getStock } from './get.ts';
import { transferStock } from './transfer.ts';

const changed = { 200: 'What each line changed, and how much there is.' };
const together = 'All lines are done, or none: each that is wrong is named by a pointer.';

export function stockRoutes(guard: MemberGuard, ports: StockPorts): Route[] {
  const rest = restOf({ guard, tag: 'Stock', ports });
  return [
    rest('GET', '/api/stock', getStock, {
      summary: 'List stock',
      description: 'How much there is of each item at each location.',
      without: ['variantIds', 'itemIds'],
      answers: { 200: 'A page of levels.' },
    }),
    rest('POST', '/api/stock/levels', getStock, {
      summary: 'Read the stock of variants or items',
      answers: { 200: 'A page of levels.' },
    }),
    rest('POST', '/api/stock/adjustments', adjustStock, {
      summary: 'Adjust stock',
      description: together,
      answers: changed,
    }),
    rest('POST', '/api/stock/counts', countStock, {
      summary: 'Set stock to what was counted',
      description: together,
      answers: changed,
    }),
    rest('POST', '/api/stock/expectations', expectStock, {
      summary: 'Set how much is incoming',
      description: together,
      answers: changed,
    }),
    rest('POST', '/api/stock/transfers', transferStock, {
      summary: 'Transfer stock between locations',
      description: together,
      answers: changed,
    }),
    rest('GET', '/api/stock/values', listStockValues, {
      summary: 'List what stock is worth',
      description: 'At cost, by moving average, of each item over all locations.',
      without: ['itemIds'],
      answers: { 200: 'A page of items, and what all of them are worth.' },
    }),
    rest('PUT', '/api/stock/items', setStockItems, {
      summary: 'Set what variants take',
      description: 'The list of items of each variant is the whole list. All variants are set, or none.',
      answers: { 200: 'The variants with their items.' },
    }),
    rest('GET', '/api/stock/movements', listStockMovements, {
      summary: 'List stock movements',
      answers: { 200: 'A page of movements, newest first.' },
    }),
  ];
}
