import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { parts } from '../parts.ts';
import type { StockPorts } from '../ports.ts';
import { mostQuantity } from '../words.ts';
import { note } from './adjust.ts';
import { changedLines, changeLevels } from './change.ts';
import { about, linesOf, placeLines, placesOf, requireOnce, where } from './line.ts';

/**
 * Sets how much is expected to arrive. Nothing of it can be sold before it has been received.
 * @throws Problem `invalid_request` (400) with pointers
 */
export const expectStock = operation(
  {
    ...changes,
    name: 'service_expect_stock',
    input: z.strictObject({
      lines: linesOf(
        z.strictObject({
          ...about,
          ...where,
          incoming: z.int().min(0).max(mostQuantity).meta({ description: 'How much is still to arrive, in all.' }),
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
      const done = await changeLevels(tx, placed, {
        note: noted,
        member: 'incoming',
        wants: ({ line, index, itemId }, book) => {
          const location = places[index];
          if (location === undefined) return [];
          return [{ location, kind: 'expect', incoming: line.incoming - book.at(itemId, location.id).incoming }];
        },
      });
      const answer = { lines: done.lines };
      if (!done.any) return asItWas(answer);
      for (const levels of parts(done.book.moved()))
        tx.record(
          event('commerce.stock.expected', {
            change_id: done.changeId,
            levels: levels.map(({ level: { itemId, locationId, incoming } }) => ({
              item_id: itemId,
              location_id: locationId,
              incoming,
            })),
          }),
        );
      return answer;
    }),
);
