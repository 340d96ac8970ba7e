import { newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { recordStarted } from '../payments/begin.ts';
import { noteFigures } from '../payments/figures.ts';
import { manual, manualMethods } from '../payments/handlers/manual.ts';
import { marketplaceKind } from '../payments/handlers/marketplace.ts';
import { held, holdPaymentsOf, openOf, type Payment } from '../payments/payment.ts';
import { selectSettings, settingsOf } from '../payments/settings.ts';
import { voidPayment } from '../payments/void.ts';
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
  const payments = (await holdPaymentsOf(tx, edited.id)).toReversed();
  const source = { kind: 'edit', id: editId };
  const open = (state: Payment['state']) => payments.filter((one) => one.state === state && openOf(one) > 0n);
  const sum = (all: readonly Payment[]): bigint => all.reduce((so, one) => so + openOf(one), 0n);
  /** Gives up so much of what is open, the newest first. */
  const giveUp = async (all: readonly Payment[], amount: bigint): Promise<void> => {
    let left = amount;
    for (const one of all) {
      const part = openOf(one) < left ? openOf(one) : left;
      left -= part;
      if (part > 0n) await voidPayment(tx, one, source, part);
    }
  };
  const [authorized, awaiting] = [open('authorized'), open('awaiting')];
  const taking = payments.reduce((so, { capturing }) => so + capturing, 0n);
  const due = edited.due > taking ? edited.due - taking : 0n;
  const promised = sum(authorized);
  if (promised > due) await giveUp(authorized, promised - due);
  const wanted = promised > due ? 0n : due - promised;
  if (wanted < sum(awaiting)) await giveUp(awaiting, sum(awaiting) - wanted);
  else if (wanted > sum(awaiting)) {
    await giveUp(awaiting, sum(awaiting));
    const { handler, method } = payments.find(isElsewhere) ?? payments.find(isManual) ?? { handler: manual.name };
    await beginBalance(tx, edited, { editId, amount: wanted, handler, method });
  }
  await noteFigures(tx, edited.id);
}

/** What is paid at a marketplace is paid there to the end. */
const isElsewhere = ({ handler }: Payment): boolean => handler === marketplaceKind.name;
const isManual = ({ handler }: Payment): boolean => handler === manual.name;

async function beginBalance(
  tx: TenantTransaction,
  { id: orderId, checkoutId, mode, currency }: Edited,
  {
    editId,
    amount,
    handler,
    method,
  }: {
    readonly editId: string;
    readonly amount: bigint;
    readonly handler: string;
    readonly method?: string | undefined;
  },
): Promise<void> {
  const { tenant } = tx.context;
  const [setting] = await tx.query(selectSettings(tenant));
  const [offered] = settingsOf(setting).manualMethods;
  const [row] = await tx.query(
    statement(
      `insert into orders.payment as p (tenant_id, payment_id, checkout_id, order_id, edit_id, mode, handler, method, state, amount, currency, attempt)
       values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6, $7, $8, 'awaiting', $9::bigint, $10,
         (select count(*) + 1 from orders.payment b where b.tenant_id = $1::uuid and b.checkout_id = $3::uuid))
       returning ${held.columns}`,
      [
        tenant,
        newId(),
        checkoutId,
        orderId,
        editId,
        mode,
        handler,
        method ?? offered?.method ?? manualMethods[0],
        amount,
        currency,
      ],
    ),
  );
  const begun = held.read(row ?? {});
  recordStarted(tx, begun, editId);
}
