import { operation } from '@steward/access';
import { remarks } from '@steward/contract';
import { z } from 'zod';
import { costOf, costsGiven } from '../costs/given.ts';
import { event } from '../events.ts';
import { invalidLines } from '../faults.ts';
import { changes } from '../operations.ts';
import { parts } from '../parts.ts';
import type { StockPorts } from '../ports.ts';
import { mostQuantity, reasons } from '../words.ts';
import { changedLines, changeLevels, movedOf } from './change.ts';
import { about, linesOf, placeLines, placesOf, where } from './line.ts';

export const note = remarks(500).optional().meta({ description: 'For people who look at the movements later.' });

/**
 * Adds to what is on hand or takes from it. What was received is taken from what is incoming, as far as that goes.
 * @throws Problem `invalid_request` (400), `stock_insufficient` (409) with pointers
 */
export const adjustStock = operation(
  {
    ...changes,
    name: 'service_adjust_stock',
    input: z.strictObject({
      lines: linesOf(
        z.strictObject({
          ...about,
          ...where,
          delta: z
            .int()
            .min(-mostQuantity)
            .max(mostQuantity)
            .refine((value) => value !== 0, 'Give a number that is not 0')
            .meta({ description: 'How much more there is, or less where negative.' }),
          cost: costOf('What they cost in all, where more come in: sales then post their cost to the books.'),
        }),
      ),
      reason: z.enum(reasons).meta({ description: '`received` also lowers what is incoming.' }),
      note,
    }),
    answer: changedLines,
    errors: ['insufficient_role', 'stock_insufficient', 'location_limit'],
  },
  async (scope, { lines, reason, note: noted }, ports: StockPorts) =>
    scope.write(async (tx) => {
      const placed = await placeLines(tx, lines, ports);
      if (reason === 'received') requireArrivals(lines);
      requireIncoming(lines);
      const costs = await costsGiven(tx, lines, ports);
      const places = await placesOf(
        tx,
        lines.map(({ locationId }, index) => ({ pointer: `/lines/${index}/locationId`, locationId })),
      );
      const done = await changeLevels(tx, placed, {
        reason,
        note: noted,
        member: 'delta',
        wants: ({ line, index, itemId }, book) => {
          const location = places[index];
          if (location === undefined) return [];
          const { incoming } = book.at(itemId, location.id);
          const cost = costs[index];
          return reason === 'received'
            ? [{ location, kind: 'receive', onHand: line.delta, incoming: -Math.min(line.delta, incoming), cost }]
            : [{ location, kind: 'adjust', onHand: line.delta, cost }];
        },
      });
      for (const levels of parts(movedOf(done.book)))
        tx.record(event('commerce.stock.adjusted', { change_id: done.changeId, reason, levels }));
      return { lines: done.lines };
    }),
);

function requireArrivals(lines: readonly { readonly delta: number }[]): void {
  const faults = lines.flatMap(({ delta }, index) =>
    delta > 0
      ? []
      : [{ pointer: `/lines/${index}/delta`, code: 'too_small', detail: 'What was received is more than 0.' }],
  );
  if (faults.length > 0) throw invalidLines(faults);
}

/** What leaves costs what it did when it came. */
function requireIncoming(lines: readonly { readonly delta: number; readonly cost?: unknown }[]): void {
  const faults = lines.flatMap(({ delta, cost }, index) =>
    delta > 0 || cost === undefined
      ? []
      : [
          {
            pointer: `/lines/${index}/cost`,
            code: 'not_allowed',
            detail: 'What leaves costs the average of what is there: leave it out.',
          },
        ],
  );
  if (faults.length > 0) throw invalidLines(faults);
}
