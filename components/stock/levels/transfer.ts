import { operation } from '@steward/access';
import { z } from 'zod';
import { invalidLines } from '../faults.ts';
import { changes } from '../operations.ts';
import type { StockPorts } from '../ports.ts';
import { quantity } from '../words.ts';
import { note } from './adjust.ts';
import { changedLines, changeLevels, recordChange } from './change.ts';
import { about, linesOf, placeLines, placesOf } from './line.ts';

const place = z.uuid().meta({ description: 'From service_list_locations.' });

/**
 * Moves what is on hand from one location to another. What is reserved stays where it is.
 * @throws Problem `invalid_request` (400), `stock_insufficient` (409) with pointers
 */
export const transferStock = operation(
  {
    ...changes,
    name: 'service_transfer_stock',
    input: z.strictObject({
      fromLocationId: place,
      toLocationId: place,
      lines: linesOf(z.strictObject({ ...about, quantity: quantity.meta({ description: 'How many are moved.' }) })),
      note,
    }),
    answer: changedLines,
    errors: ['insufficient_role', 'stock_insufficient', 'location_limit'],
  },
  async (scope, { fromLocationId, toLocationId, lines, note: noted }, ports: StockPorts) =>
    scope.write(async (tx) => {
      if (fromLocationId === toLocationId)
        throw invalidLines([
          { pointer: '/toLocationId', code: 'invalid_value', detail: 'Give another location than fromLocationId.' },
        ]);
      const [from, to] = await placesOf(tx, [
        { pointer: '/fromLocationId', locationId: fromLocationId },
        { pointer: '/toLocationId', locationId: toLocationId },
      ]);
      const placed = await placeLines(tx, lines, ports);
      const done = await changeLevels(tx, placed, {
        note: noted,
        member: 'quantity',
        wants: ({ line }) =>
          from === undefined || to === undefined
            ? []
            : [
                { location: from, kind: 'transfer', onHand: -line.quantity },
                { location: to, kind: 'transfer', onHand: line.quantity },
              ],
      });
      recordChange(tx, 'commerce.stock.transferred', done);
      return { lines: done.lines };
    }),
);
