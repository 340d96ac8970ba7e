import type { TenantContext } from '@steward/sql';
import { readBooks } from '../permissions.ts';
import { type Payment, paymentById, presentPayment, unknownPayment } from './payment.ts';

/** @throws Problem `not_found` (404), for another tenant's payment too */
export async function getPayment(context: TenantContext, id: string): Promise<Payment> {
  const [row] = await context.require(readBooks).read(paymentById(context.tenant, id));
  if (row === undefined) throw unknownPayment();
  return presentPayment(row);
}
