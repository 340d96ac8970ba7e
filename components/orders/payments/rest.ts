import { parseAmount } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import { orderIn } from '../orders/order.ts';
import { beginBalance } from './balance.ts';
import { marketplaceKind } from './handlers/marketplace.ts';
import { type Payment, promisedOf } from './payment.ts';

/** Awaits what is left to pay and nobody is going to take, as after a payment was given up. Whoever calls has locked the order. */
export async function awaitRest(
  tx: TenantTransaction,
  orderId: string,
  payments: readonly Payment[],
): Promise<Payment | undefined> {
  if (payments.some(({ handler }) => handler === marketplaceKind.name)) return undefined;
  const order = await orderIn(tx, orderId);
  if (order === undefined) return undefined;
  const amount = (parseAmount(order.balanceDue.amount, order.currency) ?? 0n) - promisedOf(payments);
  return amount > 0n ? beginBalance(tx, order, { amount, editId: null }) : undefined;
}
