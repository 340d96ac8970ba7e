import { operation } from '@steward/access';
import { amount, day, id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byOrder, noOrder } from '../orders/order.ts';
import { payment, selectShown } from './payment.ts';
import { movementKinds } from './words.ts';

/** What moved money of a payment: of `orders.payment_operation` named `m`, beside its payment `p`. */
const movement = shape('m', {
  id: id('m.operation_id'),
  paymentId: id(),
  kind: oneOf(movementKinds),
  currency: text('p.currency'),
  amount: amount(),
  /** As the bank or the provider calls it. */
  reference: nullable(text()),
  /** The day on which it arrived, where somebody said it. */
  receivedOn: nullable(day('m.received_on')),
  createdAt: moment(),
});

/** What its provider is asked to do: of `orders.payment_request` named `r`, beside its payment `p`. */
const request = shape('r', {
  id: id('r.request_id'),
  paymentId: id(),
  kind: oneOf(['capture', 'void', 'refund']),
  currency: text('p.currency'),
  amount: amount(),
  /** `refused`: the provider does not do it, and a person is to look. */
  state: oneOf(['asked', 'done', 'refused']),
  reason: nullable(text()),
  createdAt: moment(),
});

/** As many as are read of one order: each comes from a person, a fulfilment or a refund. */
const most = 500;

/** Payments of an order, each attempt, what moved their money, and what providers are asked for, oldest first. @throws Problem `not_found` (404) */
export const getOrderPayments = operation(
  {
    ...reads,
    name: 'service_list_order_payments',
    input: z.strictObject(byOrder),
    answer: z.object({
      payments: z.array(payment.answer),
      operations: z.array(movement.answer),
      requests: z.array(request.answer),
    }),
    errors: ['not_found'],
  },
  async ({ context: { tenant }, readAll }, { orderId }) => {
    const [orders = [], payments = [], operations = [], requests = []] = await readAll([
      sql`select from orders.sales_order where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid`,
      selectShown(`p.order_id = $2::uuid order by p.payment_id limit ${most}`, tenant, orderId),
      statement(
        `select ${movement.columns} from orders.payment p
         join orders.payment_operation m on m.tenant_id = p.tenant_id and m.payment_id = p.payment_id
         where p.tenant_id = $1::uuid and p.order_id = $2::uuid order by m.operation_id limit ${most}`,
        [tenant, orderId],
      ),
      statement(
        `select ${request.columns} from orders.payment p
         join orders.payment_request r on r.tenant_id = p.tenant_id and r.payment_id = p.payment_id
         where p.tenant_id = $1::uuid and p.order_id = $2::uuid order by r.request_id limit ${most}`,
        [tenant, orderId],
      ),
    ]);
    if (orders.length === 0) throw noOrder();
    return {
      payments: payments.map(payment.read),
      operations: operations.map(movement.read),
      requests: requests.map(request.read),
    };
  },
);
