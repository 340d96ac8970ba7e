import { type BuyGet, isAmong } from './discount.ts';
import type { Line } from './line.ts';

/** A line as discounts lower it. */
export interface Lowered {
  readonly line: Line;
  /** What previous discounts left, in minor units. */
  left: bigint;
  /** Units that bought or were got under such a discount before; each counts once. */
  spent: number;
}

/**
 * How many units of each line are got. A unit that is bought is not got as well, so the offer holds as often as the units of both sides
 * together allow. The cheapest units are got, and of what is bought those that could not have been got come first, then the dearest. Marks
 * the units of both sides as spent.
 */
export function unitsGot({ buy, get, most }: BuyGet, lines: readonly Lowered[]): Map<Lowered, number> {
  const got = new Map<Lowered, number>();
  const sides = lines.map((one) => ({
    one,
    free: one.line.quantity - one.spent,
    buys: isAmong(buy.among, one.line),
    gets: isAmong(get.among, one.line),
  }));
  const unitsWhere = (chosen: (side: (typeof sides)[number]) => boolean): number =>
    sides.reduce((sum, side) => sum + (chosen(side) ? side.free : 0), 0);
  const buyable = unitsWhere(({ buys }) => buys);
  const times = Math.min(
    Math.floor(buyable / buy.quantity),
    Math.floor(unitsWhere(({ gets }) => gets) / get.quantity),
    Math.floor(unitsWhere(({ buys, gets }) => buys || gets) / (buy.quantity + get.quantity)),
    most ?? Infinity,
  );
  if (times === 0) return got;
  let wanted = times * get.quantity;
  /** Units of both sides that need not be bought. */
  let spare = buyable - times * buy.quantity;
  const byPrice = sides.toSorted((a, b) => cheaper(a.one, b.one));
  for (const side of byPrice.filter(({ gets }) => gets)) {
    const taken = Math.min(side.free, wanted, side.buys ? spare : Infinity);
    if (taken === 0) continue;
    wanted -= taken;
    if (side.buys) spare -= taken;
    side.free -= taken;
    side.one.spent += taken;
    got.set(side.one, taken);
  }
  let owed = times * buy.quantity;
  const bought = byPrice.toReversed().filter(({ buys }) => buys);
  for (const side of [...bought.filter(({ gets }) => !gets), ...bought.filter(({ gets }) => gets)]) {
    const taken = Math.min(side.free, owed);
    owed -= taken;
    side.one.spent += taken;
  }
  return got;
}

/** By what a unit still costs: less than zero where `a` is cheaper. */
function cheaper(a: Lowered, b: Lowered): number {
  const difference = a.left * BigInt(b.line.quantity) - b.left * BigInt(a.line.quantity);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
