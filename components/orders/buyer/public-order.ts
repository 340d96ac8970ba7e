import type { TenantScope } from '@steward/sql';
import { z } from 'zod';
import { order, selectOrders } from '../orders/order.ts';
import { deliveryStatuses } from '../words.ts';

const { shape } = order.answer;
const lineShape = shape.lines.element.shape;

/** What the buyer may see of an order: nothing of what the business notes, and no id of it but the order's own. */
export const publicOrder = z.object({
  id: shape.id,
  number: shape.number,
  mode: shape.mode,
  status: shape.status,
  paymentStatus: shape.paymentStatus,
  fulfilmentStatus: shape.fulfilmentStatus,
  currency: shape.currency,
  pricesIncludeTax: shape.pricesIncludeTax,
  email: shape.email,
  name: shape.name,
  phone: shape.phone,
  vatNumber: shape.vatNumber,
  shippingAddress: shape.shippingAddress,
  billingAddress: shape.billingAddress,
  note: shape.buyerNote,
  lines: z.array(
    z.object({
      id: lineShape.id,
      productId: lineShape.productId,
      variantId: lineShape.variantId,
      title: lineShape.title,
      options: lineShape.options,
      sku: lineShape.sku,
      image: lineShape.image,
      quantity: lineShape.quantity,
      fulfilled: lineShape.fulfilled,
      returned: lineShape.returned,
      unitPrice: lineShape.unitPrice,
      total: lineShape.total,
    }),
  ),
  shipping: z.object({ name: z.string(), kind: z.string(), total: lineShape.total }).nullable(),
  discounts: z.array(shape.discounts.element.omit({ discountId: true })),
  taxes: z.array(shape.taxes.element.omit({ taxId: true })),
  subtotal: shape.subtotal,
  discount: shape.discount,
  tax: shape.tax,
  total: shape.total,
  captured: shape.captured,
  refunded: shape.refunded,
  credited: shape.credited,
  balanceDue: shape.balanceDue,
  toGiveBack: shape.toGiveBack,
  fulfilments: z.array(
    z.object({
      lines: z.array(z.object({ lineId: z.uuid(), quantity: z.int() })),
      carrier: z.string().nullable(),
      trackingNumber: z.string().nullable(),
      trackingUrl: z.string().nullable(),
      deliveryStatus: z.enum(deliveryStatuses).nullable(),
      deliveryAt: z.string().nullable(),
      sentAt: z.string(),
    }),
  ),
  placedAt: shape.placedAt,
  cancelledAt: shape.cancelledAt,
});
export type PublicOrder = z.output<typeof publicOrder>;

/**
 * An order as its buyer sees it; undefined where there is none, or its person was erased. The caller has checked the order's token.
 * @param brandId of the site that asks, where it is one
 */
export async function readPublicOrder(
  { context, read }: Pick<TenantScope, 'context' | 'read'>,
  { orderId, brandId }: { readonly orderId: string; readonly brandId?: string | undefined },
): Promise<PublicOrder | undefined> {
  const [row] = await read(
    selectOrders(
      order.columns,
      'o.order_id = $2::uuid and o.erased_at is null and ($3::uuid is null or o.brand_id = $3::uuid)',
      context.tenant,
      orderId,
      brandId ?? null,
    ),
  );
  if (row === undefined) return undefined;
  const { buyerNote: note, fulfilments, ...found } = order.read(row);
  return publicOrder.parse({
    ...found,
    note,
    fulfilments: fulfilments.map(({ createdAt: sentAt, ...rest }) => ({ ...rest, sentAt })),
  });
}
