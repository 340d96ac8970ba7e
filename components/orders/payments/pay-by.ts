import { statement, type TenantTransaction } from '@steward/sql';
import { manual } from './handlers/manual.ts';
import type { PaymentSettings } from './settings.ts';

/**
 * The last day for money that is to arrive by other means; ISO, in UTC. Null where the shop waits for as long as it takes.
 * @param from when the buyer chose to pay so; milliseconds
 */
export function payByOf(
  { manualMethods }: PaymentSettings,
  { handler, method }: { readonly handler: string; readonly method: string },
  from = Date.now(),
): string | null {
  const days = handler === manual.name ? manualMethods.find((one) => one.method === method)?.payWithinDays : null;
  return days == null ? null : new Date(from + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a job looks whether it came: once the day is over everywhere on earth. SQL. @param day of a date or null */
export const lookAt = (day: string): string => `(${day}::date + 1)::timestamp at time zone 'UTC' + interval '12 hours'`;

/** The last day that the buyer of an order was told for what is awaited of it; ISO. Null where there is none. */
export async function lastDayToPay(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  orderId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>(
    statement(
      `select min(pay_by)::text as day from orders.payment where tenant_id = $1::uuid and order_id = $2::uuid and state = 'awaiting'`,
      [tx.context.tenant, orderId],
    ),
  );
  return row?.day ?? null;
}
