import { minor, unitsOf } from '../../data/decimal.ts';
import type { Order, Refund } from './types.ts';

interface Asked {
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  /** Amounts as they were typed, if they were. */
  readonly shipping: string | undefined;
  readonly adjustment: string | undefined;
}

/** How many units of each line were given back. */
export const unitsBack = (refunds: readonly Pick<Refund, 'lines'>[]): ReadonlyMap<string, number> =>
  new Map(
    [
      ...Map.groupBy(
        refunds.flatMap(({ lines }) => lines),
        ({ lineId }) => lineId,
      ),
    ].map(([id, all]) => [id, all.reduce((sum, { quantity }) => sum + quantity, 0)]),
  );

/**
 * What a refund comes to, by the server's rule: the units of a line give back the difference of two cumulative shares of what it was charged, so
 * that all refunds together give back exactly that. Undefined where something is not complete, or more than there is.
 * @param before as of `unitsBack`
 */
export function givesBack(
  { lines, total }: Pick<Order, 'total'> & { readonly lines: readonly Charged[] },
  before: ReadonlyMap<string, number>,
  asked: Asked,
): string | undefined {
  const digits = total.amount.split('.')[1]?.length ?? 0;
  const parts = [
    ...[asked.shipping, asked.adjustment].map((amount) => (amount === undefined ? 0n : unitsOf(amount, digits))),
    ...asked.lines.map(({ lineId, quantity }) => {
      const line = lines.find(({ id }) => id === lineId);
      return line === undefined ? undefined : shareOf(line, before.get(lineId) ?? 0, quantity, digits);
    }),
  ];
  let sum = 0n;
  for (const part of parts) {
    if (part === undefined || part < 0n) return undefined;
    sum += part;
  }
  return minor(sum, digits);
}

type Charged = Pick<Order['lines'][number], 'id' | 'quantity' | 'net' | 'tax'>;

function shareOf(line: Charged, from: number, units: number, digits: number): bigint | undefined {
  const [net, tax] = [unitsOf(line.net.amount, digits), unitsOf(line.tax.amount, digits)];
  const isThere = Number.isInteger(units) && units > 0 && from + units <= line.quantity;
  if (net === undefined || tax === undefined || !isThere) return undefined;
  const whole = BigInt(line.quantity);
  const [first, last] = [BigInt(from), BigInt(from + units)];
  const halfUp = (part: bigint): bigint => (2n * net * part + whole) / (2n * whole);
  const halfDown = (part: bigint): bigint => (2n * tax * part + whole - 1n) / (2n * whole);
  return halfUp(last) - halfUp(first) + halfDown(last) - halfDown(first);
}
