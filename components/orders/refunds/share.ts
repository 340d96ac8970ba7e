/** What a line was charged, in minor units. */
interface Charged {
  readonly quantity: number;
  readonly net: bigint;
  readonly tax: bigint;
}

interface Share {
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
}

/**
 * What `units` of a line give back after `before` of them were given back: the difference of two cumulative shares, so that all single
 * refunds together give exactly what was charged, discounts included, and none is below zero. Where the share of the total is whole, so is
 * its refund: of two halves one is rounded up and one down.
 * @throws RangeError for more units than the line has
 */
export function refundShare({ quantity, net, tax }: Charged, units: number, before = 0): Share {
  if (![before, units].every((one) => Number.isInteger(one) && one >= 0) || before + units > quantity)
    throw new RangeError(`${before} + ${units} are no units of ${quantity}`);
  return shareOf({ net, tax }, BigInt(quantity), { from: BigInt(before), to: BigInt(before + units) });
}

/**
 * Net and tax of an amount that is given back of shipping after `before` of it was: as `refundShare`, by minor units, so that `total` is
 * the amount.
 * @throws RangeError for more than was charged
 */
export function amountShare({ net, tax }: Omit<Charged, 'quantity'>, amount: bigint, before: bigint): Share {
  if (amount <= 0n || before < 0n || before + amount > net + tax)
    throw new RangeError(`${before} + ${amount} are no part of ${net + tax}`);
  return shareOf({ net, tax }, net + tax, { from: before, to: before + amount });
}

function shareOf(
  { net, tax }: Omit<Charged, 'quantity'>,
  whole: bigint,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Share {
  const halfUp = (amount: bigint, part: bigint): bigint => (2n * amount * part + whole) / (2n * whole);
  const halfDown = (amount: bigint, part: bigint): bigint => (2n * amount * part + whole - 1n) / (2n * whole);
  const shares = { net: halfUp(net, to) - halfUp(net, from), tax: halfDown(tax, to) - halfDown(tax, from) };
  return { ...shares, total: shares.net + shares.tax };
}
