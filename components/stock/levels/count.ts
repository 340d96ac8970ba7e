import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { costOf, costsGiven } from '../costs/given.ts';
import { unknownOf } from '../costs/pool.ts';
import { changes } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { mostQuantity } from '../words.ts';
import { note } from './adjust.ts';
import { changedLines, changeLevels, recordChange } from './change.ts';
import { about, linesOf, placeLines, placesOf, requireOnce, where } from './line.ts';

/**
 * Sets what is on hand to what was counted.
 * @throws Problem `invalid_request` (400), `stock_insufficient` (409) with pointers
 */
export const countStock = operation(
  {
    ...changes,
    name: 'service_count_stock',
    input: z.strictObject({
      lines: linesOf(
        z.strictObject({
          ...about,
          ...where,
          counted: z.int().min(0).max(mostQuantity).meta({ description: 'How much there is, with what is reserved.' }),
          cost: costOf(
            'What those cost in all whose cost is not known so far, at all locations: the first count says what all of them cost.',
          ),
        }),
      ),
      note,
    }),
    answer: changedLines,
    errors: ['insufficient_role', 'stock_insufficient', 'location_limit'],
  },
  async (scope, { lines, note: noted }, ports: StockPorts) =>
    scope.write(async (tx) => {
      const placed = await placeLines(tx, lines, ports);
      const places = await placesOf(
        tx,
        lines.map(({ locationId }, index) => ({ pointer: `/lines/${index}/locationId`, locationId })),
      );
      requireOnce(placed, places);
      const costs = await costsGiven(tx, lines, ports);
      const done = await changeLevels(tx, placed, {
        note: noted,
        member: 'counted',
        wants: ({ line, index, itemId }, book) => {
          const location = places[index];
          if (location === undefined) return [];
          const change = line.counted - book.at(itemId, location.id).onHand;
          const [cost, pool] = [costs[index], book.pool(itemId)];
          const isKnown = change === 0 && pool !== undefined && unknownOf(pool) === 0 && pool.value === cost;
          return [{ location, kind: 'count', onHand: change, appraised: isKnown ? undefined : cost }];
        },
      });
      const answer = { lines: done.lines };
      if (!done.any) return asItWas(answer);
      recordChange(tx, 'commerce.stock.counted', done);
      return answer;
    }),
);
