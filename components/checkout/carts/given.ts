import { line } from '@steward/contract';
import { newId } from '@steward/kernel';
import { z } from 'zod';
import { mostCodes } from '../discounts/for-order.ts';
import { codeKey } from '../discounts/discount.ts';
import { checkoutFail } from '../errors.ts';
import { Faults } from '../money.ts';
import { type KeptLine, type WantedLine, wantedOf } from '../pricing/line.ts';
import type { Priced } from '../pricing/price.ts';
import { mostOfOneLine } from '../totals/line.ts';
import { mostLines } from './cart.ts';

const quantity = z.int().max(mostOfOneLine);

/** Of a price nothing can be said: a member that there is not is refused. */
export const linesGiven = z.array(z.strictObject({ variantId: z.uuid(), quantity: quantity.min(1) })).max(mostLines);
export type LinesGiven = z.output<typeof linesGiven>;

export const quantitiesGiven = z
  .array(z.strictObject({ id: z.uuid(), quantity: quantity.min(0).meta({ description: '0 removes the line.' }) }))
  .min(1)
  .max(mostLines);
export type QuantitiesGiven = z.output<typeof quantitiesGiven>;

/** Each once, however it is spelled. */
export const codesGiven = z
  .array(line(64))
  .max(mostCodes)
  .transform((codes) => [...new Map(codes.toReversed().map((code) => [codeKey(code), code])).values()].toReversed());

export const localeGiven = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/, 'Give a language tag of BCP 47, such as de or pt-BR');

/**
 * Lines after more was added: what is there already grows.
 * @throws Problem `invalid_request` (400) where it becomes too much
 */
export function withMore(kept: readonly KeptLine[], given: LinesGiven): WantedLine[] {
  const lines = new Map(kept.map((one) => [one.variantId, wantedOf(one)]));
  const faults = new Faults();
  for (const [at, { variantId, quantity: more }] of given.entries()) {
    const before = lines.get(variantId);
    const sum = (before?.quantity ?? 0) + more;
    if (sum > mostOfOneLine)
      faults.add(
        `/lines/${at}/quantity`,
        'too_big',
        `A line has at most ${mostOfOneLine} pieces, and this one would have ${sum}.`,
      );
    if (before === undefined && lines.size >= mostLines)
      faults.add(`/lines/${at}`, 'too_big', `A cart has at most ${mostLines} lines.`);
    lines.set(variantId, { id: before?.id ?? newId(), variantId, quantity: sum, kept: before?.kept ?? null });
  }
  faults.throw();
  return [...lines.values()];
}

/** Nothing but what is given; lines of variants that are there keep their ids and what they cost before. */
export const withNew = (kept: readonly KeptLine[], given: LinesGiven): WantedLine[] => {
  const before = new Map(kept.map((one) => [one.variantId, one]));
  return withMore([], given).map((one) => {
    const own = before.get(one.variantId);
    return own === undefined ? one : { ...one, id: own.id, kept: own };
  });
};

/** @throws Problem `invalid_request` (400) for a line that there is not, unless it is to go, or that is named twice */
export function withQuantities(kept: readonly KeptLine[], given: QuantitiesGiven): WantedLine[] {
  const faults = new Faults();
  const own = new Set(kept.map(({ id }) => id));
  const asked = new Map<string, number>();
  for (const [at, { id, quantity: wanted }] of given.entries()) {
    // A second press, or another tab, took it out already.
    if (!own.has(id) && wanted > 0)
      faults.add(`/lines/${at}/id`, 'unknown', 'There is no such line: give the id of a line.');
    if (asked.has(id)) faults.add(`/lines/${at}/id`, 'repeated', 'The line is given twice: give each line once.');
    asked.set(id, wanted);
  }
  faults.throw();
  return kept
    .map((one) => ({ ...wantedOf(one), quantity: asked.get(one.id) ?? one.quantity }))
    .filter((one) => one.quantity > 0);
}

/**
 * All that was added is sold.
 * @throws Problem `not_sold` (422) with pointers
 */
export function requireSold(
  { unsold }: Priced,
  wanted: readonly WantedLine[],
  given: LinesGiven,
  currency: string,
): void {
  if (unsold.length === 0) return;
  const gone = new Set(unsold.map((at) => wanted[at]?.variantId));
  const detail = `The shop sells no such variant in ${currency}: give the id of a variant of a product that it lists.`;
  throw checkoutFail('not_sold', detail, {
    errors: given
      .flatMap(({ variantId }, at) =>
        gone.has(variantId) ? [{ pointer: `/lines/${at}/variantId`, code: 'not_sold', detail }] : [],
      )
      .slice(0, 20),
  });
}
