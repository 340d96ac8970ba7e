import { operation } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { locationIn, restock } from '@steward/stock';
import { z } from 'zod';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { invalidLines } from '../faults.ts';
import { invalidAt } from '../money.ts';
import { manages } from '../operations.ts';
import { mostQuantity } from '../words.ts';
import { moveReturn, wrongState } from './decide.ts';
import { byReturn, goodsReturn, type GoodsReturn, holdReturn, told } from './return.ts';
import { mostReturned } from './words.ts';

/** A return that is to come. */
const coming: readonly GoodsReturn['state'][] = ['requested', 'approved'];

interface Arrival {
  readonly lineId: string;
  readonly received: number;
  readonly damaged: number;
}

/**
 * Notes what came back. What is not damaged is put back into stock; what did not come can be returned another time.
 * @throws Problem `not_found` (404), `invalid_request` (400), `return_state`, `not_returnable` (409)
 */
export const receiveReturn = operation(
  {
    ...manages,
    name: 'service_receive_return',
    input: z.strictObject({
      ...byReturn,
      lines: z
        .array(
          z.strictObject({
            lineId: z.uuid().meta({ description: 'Line of the order, one of the return.' }),
            received: z.int().min(0).max(mostQuantity).meta({ description: 'Units that came, damaged ones too.' }),
            damaged: z
              .int()
              .min(0)
              .max(mostQuantity)
              .default(0)
              .meta({ description: 'Of those received: not put back into stock.' }),
          }),
        )
        .min(1)
        .max(mostReturned)
        .optional()
        .meta({ description: 'Default: all that was to come, undamaged. A line that is left out did not come.' }),
      locationId: z.uuid().optional().meta({
        description:
          'Where it is put back into stock, from service_list_locations. Default: where stock is taken from first.',
      }),
    }),
    answer: goodsReturn.answer,
    errors: ['not_found', 'return_state', 'not_returnable', 'stock_insufficient'],
  },
  async (scope, { returnId, lines, locationId }) =>
    scope.write(async (tx) => {
      const before = await holdReturn(tx, returnId);
      if (!coming.includes(before.state)) throw wrongState(before, coming);
      const arrived = lines ?? before.lines.map(({ lineId, quantity }) => ({ lineId, received: quantity, damaged: 0 }));
      requireExpected(before, arrived);
      if (locationId !== undefined && !(await locationIn(tx, locationId)))
        throw invalidAt(
          '/locationId',
          'unknown_location',
          'There is no such location in use: list them for their ids.',
        );
      await count(tx, before, arrived);
      const after = await moveReturn(tx, before, 'received', coming, { locationId });
      await putBack(tx, after, locationId);
      tx.record(event('commerce.return.received', told(after)));
      const { orderId, mode } = after;
      tx.publish(announcement('commerce.return.received', { returnId, orderId, mode }, { subject: returnId }));
      return after;
    }),
);

function requireExpected({ lines }: GoodsReturn, arrived: readonly Arrival[]): void {
  const expected = new Map(lines.map(({ lineId, quantity }) => [lineId, quantity]));
  const faults: FieldError[] = [];
  for (const [index, { lineId, received, damaged }] of arrived.entries()) {
    const quantity = expected.get(lineId.toLowerCase());
    const at = `/lines/${index}`;
    if (quantity === undefined)
      faults.push({
        pointer: `${at}/lineId`,
        code: 'unknown_line',
        detail: 'The return has no such line, or it is given twice.',
      });
    else if (received > quantity)
      faults.push({ pointer: `${at}/received`, code: 'too_big', detail: `${quantity} were to come back.` });
    else if (damaged > received)
      faults.push({ pointer: `${at}/damaged`, code: 'too_big', detail: `${received} came back.` });
    expected.delete(lineId.toLowerCase());
  }
  if (faults.length > 0) throw invalidLines(faults);
  if (arrived.every(({ received }) => received === 0))
    throw invalidAt('/lines', 'nothing_received', 'Nothing came back: reject the return instead.');
}

/** Of the return and of the order, whose statements guard that no more comes back than was sent. */
async function count(tx: TenantTransaction, { id, orderId }: GoodsReturn, arrived: readonly Arrival[]): Promise<void> {
  const { tenant } = tx.context;
  const came = arrived.filter(({ received }) => received > 0);
  const ids = came.map(({ lineId }) => lineId);
  const units = came.map(({ received }) => received);
  await tx.query(sql`
    update orders.return_line x set received = a.received, damaged = a.damaged
    from unnest(${ids}::uuid[], ${units}::int[], ${came.map(({ damaged }) => damaged)}::int[]) a (line_id, received, damaged)
    where x.tenant_id = ${tenant}::uuid and x.return_id = ${id}::uuid and x.line_id = a.line_id`);
  const counted = await tx.query(sql`
    update orders.line l set returned = l.returned + a.received
    from unnest(${ids}::uuid[], ${units}::int[]) a (line_id, received)
    where l.tenant_id = ${tenant}::uuid and l.order_id = ${orderId}::uuid and l.line_id = a.line_id
      and l.returned + a.received <= l.fulfilled returning l.line_id`);
  if (counted.length < came.length) throw ordersFail('not_returnable', 'More came back than was sent.');
  await tx.query(sql`
    update orders.sales_order set units_returned = units_returned + ${units.reduce((sum, one) => sum + one, 0)}::bigint
    where tenant_id = ${tenant}::uuid and order_id = ${orderId}::uuid`);
}

async function putBack(
  tx: TenantTransaction,
  { id, orderId, mode, lines }: GoodsReturn,
  locationId: string | undefined,
): Promise<void> {
  const sound = lines.filter(({ received, damaged }) => received > damaged);
  if (sound.length === 0) return;
  const rows = await tx.query<{ id: string; variant: string; fulfilled: number; returned: number }>(sql`
    select line_id as id, variant_id as variant, fulfilled, returned from orders.line where tenant_id = ${tx.context.tenant}::uuid and order_id = ${orderId}::uuid
      and line_id = any (${sound.map(({ lineId }) => lineId)}::uuid[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  await restock(tx, {
    mode,
    holder: orderId,
    source: { kind: 'return', id },
    locationId,
    lines: sound.map(({ lineId, received, damaged }) => ({
      line: lineId,
      variantId: byId.get(lineId)?.variant ?? '',
      quantity: received - damaged,
      // What has come now is counted already.
      sent: { pieces: byId.get(lineId)?.fulfilled ?? 0, back: (byId.get(lineId)?.returned ?? 0) - received },
    })),
  });
}
