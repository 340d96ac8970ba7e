import { statement, type TenantScope } from '@steward/sql';
import { instructionsFor, isPaidToBusiness } from '../payments/handlers/handlers.ts';
import { manualMethods } from '../payments/handlers/manual.ts';
import { held, type Payment, selectPayments } from '../payments/payment.ts';
import { selectSettings, settingsOf } from '../payments/settings.ts';
import { type LetterSettings, letterSettingsOf, selectLetterSettings } from '../letters/settings.ts';
import { presentEdit } from '../edits/edit.ts';
import { editedFrom, selectEdits } from '../edits/stored.ts';
import { type Refund, refund, selectRefunds } from '../refunds/refund.ts';
import { order, type Order, selectOrders } from '../orders/order.ts';

/** Pieces that left together, as their buyer is told. */
export interface Shipment {
  readonly id: string;
  readonly carrier: string | null;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly sentAt: string;
  readonly deliveredAt: string | null;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
}

/** What a brand shows beside its name. */
export interface Logo {
  /** Where it is served, behind commerce's address. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Pages of a brand that its buyers are led to. */
export const brandPages = ['terms', 'privacy', 'returns', 'shipping', 'faq'] as const;
export type BrandPages = Readonly<Partial<Record<(typeof brandPages)[number], string>>>;

/** An order with what readers of pages and letters are told of it. */
export interface Shown {
  readonly order: Order;
  readonly brand: string;
  readonly logo: Logo | null;
  readonly pages: BrandPages;
  /** How letters of the brand are written. */
  readonly letters: LetterSettings;
  readonly shipments: readonly Shipment[];
  /** Of a letter about one. */
  readonly refund: Refund | null;
  readonly edit: ReturnType<typeof presentEdit> | null;
  /** How its money is to arrive, where that is awaited. */
  readonly toPay: {
    readonly method: (typeof manualMethods)[number];
    readonly instructions: string | null;
    /** The last day; ISO. */
    readonly payBy: string | null;
  } | null;
  /** The last day to pay of an order that is cancelled because nothing was paid by then; ISO. */
  readonly missedDay: string | null;
}

export interface ShownPorts {
  /** What a brand is called. Brands are the portal's. */
  readonly brandName: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<string | undefined>;
  /** Where the pages of a brand are that its buyers are led to; none of a brand that there is not. */
  readonly brandLinks: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<BrandPages>;
  /** The logo of a brand. Pictures are the catalogue's. */
  readonly logoOf: (scope: Pick<TenantScope, 'context' | 'read'>, brandId: string) => Promise<Logo | undefined>;
  /** Where buyers pay to, as invoices say it. Books are accounting's. */
  readonly paymentDetails: (scope: Pick<TenantScope, 'context' | 'read'>) => Promise<string | null>;
}

/** Undefined where there is no such order, or its person was erased. */
export async function readShown(
  scope: Pick<TenantScope, 'context' | 'read' | 'readAll'>,
  orderId: string,
  { brandName, brandLinks, logoOf, paymentDetails }: ShownPorts,
  fact: { readonly kind?: string; readonly refundId?: string; readonly editId?: string } = {},
): Promise<Shown | undefined> {
  const { tenant } = scope.context;
  const { refundId, editId } = fact;
  const [row] = await scope.read(
    selectOrders(order.columns, 'o.order_id = $2::uuid and o.erased_at is null', tenant, orderId),
  );
  if (row === undefined) return undefined;
  const found = order.read(row);
  const [
    brand,
    pages,
    logo,
    details,
    [rows = [], [last] = [], [setting] = [], [refunded] = [], [edited] = [], [letters] = []],
  ] = await Promise.all([
    brandName(scope, found.brandId),
    brandLinks(scope, found.brandId),
    logoOf(scope, found.brandId),
    paymentDetails(scope),
    scope.readAll([
      statement(
        `select f.fulfilment_id, f.carrier, f.tracking_number, f.tracking_url, f.created_at,
            case f.delivery_status when 'delivered' then f.delivery_at end as delivered_at, (
            select json_agg(json_build_object('lineId', l.line_id, 'quantity', l.quantity) order by l.line_id)
            from orders.fulfilment_line l where l.tenant_id = f.tenant_id and l.fulfilment_id = f.fulfilment_id) as lines
         from orders.fulfilment f where f.tenant_id = $1::uuid and f.order_id = $2::uuid order by f.fulfilment_id`,
        [tenant, orderId],
      ),
      selectPayments(
        `p.order_id = $2::uuid and p.state in ('awaiting', 'voided') order by (p.state = 'awaiting') desc, p.attempt desc limit 1`,
        tenant,
        orderId,
      ),
      selectSettings(tenant),
      selectRefunds('f.order_id = $2::uuid and f.refund_id = $3::uuid', tenant, orderId, refundId ?? null),
      selectEdits('d.order_id = $2::uuid and d.edit_id = $3::uuid', tenant, orderId, editId ?? null),
      selectLetterSettings(tenant, found.brandId),
    ]),
  ]);
  const payment = last === undefined ? undefined : held.read(last);
  const method = manualMethods.find((one) => one === payment?.method);
  return {
    order: found,
    brand: brand ?? '',
    logo: logo ?? null,
    pages,
    letters: letterSettingsOf(letters),
    refund: refunded === undefined ? null : refund.read(refunded),
    edit: edited === undefined ? null : presentEdit(editedFrom(edited)),
    toPay:
      payment?.state !== 'awaiting' || method === undefined || found.status === 'cancelled'
        ? null
        : {
            method,
            payBy: payment.payBy,
            instructions: instructionsFor(settingsOf(setting), payment) ?? (isPaidToBusiness(payment) ? details : null),
          },
    missedDay: missedDay(found, payment),
    shipments: rows.map((one) => ({
      id: String(one['fulfilment_id']),
      carrier: one['carrier'] as string | null,
      trackingNumber: one['tracking_number'] as string | null,
      trackingUrl: one['tracking_url'] as string | null,
      sentAt: (one['created_at'] as Date).toISOString(),
      deliveredAt: (one['delivered_at'] as Date | null)?.toISOString() ?? null,
      lines: one['lines'] as Shipment['lines'],
    })),
  };
}

const missedDay = ({ cancelReason, cancelledAt }: Order, payment: Payment | undefined): string | null =>
  cancelReason === 'payment' && payment?.payBy != null && cancelledAt !== null && payment.payBy < cancelledAt
    ? payment.payBy
    : null;
