import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { event } from '../events.ts';
import { handles } from '../operations.ts';
import { byOrder, noOrder } from '../orders/order.ts';
import { lookAt } from './pay-by.ts';
import { held, holdPaymentsOf, openOf } from './payment.ts';
import { told } from './told.ts';

/** Days from today on. */
const furthest = 366;

/**
 * Gives the buyer of an order more time to pay by invoice, transfer or cash. A day that a buyer was told is never brought nearer.
 * @throws Problem `not_found` (404), `invalid_request` (400), `payment_state` (409) where the order awaits nothing by a day
 */
export const extendOrderPayment = operation(
  {
    ...handles,
    name: 'service_extend_order_payment',
    input: z.strictObject({
      ...byOrder,
      payBy: z.iso.date().meta({ description: 'The new last day, after the one that the buyer was told.' }),
    }),
    answer: z.object({ orderNumber: z.string(), payBy: z.iso.date() }),
    errors: ['not_found', 'payment_state'],
  },
  async (scope, { orderId, payBy }) => {
    if (payBy < dayFromNow(0) || payBy > dayFromNow(furthest))
      throw notThen('out_of_range', `Give a day from today on, and within ${furthest} days.`);
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [order] = await tx.query<{ number: string }>(sql`
        select case o.mode when 'test' then 'TEST-' else '' end || o.number as number from orders.sales_order o
        where o.tenant_id = ${tenant}::uuid and o.order_id = ${orderId}::uuid for no key update`);
      if (order === undefined) throw noOrder();
      const { number: orderNumber } = order;
      const awaited = (await holdPaymentsOf(tx, orderId)).filter(
        (one) => one.state === 'awaiting' && one.payBy !== null && openOf(one) > 0n,
      );
      if (awaited.length === 0) throw ordersFail('payment_state', 'The order awaits no money by a last day.');
      const known = awaited.map((one) => one.payBy ?? '').toSorted();
      const [first = '', last = first] = [known[0], known.at(-1)];
      if (payBy === first && payBy === last) return asItWas({ orderNumber, payBy });
      if (payBy < last) throw notThen('not_later', `The buyer was told ${last}: give a later day.`);
      const rows = await tx.query(
        statement(
          `update orders.payment p set pay_by = $3::date, look_at = ${lookAt('$3')}, version = version + 1, updated_at = clock_timestamp()
           where p.tenant_id = $1::uuid and p.payment_id = any($2::uuid[]) returning ${held.columns}`,
          [tenant, awaited.map(({ id }) => id), payBy],
        ),
      );
      for (const row of rows) tx.record(event('commerce.payment.extended', { ...told(held.read(row)), pay_by: payBy }));
      return { orderNumber, payBy };
    });
  },
);

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const notThen = (code: string, detail: string): Error =>
  fail('invalid_request', detail, { errors: [{ pointer: '/payBy', code, detail }] });
