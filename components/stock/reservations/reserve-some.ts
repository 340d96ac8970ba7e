import type { TenantTransaction } from '@steward/sql';
import type { Shortfall } from './asked.ts';
import { reserve, type Reserving } from './reserve.ts';

/**
 * Reserves what there is of what the lines take, in place of all that the holder has reserved: for what is sold already, whether there is enough or not.
 * @returns variants of which less is reserved than was asked for
 * @throws Problem as `reserve` does
 */
export async function reserveSome(
  tx: TenantTransaction,
  { lines, ...reserving }: Reserving,
): Promise<readonly Shortfall[]> {
  const short = await reserve(tx, { ...reserving, lines });
  if (short.length === 0) return [];
  const left = new Map(short.map(({ variantId, available }) => [variantId, available]));
  const lowered = lines.flatMap(({ variantId, quantity }) => {
    const most = left.get(variantId) ?? quantity;
    const some = Math.min(quantity, most);
    if (left.has(variantId)) left.set(variantId, most - some);
    return some > 0 ? [{ variantId, quantity: some }] : [];
  });
  // Its items are locked by now, so there is as much as was said.
  const none = await reserve(tx, { ...reserving, lines: lowered });
  if (none.length > 0) throw new Error('what was available is not');
  return short;
}
