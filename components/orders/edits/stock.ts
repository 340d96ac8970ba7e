import type { TenantTransaction } from '@steward/sql';
import { errors as stockFail, reserve } from '@steward/stock';
import { leftToSend } from '../fulfilments/left.ts';
import type { Order } from '../orders/order.ts';
import type { EditGiven } from './given.ts';

/** What is left to send is reserved in place of all that the order had: what was taken off is free, and what was added is promised to nobody else. */
export async function reserveLeft(tx: TenantTransaction, changed: Order, { add = [] }: EditGiven): Promise<void> {
  const left = await leftToSend(tx, changed);
  const lines = changed.lines.flatMap(({ id, variantId }) => {
    const quantity = left.get(id) ?? 0;
    return quantity > 0 ? [{ variantId, quantity }] : [];
  });
  const short = await reserve(tx, { holder: changed.id, mode: changed.mode, lines, expiresAt: null });
  if (short.length === 0) return;
  const faults = short.map(({ variantId, asked, available }) => {
    const at = add.findIndex((one) => one.variantId.toLowerCase() === variantId);
    const title = changed.lines.find((line) => line.variantId === variantId)?.title ?? '';
    return {
      pointer: at === -1 ? '/lines' : `/add/${at}/quantity`,
      code: 'stock_insufficient',
      detail: `${title}: the order would have ${asked} to send, and there ${available === 1 ? 'is' : 'are'} ${available}.`,
    };
  });
  throw stockFail('stock_insufficient', `Nothing was edited. ${faults[0]?.detail ?? ''}`, {
    errors: faults.slice(0, 20),
  });
}
