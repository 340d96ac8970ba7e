import { amount, day, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { statement, type TenantTransaction } from '@steward/sql';
import { movementKinds } from './words.ts';

/** What moved money of an order: of `orders.payment_operation` named `m`, beside its payment `p`. */
const movement = shape('m', {
  id: id('m.operation_id'),
  kind: oneOf(movementKinds),
  /** What it was done for, such as a refund. */
  sourceKind: text(),
  sourceId: id(),
  handler: text('p.handler'),
  method: text('p.method'),
  currency: text('p.currency'),
  amount: amount(),
  /** The day on which it arrived, where somebody said it. */
  receivedOn: nullable(day('m.received_on')),
  createdAt: moment(),
});
export type Movement = Of<typeof movement>;

/** Each comes from a person, a fulfilment or a refund. */
const most = 1000;

/** What moved money of an order, oldest first: for whoever books it. */
export async function movementsOf(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  orderId: string,
): Promise<Movement[]> {
  const rows = await tx.query(
    statement(
      `select ${movement.columns} from orders.payment p
       join orders.payment_operation m on m.tenant_id = p.tenant_id and m.payment_id = p.payment_id
       where p.tenant_id = $1::uuid and p.order_id = $2::uuid order by m.operation_id limit ${most}`,
      [tx.context.tenant, orderId],
    ),
  );
  return rows.map(movement.read);
}
