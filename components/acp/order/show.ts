import { money, type Money } from '@steward/kernel';
import { type Order, partsOf, type WholeOrder } from '@steward/orders';
import { addressFrom } from '../session/address.ts';
import { lineTotals, titleOf } from '../session/lines.ts';
import { minorOf, sumOf } from '../shown/money.ts';
import { total, totalsOf } from '../shown/totals.ts';

type Line = Pick<
  Order['lines'][number],
  | 'id'
  | 'productId'
  | 'title'
  | 'options'
  | 'image'
  | 'requiresShipping'
  | 'quantity'
  | 'fulfilled'
  | 'unitPrice'
  | 'gross'
> & { readonly off: number; readonly ordered: number };

/** Every line that the order ever had: one that an edit took off has nothing left. */
function linesOf({ order, edits }: WholeOrder): Line[] {
  const first = edits[0]?.before.lines;
  const originally = new Map(first?.map(({ id, quantity }) => [id, quantity]));
  const now = new Map(
    order.lines.map((line) => [
      line.id,
      {
        ...line,
        off: sumOf(line.discounts.map(({ amount }) => amount)),
        ordered: originally.get(line.id) ?? line.quantity,
      },
    ]),
  );
  if (edits.length === 0) return [...now.values()];
  const none: Money = money(0n, order.currency);
  return (edits.at(-1)?.after.lines ?? []).map(
    (line): Line =>
      now.get(line.id) ?? {
        ...line,
        fulfilled: 0,
        unitPrice: money(line.unitPrice, order.currency),
        gross: none,
        off: 0,
        ordered: Math.max(1, originally.get(line.id) ?? 1),
      },
  );
}

function statusOf(
  { cancelledAt }: Order,
  lines: readonly { readonly left: number; readonly fulfilled: number }[],
): string {
  if (cancelledAt !== null) return 'canceled';
  const open = lines.filter(({ left }) => left > 0);
  if (open.length > 0 && open.every(({ left, fulfilled }) => fulfilled >= left)) return 'completed';
  return open.some(({ fulfilled }) => fulfilled > 0) ? 'processing' : 'confirmed';
}

const lineStatusOf = (left: number, fulfilled: number): string => {
  if (left === 0) return 'removed';
  if (fulfilled >= left) return 'fulfilled';
  return fulfilled > 0 ? 'partial' : 'processing';
};

/** An order as the protocol says it. What was charged stays in `total`; refunds are told beside it. @param permalink where the buyer sees it */
export function showOrder(whole: WholeOrder, permalink: string): Readonly<Record<string, unknown>> {
  const { order, refunds } = whole;
  const cancelled = order.cancelledAt !== null;
  const lines = linesOf(whole).map((line) => ({
    ...line,
    left: cancelled ? Math.min(line.quantity, line.fulfilled) : line.quantity,
  }));
  const fromLines = lines.reduce((all, { off }) => all + off, 0);
  const refunded = sumOf(refunds.map(({ total: sum }) => sum));
  return {
    type: 'order',
    id: order.id,
    checkout_session_id: order.checkoutId,
    order_number: order.number,
    permalink_url: permalink,
    status: statusOf(order, lines),
    line_items: lines.map((line) => ({
      id: line.id,
      title: titleOf(line.title, line.options),
      product_id: line.productId,
      ...(line.image === null || !('url' in line.image) ? {} : { image_url: line.image.url }),
      quantity: { ordered: line.ordered, current: line.left, fulfilled: Math.min(line.fulfilled, line.left) },
      unit_price: minorOf(line.unitPrice),
      subtotal: minorOf(line.gross) - line.off,
      totals: lineTotals(minorOf(line.gross) - line.off, line.off),
      status: lineStatusOf(line.left, line.fulfilled),
    })),
    fulfillments: fulfillmentsOf(order),
    adjustments: adjustmentsOf(whole),
    totals: [
      ...totalsOf({
        base: minorOf(order.subtotal),
        fromLines,
        fromRest: minorOf(order.discount) - fromLines,
        shipping: order.shipping?.gross ?? null,
        tax: order.pricesIncludeTax ? null : order.tax,
        total: order.total,
      }),
      ...(refunded === 0 ? [] : [total('amount_refunded', refunded)]),
    ],
  };
}

function fulfillmentsOf({ id: orderId, fulfilments, shippingAddress, shipping, cancelledAt }: Order) {
  const isPickup = shipping?.kind === 'pickup';
  const type = isPickup ? 'pickup' : 'shipping';
  const done = isPickup ? 'delivered' : 'shipped';
  const destination = shippingAddress === null ? {} : { destination: addressFrom(shippingAddress) };
  // Where the goods are fetched is known before they are ready.
  if (isPickup && fulfilments.length === 0 && cancelledAt === null)
    return [{ id: `${orderId}/pickup`, type, status: 'pending', description: shipping.name, ...destination }];
  return fulfilments.map(
    ({ id, createdAt, carrier, trackingNumber, trackingUrl, deliveryStatus, deliveryAt, lines }) => ({
      id,
      type,
      status: deliveryStatus ?? done,
      line_items: lines.map(({ lineId, quantity }) => ({ id: lineId, quantity })),
      ...(carrier === null ? {} : { carrier }),
      ...(trackingNumber === null ? {} : { tracking_number: trackingNumber }),
      ...(trackingUrl === null ? {} : { tracking_url: trackingUrl }),
      ...destination,
      events: [
        { id, type: done, occurred_at: createdAt },
        ...(deliveryStatus === null || deliveryAt === null
          ? []
          : [{ id: `${id}/${deliveryStatus}`, type: deliveryStatus, occurred_at: deliveryAt }]),
      ],
    }),
  );
}

function adjustmentsOf({ order, refunds }: WholeOrder) {
  return [
    ...refunds.flatMap((refund) =>
      partsOf(refund).map(({ id, type, amount, lines }) => ({
        id,
        type,
        amount: minorOf(amount),
        occurred_at: refund.createdAt,
        status: 'completed',
        ...(lines.length === 0 ? {} : { line_items: lines.map(({ lineId, quantity }) => ({ id: lineId, quantity })) }),
        currency: order.currency.toLowerCase(),
        reason: refund.reason,
      })),
    ),
    ...(order.cancelledAt === null
      ? []
      : [
          {
            id: `${order.id}/cancellation`,
            type: 'cancellation',
            occurred_at: order.cancelledAt,
            status: 'completed',
            ...(order.cancelReason === null ? {} : { reason: order.cancelReason }),
          },
        ]),
  ];
}
