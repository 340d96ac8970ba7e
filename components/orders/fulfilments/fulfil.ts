import { asItWas, operation } from '@steward/access';
import { remark } from '@steward/contract';
import { fail, type FieldError, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { errors as stockFail, release, ship, type Shortfall } from '@steward/stock';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { ordersFail } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { manages } from '../operations.ts';
import { byOrder, holdOrder, order, type Order, type OrderLine, orderIn } from '../orders/order.ts';
import { captureAtFulfilment } from '../payments/attach.ts';
import { mostLines, mostQuantity } from '../words.ts';
import { isAllSent, leftToSend } from './left.ts';
import { tracking } from './tracking.ts';

interface Sent {
  readonly line: OrderLine;
  readonly quantity: number;
  /** In the call. */
  readonly pointer: string;
}

/**
 * Says that pieces of an order left, and none that was paid back before: takes them from stock, from what the order has reserved first. All lines or none.
 * @throws Problem `not_found` (404), `invalid_request` (400), `order_cancelled`, `more_than_open`, `stock_insufficient` (409) with pointers
 */
export const fulfilOrder = operation(
  {
    ...manages,
    name: 'service_fulfil_order',
    input: z.strictObject({
      ...byOrder,
      lines: z
        .array(
          z.strictObject({
            lineId: z.uuid().meta({ description: 'Of the order, from service_get_order.' }),
            quantity: z.int().min(1).max(mostQuantity).meta({ description: 'Units that leave now.' }),
          }),
        )
        .min(1)
        .max(mostLines)
        .optional()
        .meta({ description: 'What leaves now. Default: all that has not left yet.' }),
      locationId: z
        .uuid()
        .optional()
        .meta({ description: 'Where it leaves, from service_list_locations. Default: where it is reserved.' }),
      ...tracking,
      reference: remark(100)
        .optional()
        .meta({ description: 'Your own name for it, such as a shipment number: given again, nothing leaves twice.' }),
    }),
    answer: order.answer,
    errors: ['not_found', 'order_cancelled', 'more_than_open', 'stock_insufficient'],
  },
  async (scope, { orderId, lines, locationId, reference, carrier, trackingNumber, trackingUrl }) =>
    scope.write(async (tx) => {
      const held = await holdOrder(tx, orderId);
      if (reference !== undefined && held.fulfilments.some((one) => one.reference === reference)) return asItWas(held);
      if (held.status === 'cancelled')
        throw ordersFail('order_cancelled', 'The order is cancelled: nothing of it is sent any more.');
      const left = await leftToSend(tx, held);
      const sent = lines === undefined ? open(held, left) : asked(held, lines, left);
      const fulfilmentId = newId();
      await shipLines(tx, held, { fulfilmentId, sent, locationId });
      await tx.query(
        insertion(tx.context.tenant, {
          orderId,
          fulfilmentId,
          sent,
          values: [locationId ?? null, reference ?? null, carrier ?? null, trackingNumber ?? null, trackingUrl ?? null],
        }),
      );
      await tx.query(
        statement(
          `update orders.sales_order set units_fulfilled = units_fulfilled + $3::bigint where tenant_id = $1::uuid and order_id = $2::uuid`,
          [tx.context.tenant, orderId, unitsOf(sent)],
        ),
      );
      await captureAtFulfilment(tx, { orderId, fulfilmentId });
      // What a variant takes may have changed since it was reserved.
      if (isAllSent(await leftToSend(tx, held))) await release(tx, { holder: orderId });
      tx.record(
        event('commerce.order.fulfilled', {
          order_id: orderId,
          mode: held.mode,
          fulfilment_id: fulfilmentId,
          units: unitsOf(sent),
          content_sha256: (await contentOf(tx, 'fulfilment', fulfilmentId)) ?? '',
        }),
      );
      tx.publish(
        announcement('commerce.order.fulfilled', { orderId, mode: held.mode, fulfilmentId }, { subject: orderId }),
      );
      return (await orderIn(tx, orderId)) ?? held;
    }),
);

const unitsOf = (sent: readonly Sent[]): number => sent.reduce((sum, { quantity }) => sum + quantity, 0);

/** @throws Problem `more_than_open` (409) where nothing is left */
function open({ lines }: Order, left: ReadonlyMap<string, number>): Sent[] {
  const sent = lines.flatMap((line) => {
    const quantity = left.get(line.id) ?? 0;
    return quantity > 0 ? [{ line, quantity, pointer: '/orderId' }] : [];
  });
  if (sent.length === 0)
    throw ordersFail('more_than_open', 'Everything of the order has left already, or was paid back before.');
  return sent;
}

/** @throws Problem `invalid_request` (400) for lines of another order or given twice, `more_than_open` (409) */
function asked(
  { lines }: Order,
  given: readonly { readonly lineId: string; readonly quantity: number }[],
  open: ReadonlyMap<string, number>,
): Sent[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const wrong: FieldError[] = [];
  const over: FieldError[] = [];
  const sent: Sent[] = [];
  for (const [index, { lineId, quantity }] of given.entries()) {
    const line = byId.get(lineId);
    if (line === undefined) {
      const detail = 'The order has no such line, or it is given twice: give each line of the order once.';
      wrong.push({ pointer: `/lines/${index}/lineId`, code: 'unknown_line', detail });
      continue;
    }
    byId.delete(lineId);
    const left = open.get(line.id) ?? 0;
    if (quantity > left) {
      const paidBack = left < line.quantity - line.fulfilled ? ': the others were paid back' : '';
      const detail = `${left} are left to send${paidBack}.`;
      over.push({ pointer: `/lines/${index}/quantity`, code: 'more_than_open', detail });
    }
    sent.push({ line, quantity, pointer: `/lines/${index}/quantity` });
  }
  if (wrong.length > 0) throw fail('invalid_request', wrong[0]?.detail, { errors: wrong.slice(0, mostFaults) });
  if (over.length > 0)
    throw ordersFail('more_than_open', 'Nothing was sent: of some lines fewer pieces are left.', {
      errors: over.slice(0, mostFaults),
    });
  return sent;
}

const mostFaults = 20;

async function shipLines(
  tx: TenantTransaction,
  { id: holder, mode }: Order,
  {
    fulfilmentId,
    sent,
    locationId,
  }: { readonly fulfilmentId: string; readonly sent: readonly Sent[]; readonly locationId: string | undefined },
): Promise<void> {
  const short = await ship(tx, {
    holder,
    mode,
    source: { kind: 'fulfilment', id: fulfilmentId },
    lines: sent.map(({ line, quantity }) => ({ line: line.id, variantId: line.variantId, quantity })),
    locationId,
  });
  if (short.length > 0) throw lacking(sent, short);
}

function lacking(sent: readonly Sent[], short: readonly Shortfall[]): Error {
  const faults = short.flatMap(({ variantId, asked: wanted, available }) =>
    sent
      .filter(({ line }) => line.variantId === variantId)
      .map(({ line, pointer }) => ({
        pointer,
        code: 'stock_insufficient',
        detail: `${line.title}: ${wanted} are to be sent, and there ${available === 1 ? 'is' : 'are'} ${available}.`,
      })),
  );
  return stockFail('stock_insufficient', `Nothing was sent. ${faults[0]?.detail ?? ''}`, {
    errors: faults.slice(0, mostFaults),
  });
}

/** The fulfilment, its lines, and how much of each line of the order has left: never more than was bought, which a check refuses. */
const insertion = (
  tenant: string,
  {
    orderId,
    fulfilmentId,
    sent,
    values,
  }: {
    readonly orderId: string;
    readonly fulfilmentId: string;
    readonly sent: readonly Sent[];
    readonly values: readonly (string | null)[];
  },
) =>
  statement(
    `with made as (
       insert into orders.fulfilment (tenant_id, order_id, fulfilment_id, location_id, reference, carrier, tracking_number, tracking_url)
       values ($1::uuid, $2::uuid, $3::uuid, $6::uuid, $7, $8, $9, $10)
     ), sent as (
       insert into orders.fulfilment_line (tenant_id, order_id, fulfilment_id, line_id, quantity)
       select $1::uuid, $2::uuid, $3::uuid, s.line, s.quantity from unnest($4::uuid[], $5::int[]) s (line, quantity)
       returning line_id, quantity
     )
     update orders.line l set fulfilled = l.fulfilled + s.quantity from sent s
     where l.tenant_id = $1::uuid and l.order_id = $2::uuid and l.line_id = s.line_id`,
    [tenant, orderId, fulfilmentId, sent.map(({ line }) => line.id), sent.map(({ quantity }) => quantity), ...values],
  );
