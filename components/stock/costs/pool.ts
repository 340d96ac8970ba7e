import { mostValue } from '../words.ts';

/** What there is of an item over all locations, and what those of its pieces cost whose cost is known. Minor units of the base currency. */
export interface Pool {
  readonly onHand: number;
  readonly costed: number;
  readonly value: bigint;
}

/** Pieces, as many as have a known cost, and what they cost in all. */
export interface Cost {
  readonly costed: number;
  readonly cost: bigint;
}

/** What a movement did: to what is on hand, and for pieces that had left before there were any. */
export interface Costing {
  readonly costed: number;
  readonly cost: bigint;
  readonly lateCosted: number;
  readonly lateCost: bigint;
}

const nothing: Costing = { costed: 0, cost: 0n, lateCosted: 0, lateCost: 0n };

/**
 * What some of several pieces cost that cost so much in all: rounded half to even. All of them cost the whole, so nothing is ever left over.
 */
export function share(cost: bigint, pieces: number, some: number): bigint {
  if (some === pieces) return cost;
  const [product, all] = [cost * BigInt(some), BigInt(pieces)];
  const [whole, rest] = [product / all, 2n * (product % all)];
  return rest > all || (rest === all && whole % 2n === 1n) ? whole + 1n : whole;
}

/**
 * Pieces come in. As many as had left before there were any are gone already: what those cost is late, and never of what is on hand. Those
 * with a known cost count as the ones that are gone, so that no sale stays without its cost for longer than it must.
 */
export function comeIn({ onHand, costed, value }: Pool, pieces: number, came: Cost): [Pool, Costing] {
  const lateCosted = Math.min(Math.max(-onHand, 0), pieces, came.costed);
  const lateCost = share(came.cost, came.costed, lateCosted);
  const change = { costed: came.costed - lateCosted, cost: came.cost - lateCost };
  return [
    { onHand: onHand + pieces, costed: costed + change.costed, value: value + change.cost },
    { ...change, lateCosted, lateCost },
  ];
}

/** Pieces leave: those without a known cost first, since they were there before costs were, then the others at their average. */
export function leave({ onHand, costed, value }: Pool, pieces: number): [Pool, Costing] {
  const some = Math.min(Math.max(pieces - unknownOf({ onHand, costed }), 0), costed);
  const cost = some === 0 ? 0n : share(value, costed, some);
  return [
    { onHand: onHand - pieces, costed: costed - some, value: value - cost },
    some === 0 ? nothing : { ...nothing, costed: -some, cost: -cost },
  ];
}

/** Pieces on hand whose cost is not known. */
export const unknownOf = ({ onHand, costed }: Pick<Pool, 'onHand' | 'costed'>): number => Math.max(onHand - costed, 0);

/** Says what those pieces cost whose cost was not known so far. */
export function appraise(pool: Pool, cost: bigint): [Pool, Costing] {
  const pieces = unknownOf(pool);
  return [
    { ...pool, costed: pool.costed + pieces, value: pool.value + cost },
    { ...nothing, costed: pieces, cost },
  ];
}

export const isTooMuch = ({ value }: Pool): boolean => value > mostValue;

export const together = (some: Costing, more: Costing): Costing => ({
  costed: some.costed + more.costed,
  cost: some.cost + more.cost,
  lateCosted: some.lateCosted + more.lateCosted,
  lateCost: some.lateCost + more.lateCost,
});

export const isNothing = ({ costed, lateCosted }: Costing): boolean => costed === 0 && lateCosted === 0;
export { nothing as noCost };
