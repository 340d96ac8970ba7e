import { fail, money, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import type { Mode } from '../words.ts';
import { ordersFail } from '../errors.ts';
import { event } from '../events.ts';
import { handlersFor } from './handlers/handlers.ts';
import { held, type Payment } from './payment.ts';
import { selectSettings, settingsOf } from './settings.ts';
import { told } from './told.ts';

interface Beginning {
  readonly checkoutId: string;
  readonly mode: Mode;
  readonly handler: string;
  readonly method: string;
  /** Minor units, above 0: what costs nothing is not paid. */
  readonly amount: bigint;
  readonly currency: string;
}

/**
 * Begins to pay a checkout: the row is there before any provider is asked, so that whoever comes after a crash knows of it.
 * @throws Problem `invalid_request` (400) for a handler or method that is not offered, `payment_under_way` (409) where one of this checkout
 * was not declined
 */
export async function beginPayment(tx: TenantTransaction, asked: Beginning): Promise<Payment> {
  const { checkoutId, mode, handler, method, amount, currency } = asked;
  const { tenant } = tx.context;
  const [setting] = await tx.query(selectSettings(tenant));
  requireOffered(handlersFor(mode, settingsOf(setting)), asked);
  const [row] = await tx.query(
    statement(
      `insert into orders.payment as p (tenant_id, payment_id, checkout_id, mode, handler, method, amount, currency, attempt)
       values ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::bigint, $8,
         (select count(*) + 1 from orders.payment b where b.tenant_id = $1::uuid and b.checkout_id = $3::uuid))
       on conflict do nothing returning ${held.columns}`,
      [tenant, newId(), checkoutId, mode, handler, method, amount, currency],
    ),
  );
  if (row === undefined)
    throw ordersFail('payment_under_way', 'A payment of this checkout was begun: wait for what becomes of it.');
  const begun = held.read(row);
  tx.record(
    event('commerce.payment.started', {
      ...told(begun),
      checkout_id: checkoutId,
      handler,
      method,
      attempt: begun.attempt,
      amount: money(amount, currency).amount,
    }),
  );
  return begun;
}

function requireOffered(
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
