import { newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Mode } from '../words.ts';
import { recordStarted } from './begin.ts';
import { manual, manualMethods } from './handlers/manual.ts';
import type { OperationSource } from './operation.ts';
import { held, openOf, type Payment } from './payment.ts';
import { lookAt } from './pay-by.ts';
import { selectSettings, settingsOf } from './settings.ts';
import { voidOpen } from './void.ts';

interface Beginning {
  /** Minor units, above 0. */
  readonly amount: bigint;
  readonly handler?: string | undefined;
  /** Default: the first that buyers are offered. */
  readonly method?: string | undefined;
  /** The edit that left more to pay; null: a member records what arrives. */
  readonly editId: string | null;
  /** The last day for it; ISO. Null: for as long as it takes. */
  readonly payBy?: string | null | undefined;
}

/** Awaits by other means what is still to be paid of an order that was placed. Whoever calls has locked the order. */
export async function beginBalance(
  tx: TenantTransaction,
  order: { readonly id: string; readonly checkoutId: string; readonly mode: Mode; readonly currency: string },
  { amount, handler = manual.name, method, editId, payBy = null }: Beginning,
): Promise<Payment> {
  const { tenant } = tx.context;
  const [setting] = await tx.query(selectSettings(tenant));
  const [offered] = settingsOf(setting).manualMethods;
  const [row] = await tx.query(
    statement(
      `insert into orders.payment as p (tenant_id, payment_id, checkout_id, order_id, edit_id, recorded, mode, handler, method, state, amount, currency,
         attempt, pay_by, look_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6, $7, $8, $9, 'awaiting', $10::bigint, $11,
         (select count(*) + 1 from orders.payment b where b.tenant_id = $1::uuid and b.checkout_id = $3::uuid), $12::date, ${lookAt('$12')})
       returning ${held.columns}`,
      [
        tenant,
        newId(),
        order.checkoutId,
        order.id,
        editId,
        editId === null,
        order.mode,
        handler,
        method ?? offered?.method ?? manualMethods[0],
        amount,
        order.currency,
        payBy,
      ],
    ),
  );
  const begun = held.read(row ?? {});
  recordStarted(tx, begun, { editId, recorded: editId === null });
  return begun;
}

/** Awaits no more by other means than is due. Whoever calls has locked the order. */
export async function lowerAwaited(
  tx: TenantTransaction,
  payments: readonly Payment[],
  due: bigint,
  source: OperationSource,
): Promise<void> {
  const awaiting = payments.filter(({ state }) => state === 'awaiting');
  const beyond = awaiting.reduce((sum, one) => sum + openOf(one), 0n) - due;
  if (beyond > 0n) await voidOpen(tx, awaiting, beyond, source);
}
