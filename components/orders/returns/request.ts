import { operation } from '@steward/access';
import { remarks } from '@steward/contract';
import { type FieldError, newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { invalidLines } from '../faults.ts';
import { manages } from '../operations.ts';
import { byOrder, noOrder } from '../orders/order.ts';
import { type Mode, mostQuantity } from '../words.ts';
import { goodsReturn, returnIn, told } from './return.ts';
import { mostReturned, reasons } from './words.ts';

export const reason = z.enum(reasons).default('other').meta({ description: 'Why, as the buyer says.' });
export const note = remarks(1000).optional().meta({ description: 'For members; buyers do not see it.' });

/**
 * Opens a return of what was sent and has not come back, nor is to come back by another return.
 * @throws Problem `not_found` (404), `invalid_request` (400), `not_returnable` (409) with pointers
 */
export const requestReturn = operation(
  {
    ...manages,
    name: 'service_request_return',
    input: z.strictObject({
      ...byOrder,
      lines: z
        .array(
          z.strictObject({
            lineId: z.uuid().meta({ description: 'Of the order.' }),
            quantity: z.int().min(1).max(mostQuantity).meta({ description: 'Units that come back.' }),
          }),
        )
        .min(1)
        .max(mostReturned)
        .meta({ description: 'What comes back, of what was sent.' }),
      reason,
      note,
    }),
    answer: goodsReturn.answer,
    errors: ['not_found', 'not_returnable'],
  },
  async (scope, { orderId, lines, reason: why, note: noted }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [order] = await tx.query<{ mode: Mode }>(sql`
        select mode from orders.sales_order where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid for no key update`);
      if (order === undefined) throw noOrder();
      const left = await returnable(lines.map(({ lineId }) => lineId));
      requireReturnable(lines, left);
      const returnId = newId();
      await tx.queryAll([
        sql`insert into orders.return (tenant_id, return_id, order_id, mode, reason, note)
          values (${tenant}::uuid, ${returnId}::uuid, ${orderId}::uuid, ${order.mode}, ${why}, ${noted ?? null})`,
        sql`insert into orders.return_line (tenant_id, return_id, order_id, line_id, quantity)
          select ${tenant}::uuid, ${returnId}::uuid, ${orderId}::uuid, l.id, l.quantity
          from unnest(${lines.map(({ lineId }) => lineId)}::uuid[], ${lines.map(({ quantity }) => quantity)}::int[]) l (id, quantity)`,
      ]);
      const made = await returnIn(tx, returnId);
      tx.record(event('commerce.return.requested', told(made)));
      tx.publish(
        announcement('commerce.return.requested', { returnId, orderId, mode: made.mode }, { subject: returnId }),
      );
      return made;

      async function returnable(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
        const rows = await tx.query<{ id: string; left: number }>(
          statement(
            `select l.line_id as id, (l.fulfilled - l.returned - coalesce((
               select sum(x.quantity) from orders.return_line x join orders.return r on r.tenant_id = x.tenant_id and r.return_id = x.return_id
               where x.tenant_id = l.tenant_id and x.order_id = l.order_id and x.line_id = l.line_id and r.state in ('requested', 'approved')), 0))::int as left
             from orders.line l where l.tenant_id = $1::uuid and l.order_id = $2::uuid and l.line_id = any ($3::uuid[])`,
            [tenant, orderId, ids],
          ),
        );
        return new Map(rows.map(({ id, left: units }) => [id, units]));
      }
    }),
);

function requireReturnable(
  lines: readonly { readonly lineId: string; readonly quantity: number }[],
  left: ReadonlyMap<string, number>,
): void {
  const wrong: FieldError[] = [];
  const beyond: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { lineId, quantity }] of lines.entries()) {
    const units = left.get(lineId.toLowerCase());
    const pointer = `/lines/${index}`;
    if (units === undefined)
      wrong.push({ pointer: `${pointer}/lineId`, code: 'unknown_line', detail: 'The order has no such line.' });
    else if (seen.has(lineId.toLowerCase()))
      wrong.push({ pointer: `${pointer}/lineId`, code: 'repeated', detail: 'Give each line once.' });
    else if (quantity > units)
      beyond.push({
        pointer: `${pointer}/quantity`,
        code: 'not_returnable',
        detail: units === 0 ? 'Nothing of the line can be returned.' : `${units} of the line can be returned.`,
      });
    seen.add(lineId.toLowerCase());
  }
  if (wrong.length > 0) throw invalidLines(wrong);
  const [first] = beyond;
  if (first !== undefined)
    throw ordersFail(
      'not_returnable',
      `${first.pointer}: ${first.detail} Only what was sent and is not in another return can be.`,
      { errors: beyond.slice(0, 20) },
    );
}
