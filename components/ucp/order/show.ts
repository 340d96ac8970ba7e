import { type Order, partsOf, type WholeOrder } from '@steward/orders';
import { type Money, money } from '@steward/kernel';
import { postalFrom } from '../checkout/destination.ts';
import { titleOf } from '../checkout/lines.ts';
import type { State } from '../checkout/state.ts';
import { minorOf } from '../shown/money.ts';
import { type Total, totalsOf } from '../shown/totals.ts';

type Line = Pick<
  Order['lines'][number],
  | 'id'
  | 'variantId'
  | 'title'
  | 'options'
  | 'image'
  | 'requiresShipping'
  | 'quantity'
  | 'fulfilled'
  | 'unitPrice'
  | 'gross'
> & { readonly off: number; readonly original: number };

const sum = (amounts: readonly Money[]): number => amounts.reduce((all, one) => all + minorOf(one), 0);

/** Every line that the order ever had: one that an edit took off has nothing left. */
function linesOf({ order, edits }: WholeOrder): Line[] {
  const first = edits[0]?.before.lines;
  const originally = new Map(first?.map(({ id, quantity }) => [id, quantity]));
  const now = new Map(
    order.lines.map((line) => [
      line.id,
      {
        ...line,
        off: sum(line.discounts.map(({ amount }) => amount)),
        original: originally.get(line.id) ?? (first === undefined ? line.quantity : 0),
      },
    ]),
  );
  const ever = edits.at(-1)?.after.lines ?? [];
  const known = edits.length === 0 ? [...now.values()] : [];
  const told = (minor: bigint) => money(minor, order.currency);
  return [
    ...known,
    ...ever.map(
      (line): Line =>
        now.get(line.id) ?? {
          ...line,
          fulfilled: 0,
          unitPrice: told(line.unitPrice),
          gross: told(0n),
          off: 0,
          original: originally.get(line.id) ?? 0,
        },
    ),
  ];
}

const statusOf = (total: number, fulfilled: number): string => {
  if (total === 0) return 'removed';
  if (fulfilled >= total) return 'fulfilled';
  return fulfilled > 0 ? 'partial' : 'processing';
};

function lineTotals({ gross, off }: Line): Total[] {
  const whole = minorOf(gross);
  return [
    { type: 'subtotal', amount: whole },
    ...(off === 0 ? [] : [{ type: 'items_discount', amount: -off }]),
    { type: 'total', amount: whole - off },
  ];
}

/** What leaves and arrives, as it was said. */
function eventsOf({ fulfilments, shipping }: Order): Readonly<Record<string, unknown>>[] {
  const done = shipping?.kind === 'pickup' ? 'delivered' : 'shipped';
  return fulfilments.flatMap(
    ({ id, createdAt, carrier, trackingNumber, trackingUrl, deliveryStatus, deliveryAt, lines }) => {
      const what = {
        line_items: lines.map(({ lineId, quantity }) => ({ id: lineId, quantity })),
        ...(carrier === null ? {} : { carrier }),
        ...(trackingNumber === null ? {} : { tracking_number: trackingNumber }),
        ...(trackingUrl === null ? {} : { tracking_url: trackingUrl }),
      };
      return [
        { id, occurred_at: createdAt, type: done, ...what },
        ...(deliveryStatus === null || deliveryAt === null
          ? []
          : [{ id: `${id}/${deliveryStatus}`, occurred_at: deliveryAt, type: deliveryStatus, ...what }]),
      ];
    },
  );
}

function adjustmentsOf({ order, refunds }: WholeOrder): Readonly<Record<string, unknown>>[] {
  return [
    ...refunds.flatMap((refund) =>
      partsOf(refund).map(({ id, type, amount, lines }) => ({
        id,
        type,
        occurred_at: refund.createdAt,
        status: 'completed',
        ...(lines.length === 0
          ? {}
          : { line_items: lines.map(({ lineId, quantity }) => ({ id: lineId, quantity: -quantity })) }),
        totals: [{ type: 'total', amount: -minorOf(amount) }],
        description: refund.reason.replaceAll('_', ' '),
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
            ...(order.cancelReason === null ? {} : { description: order.cancelReason.replaceAll('_', ' ') }),
          },
        ]),
  ];
}

/** An order as the protocol says it, without its first member. @param permalink where the buyer sees it */
export function showOrder(
  whole: WholeOrder,
  permalink: string,
  { names = {}, attribution, simulated }: State,
  /** What the official suite has said of it counts. */
  testing = false,
): Readonly<Record<string, unknown>> {
  const { order } = whole;
  const lines = linesOf(whole);
  const cancelled = order.cancelledAt !== null;
  const left = ({ quantity, fulfilled }: Line) => (cancelled ? Math.min(quantity, fulfilled) : quantity);
  const fromLines = lines.reduce((all, { off }) => all + off, 0);
  const sent = lines.filter((line) => line.requiresShipping && left(line) > 0);
  const more = testing ? simulated : undefined;
  const adjustments = [...adjustmentsOf(whole), ...(more?.adjustments ?? [])];
  return {
    id: order.id,
    label: order.number,
    checkout_id: order.checkoutId,
    permalink_url: permalink,
    line_items: lines.map((line) => ({
      id: line.id,
      item: {
        id: names[line.variantId] ?? line.variantId,
        title: titleOf(line.title, line.options),
        price: minorOf(line.unitPrice),
        ...(line.image === null || !('url' in line.image) ? {} : { image_url: line.image.url }),
      },
      quantity: { original: line.original, total: left(line), fulfilled: Math.min(line.fulfilled, left(line)) },
      totals: lineTotals(line),
      status: statusOf(left(line), line.fulfilled),
    })),
    fulfillment: {
      expectations:
        sent.length === 0 || order.shippingAddress === null
          ? []
          : [
              {
                id: `${order.id}/shipping`,
                line_items: sent.map((line) => ({ id: line.id, quantity: left(line) })),
                method_type: order.shipping?.kind === 'pickup' ? 'pickup' : 'shipping',
                destination: postalFrom(order.shippingAddress),
                ...(order.shipping === null
                  ? {}
                  : {
                      description:
                        testing && minorOf(order.shipping.total) === 0
                          ? `Free ${order.shipping.name}`
                          : order.shipping.name,
                    }),
              },
            ],
      events: [...eventsOf(order), ...(more?.events ?? [])],
    },
    ...(adjustments.length === 0 ? {} : { adjustments }),
    currency: order.currency,
    totals: totalsOf({
      subtotal: order.subtotal,
      fromLines,
      fromRest: minorOf(order.discount) - fromLines,
      shipping: order.shipping?.gross ?? null,
      tax: order.pricesIncludeTax ? null : order.tax,
      total: order.total,
    }),
    ...(attribution === undefined ? {} : { attribution }),
  };
}
