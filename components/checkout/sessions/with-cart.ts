import type { TenantTransaction } from '@steward/sql';
import { beingPaid, holdSession, readSession, storeSession } from './session.ts';

/**
 * Ends the checkout of a cart that is held and is being cancelled, so that nobody buys what is in it: of both who ask at once, one is done and the
 * other is told.
 * @throws Problem `payment_in_progress` (409)
 */
export async function cancelWithCart(tx: TenantTransaction, checkoutId: string): Promise<void> {
  const row = await holdSession(tx, checkoutId);
  if (row === undefined) return;
  const session = readSession(row);
  if (session.status === 'completing') throw beingPaid();
  if (session.status === 'open' || session.status === 'ready')
    storeSession(tx, { ...session, status: 'cancelled', version: session.version + 1 });
}
