import { fail } from '@steward/kernel';
import { mostLines, mostQuantity } from '../words.ts';

/** What is asked of a variant. */
export interface Asked {
  readonly variantId: string;
  readonly quantity: number;
}

/** A variant of which there is not enough: what was asked for in all lines, and what there is for it. */
export interface Shortfall {
  readonly variantId: string;
  readonly asked: number;
  readonly available: number;
}

/** What one piece of a variant takes of an item, and how much of that there is. */
export interface Source {
  readonly variantId: string;
  readonly itemId: string;
  readonly each: number;
  readonly free: number;
}

/** @throws Problem `invalid_request` (400): for the caller's door to have checked before */
export function requireQuantities(lines: readonly Asked[]): void {
  if (lines.length > mostLines) throw fail('invalid_request', `Give at most ${mostLines} lines.`);
  for (const [index, { quantity }] of lines.entries())
    if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > mostQuantity)
      throw fail('invalid_request', `/lines/${index}/quantity: Give an integer from 1 to ${mostQuantity}.`, {
        errors: [
          {
            pointer: `/lines/${index}/quantity`,
            code: 'invalid_value',
            detail: `Give an integer from 1 to ${mostQuantity}.`,
          },
        ],
      });
}

/**
 * Who goes short where all cannot be served, in the order of lines: whoever lowers each of them to what is available is served, as far as
 * nobody else comes before.
 */
export function shortfallsOf(lines: readonly Asked[], sources: readonly Source[]): Shortfall[] {
  const left = new Map(sources.map(({ itemId, free }) => [itemId, free]));
  const takes = Map.groupBy(sources, ({ variantId }) => variantId);
  const asked = new Map<string, number>();
  for (const { variantId, quantity } of lines) asked.set(variantId, (asked.get(variantId) ?? 0) + quantity);
  return [...asked].flatMap(([variantId, quantity]) => {
    const own = takes.get(variantId) ?? [];
    const available = Math.min(
      quantity,
      ...own.map(({ itemId, each }) => Math.floor(Math.max(left.get(itemId) ?? 0, 0) / each)),
    );
    for (const { itemId, each } of own) left.set(itemId, (left.get(itemId) ?? 0) - available * each);
    return available < quantity ? [{ variantId, asked: quantity, available }] : [];
  });
}

/**
 * Where nothing was changed, somebody goes short: nobody may take that for done.
 * @throws Problem `conflict` (409) where nobody does any more, since what a variant takes was changed meanwhile
 */
export function requireShort(short: readonly Shortfall[]): readonly Shortfall[] {
  if (short.length > 0) return short;
  throw fail('conflict', 'What a variant takes, or how much there is, was changed at this moment: repeat the call.');
}
