import type { TenantTransaction } from '@steward/sql';
import { reserveSome } from '@steward/stock';
import { leftToSend } from '../fulfilments/left.ts';
import { holdOrder } from '../orders/order.ts';

/**
 * Reserves anew what an order that was sold at a marketplace still has to send, as far as there is some. Nothing of one that is cancelled.
 * @param prefer the location that it is taken from first
 * @returns whether all of it is reserved
 * @throws Problem `not_found` (404)
 */
export async function reserveElsewhere(tx: TenantTransaction, orderId: string, prefer: string): Promise<boolean> {
  const held = await holdOrder(tx, orderId);
  if (held.status === 'cancelled') return true;
  const left = await leftToSend(tx, held);
  const lines = held.lines.flatMap(({ id, variantId }) => {
    const quantity = left.get(id) ?? 0;
    return quantity > 0 ? [{ variantId, quantity }] : [];
  });
  const short = await reserveSome(tx, { holder: held.id, mode: held.mode, lines, expiresAt: null, prefer });
  return short.length === 0;
}
