import { fail, money, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Mode } from '../words.ts';
import { ordersFail } from '../errors.ts';
import { event } from '../events.ts';
import type { CardAccounts } from './handlers/card/accounts.ts';
import { cardKind } from './handlers/card/kind.ts';
import { handlersFor } from './handlers/handlers.ts';
import { held, type Payment } from './payment.ts';
import { type PaymentSettings, selectSettings, settingsOf } from './settings.ts';
import { lookAt, payByOf } from './pay-by.ts';
import { told } from './told.ts';

export interface Beginning {
  /** Of the payment; a new one where it is left out. */
  readonly id?: string | undefined;
  readonly checkoutId: string;
  readonly mode: Mode;
  readonly handler: string;
  readonly method: string;
  /** Minor units, above 0: what costs nothing is not paid. */
  readonly amount: bigint;
  readonly currency: string;
  /** As this transaction has read them; read where they are left out. */
  readonly settings?: PaymentSettings | undefined;
}

/**
 * Begins to pay a checkout: the row is there before any provider is asked, so that whoever comes after a crash knows of it.
 * @param accounts of whoever takes cards; without them none are taken
 * @throws Problem `invalid_request` (400) for a handler or method that is not offered, `payment_under_way` (409) where one of this checkout
 * was not declined
 */
export async function beginPayment(tx: TenantTransaction, asked: Beginning, accounts?: CardAccounts): Promise<Payment> {
  const { id = newId(), checkoutId, mode, handler, method, amount, currency } = asked;
  const { tenant } = tx.context;
  const own = handler === cardKind.name ? accounts?.select(tenant, mode) : undefined;
  const account = accounts?.accountIn(own === undefined ? undefined : (await tx.query(own))[0], mode);
  const settings = asked.settings ?? settingsOf((await tx.query(selectSettings(tenant)))[0]);
  requireOffered(handlersFor(mode, settings, account !== undefined), asked);
  const [row] = await tx.query(
    statement(
      `insert into orders.payment as p (tenant_id, payment_id, checkout_id, mode, handler, method, amount, currency, connection_id, attempt,
         pay_by, look_at)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::bigint, $8, $9::uuid,
         (select count(*) + 1 from orders.payment b where b.tenant_id = $1::uuid and b.checkout_id = $3::uuid),
         $10::date, ${lookAt('$10')})
       on conflict do nothing returning ${held.columns}`,
      [
        tenant,
        id,
        checkoutId,
        mode,
        handler,
        method,
        amount,
        currency,
        handler === cardKind.name ? (account?.connectionId ?? null) : null,
        payByOf(settings, asked, tx.context.happenedAt),
      ],
    ),
  );
  if (row === undefined) throw underWay();
  const begun = held.read(row);
  recordStarted(tx, begun);
  return begun;
}

export const underWay = (): Error =>
  ordersFail('payment_under_way', 'A payment of this checkout was begun: wait for what becomes of it.');

/**
 * @param cause the edit that left more to pay, or that a member records what arrives; by default the checkout began it
 */
export function recordStarted(
  tx: TenantTransaction,
  begun: Payment,
  cause: { readonly editId: string | null; readonly recorded: boolean } = { editId: null, recorded: false },
): void {
  const { checkoutId, handler, method, attempt, amount, currency } = begun;
  tx.record(
    event('commerce.payment.started', {
      ...told(begun),
      checkout_id: checkoutId,
      handler,
      method,
      edit_id: cause.editId,
      recorded: cause.recorded,
      connection_id: begun.connectionId,
      attempt,
      amount: money(amount, currency).amount,
      ...(begun.payBy === null ? {} : { pay_by: begun.payBy }),
    }),
  );
}

/** @throws Problem `invalid_request` (400) */
export function requireOffered(
  offered: ReturnType<typeof handlersFor>,
  { handler, method }: Pick<Beginning, 'handler' | 'method'>,
): void {
  const found = offered.find((one) => one.handler === handler);
  const [pointer, names] =
    found === undefined
      ? ['/payment/handler', offered.map((one) => one.handler)]
      : ['/payment/method', found.methods.includes(method) ? [] : found.methods];
  if (found !== undefined && names.length === 0) return;
  const detail =
    names.length === 0 ? 'The shop takes no payments: enable a method in its settings.' : `Give ${names.join(' or ')}.`;
  throw fail('invalid_request', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'not_offered', detail }],
  });
}
