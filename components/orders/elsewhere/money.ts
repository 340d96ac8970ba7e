import { newId } from '@steward/kernel';
import type { TenantTransaction } from '@steward/sql';
import type { Order } from '../orders/order.ts';
import { attachAtOnce } from '../payments/attach.ts';
import { payAtOnce } from '../payments/at-once.ts';
import { receive } from '../payments/capture.ts';
import { noteFigures } from '../payments/figures.ts';
import { marketplaceKind } from '../payments/handlers/marketplace.ts';
import { holdPaymentsOf, openOf } from '../payments/payment.ts';
import { selectSettings, settingsOf } from '../payments/settings.ts';

/** Begins the payment of an order that is paid at a marketplace, in the transaction that places it: all of it is awaited. */
export async function awaitElsewhere(
  tx: TenantTransaction,
  { id: orderId, checkoutId, mode, currency }: Pick<Order, 'id' | 'checkoutId' | 'mode' | 'currency'>,
  amount: bigint,
): Promise<void> {
  if (amount === 0n) return;
  const settings = settingsOf((await tx.query(selectSettings(tx.context.tenant)))[0]);
  const { name: handler, methods } = marketplaceKind;
  const asked = { id: newId(), checkoutId, mode, handler, method: methods[0], amount, currency, settings };
  const payment = await payAtOnce(tx, asked, { kind: 'awaiting' }, { orderId, attempt: 1 });
  await attachAtOnce(tx, payment, settings);
}

/**
 * Notes that the marketplace has taken so much for an order in all, as far as that is more than is known, and open. Whoever calls has locked the
 * order.
 * @param sourceId of what says so: told again it moves nothing
 * @returns how much of it nothing here waits for, in minor units
 */
export async function receiveElsewhere(
  tx: TenantTransaction,
  orderId: string,
  { total, sourceId }: { readonly total: bigint; readonly sourceId: string },
): Promise<bigint> {
  const payments = (await holdPaymentsOf(tx, orderId)).filter(({ handler }) => handler === marketplaceKind.name);
  let left = total - payments.reduce((sum, { captured }) => sum + captured, 0n);
  for (const payment of payments) {
    const part = openOf(payment) < left ? openOf(payment) : left;
    if (part <= 0n || payment.state !== 'awaiting') continue;
    await receive(tx, payment, { amount: part, source: { kind: 'marketplace', id: sourceId } });
    left -= part;
  }
  await noteFigures(tx, orderId);
  return left > 0n ? left : 0n;
}
