import type { TenantTransaction } from '@steward/sql';
import { beginBalance } from '../payments/balance.ts';
import { noteFigures } from '../payments/figures.ts';
import { manual } from '../payments/handlers/manual.ts';
import { marketplaceKind } from '../payments/handlers/marketplace.ts';
import { holdPaymentsOf, openOf, type Payment } from '../payments/payment.ts';
import { voidOpen } from '../payments/void.ts';
import type { Mode } from '../words.ts';

interface Edited {
  readonly id: string;
  readonly checkoutId: string;
  readonly mode: Mode;
  readonly currency: string;
  /** What is still to be paid of it. Minor units. */
  readonly due: bigint;
}

/**
 * What is open of an order's payments becomes what is due of it: what is too much is given up, and what is lacking is awaited by other means, all that is awaited
 * by one payment. Money that was captured or is being captured stays; no provider is asked for more than the buyer agreed to. Whoever calls has locked the order.
 */
export async function settleBalance(tx: TenantTransaction, edited: Edited, editId: string): Promise<void> {
  const payments = await holdPaymentsOf(tx, edited.id);
  const source = { kind: 'edit', id: editId };
  const open = (state: Payment['state']) => payments.filter((one) => one.state === state && openOf(one) > 0n);
  const sum = (all: readonly Payment[]): bigint => all.reduce((so, one) => so + openOf(one), 0n);
  const giveUp = async (all: readonly Payment[], amount: bigint): Promise<void> => voidOpen(tx, all, amount, source);
  const [authorized, awaiting] = [open('authorized'), open('awaiting')];
  const taking = payments.reduce((so, { capturing }) => so + capturing, 0n);
  const due = edited.due > taking ? edited.due - taking : 0n;
  const promised = sum(authorized);
  if (promised > due) await giveUp(authorized, promised - due);
  const wanted = promised > due ? 0n : due - promised;
  if (wanted < sum(awaiting)) await giveUp(awaiting, sum(awaiting) - wanted);
  else if (wanted > sum(awaiting)) {
    await giveUp(awaiting, sum(awaiting));
    const { handler, method } = payments.findLast(isElsewhere) ?? payments.findLast(isManual) ?? {};
    await beginBalance(tx, edited, { editId, amount: wanted, handler, method, payBy: toCome(awaiting.at(-1)?.payBy) });
  }
  await noteFigures(tx, edited.id);
}

/** Whoever agrees to an edit after the last day is given no day that is over. */
const toCome = (day: string | null | undefined): string | null =>
  day != null && day >= new Date().toISOString().slice(0, 10) ? day : null;

/** What is paid at a marketplace is paid there to the end. */
const isElsewhere = ({ handler }: Payment): boolean => handler === marketplaceKind.name;
const isManual = ({ handler }: Payment): boolean => handler === manual.name;
