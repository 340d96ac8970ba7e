import { formatAmount, newIdAt } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { keep } from '@steward/stock';
import { contents } from '../contents.ts';
import { announcement, event } from '../events.ts';
import type { PlacingPorts } from '../ports.ts';
import { contactOfOrder } from './contact.ts';
import { eraseOrders } from './erase.ts';
import { type Order, orderIn, selectOrders, shownNumber } from './order.ts';
import type { PlacedLine, PlacedShipping, Placing } from './placing.ts';

/** What is known before an order is placed. */
export interface Prepared {
  /** The order that its checkout has already. */
  readonly placed: string | undefined;
  readonly contactOf: PlacingPorts['contactOf'];
}

/** Whoever places the same checkout waits here, before anything is counted. It may travel with what is done before an order is placed. */
export async function preparePlacing(
  tx: TenantTransaction,
  checkoutId: string,
  { contactOf, contactsIn }: PlacingPorts,
): Promise<Prepared> {
  const { tenant } = tx.context;
  const [[, [placed] = []], found] = await Promise.all([
    tx.queryAll([
      statement(`select pg_advisory_xact_lock(hashtextextended('orders.checkout ' || $1 || ' ' || $2, 0))`, [
        tenant,
        checkoutId,
      ]),
      selectOrders('o.order_id as id', 'o.checkout_id = $2::uuid', tenant, checkoutId),
    ]),
    contactsIn?.(tx),
  ]);
  return { placed: placed?.['id'] as string | undefined, contactOf: found ?? contactOf };
}

/** What may be given to whoever places an order. */
export interface Beside {
  readonly prepared?: Prepared | undefined;
  /** Travels with the rows of the order, after them; not called where the order is there already. */
  readonly beside?: ((orderId: string) => Promise<unknown>) | undefined;
}

export interface PlacedOrder {
  readonly id: string;
  /** As people read it. */
  readonly number: string;
}

/** As `place`; answers all of the order. */
export async function placeOrder(tx: TenantTransaction, placing: Placing, ports: PlacingPorts): Promise<Order> {
  const { id } = await place(tx, placing, ports);
  const made = await orderIn(tx, id);
  if (made === undefined) throw new Error('the order that was placed is not there');
  return made;
}

/**
 * Places an order in the caller's transaction: its number, its rows, the stock that its checkout has reserved, its contact and its event are there together or
 * not at all. A checkout is placed once: again, or at the same time, it answers the order that is there. The caller must be allowed to sell, and must
 * have checked what it gives.
 */
export async function place(
  tx: TenantTransaction,
  placing: Placing,
  ports: PlacingPorts,
  { prepared, beside }: Beside = {},
): Promise<PlacedOrder> {
  const { tenant } = tx.context;
  const { checkoutId, mode, brandId, currency, lines } = placing;
  const { placed, contactOf } = prepared ?? (await preparePlacing(tx, checkoutId, ports));
  if (placed !== undefined) return numbered(tx, placed);
  // Orders of some days are found by the times in their ids.
  const orderId = newIdAt(placing.placedAt ?? tx.context.happenedAt);
  const contactId = await contactOfOrder(tx, placing, orderId, { contactOf });
  // In this order and in one flight: none is asked for what another answers, and the counter is held the shorter.
  const [, [[row = {}] = [], told = []]] = await Promise.all([
    keep(tx, { holder: checkoutId, as: orderId }),
    tx.queryAll([
      insertion(tenant, orderId, contactId, placing),
      statement(
        `select w.digest as what, b.digest as who from (${contents.order}) w, (${contents.buyer}) b
       where w.tenant_id = $1::uuid and w.key = $2::uuid and b.tenant_id = $1::uuid and b.key = $2::uuid`,
        [tenant, orderId],
      ),
    ]),
    beside?.(orderId),
  ]);
  tx.record(
    event(
      'commerce.order.placed',
      {
        order_id: orderId,
        mode,
        number: Number(row['plain_number']),
        checkout_id: checkoutId,
        brand_id: brandId,
        contact_id: contactId,
        currency,
        net: formatAmount(placing.net, currency),
        tax: formatAmount(placing.tax, currency),
        total: formatAmount(placing.total, currency),
        units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
        content_sha256: String(told[0]?.['what']),
        buyer_sha256: String(told[0]?.['who']),
      },
      placing.placedAt === undefined ? {} : { occurredAt: placing.placedAt },
    ),
  );
  tx.publish(announcement('commerce.order.placed', { orderId, mode }, { subject: orderId }));
  if (placing.erased !== undefined) await eraseOrders(tx, { orderIds: [orderId] }, placing.erased.reason);
  return { id: orderId, number: String(row['number']) };
}

async function numbered(tx: TenantTransaction, id: string): Promise<PlacedOrder> {
  const columns = `${shownNumber('o.mode', 'o.number')} as number`;
  const [row] = await tx.query(selectOrders(columns, 'o.order_id = $2::uuid', tx.context.tenant, id));
  return { id, number: String(row?.['number']) };
}

/**
 * The counter, the order and its lines in one statement; answers its number. The counter is the last that is locked before the log, so that orders of a tenant wait for each other as briefly
 * as can be; a transaction that fails gives its number back.
 */
function insertion(tenant: string, orderId: string, contactId: string | null, placing: Placing) {
  const { buyer, lines, shippingAddress, billingAddress, erased } = placing;
  const columns: Readonly<Record<string, readonly [value: unknown, cast?: string]>> = {
    checkout_id: [placing.checkoutId, 'uuid'],
    brand_id: [placing.brandId, 'uuid'],
    site_id: [placing.siteId, 'uuid'],
    key_id: [placing.keyId, 'uuid'],
    channel_id: [placing.channelId ?? null, 'uuid'],
    external_name: [placing.externalName ?? null],
    ...(placing.placedAt === undefined ? {} : { placed_at: [new Date(placing.placedAt), 'timestamptz'] }),
    contact_id: [contactId, 'uuid'],
    locale: [placing.locale],
    currency: [placing.currency],
    pricing: [placing.pricing],
    email: [buyer.email],
    name: [buyer.name],
    phone: [buyer.phone],
    vat_number: [buyer.vatNumber],
    country: [erased?.country ?? shippingAddress?.country ?? billingAddress?.country],
    marketing: [buyer.marketing, 'boolean'],
    shipping_address: [json(shippingAddress), 'jsonb'],
    billing_address: [json(billingAddress), 'jsonb'],
    buyer_note: [placing.note],
    shipping: [json(placing.shipping === null ? null : storedShipping(placing.shipping)), 'jsonb'],
    discounts: [json(placing.discounts), 'jsonb'],
    taxes: [json(placing.taxes), 'jsonb'],
    subtotal: [placing.subtotal, 'bigint'],
    discount: [placing.discount, 'bigint'],
    net: [placing.net, 'bigint'],
    tax: [placing.tax, 'bigint'],
    total: [placing.total, 'bigint'],
    units: [lines.reduce((sum, { quantity }) => sum + quantity, 0), 'bigint'],
  };
  const names = Object.keys(columns);
  const values = Object.values(columns);
  return statement(
    `with taken as (
       insert into orders.counter as c (tenant_id, mode, next) values ($1::uuid, $2, 1002)
       on conflict (tenant_id, mode) do update set next = c.next + 1 returning c.next - 1 as number
     ), placed as (
       insert into orders.sales_order (tenant_id, order_id, mode, number, ${names.join(', ')})
       select $1::uuid, $3::uuid, $2, t.number, ${values.map(([, cast = 'text'], index) => `$${index + 5}::${cast}`).join(', ')} from taken t
     ), lined as (
     insert into orders.line (tenant_id, order_id, line_id, position, product_id, variant_id, title, options, sku, image, tax_category, weight_grams,
       requires_shipping, quantity, unit_price, gross, discounts, net, tax, total, treatment, tax_id, percentage)
     select $1::uuid, $3::uuid, l.id, l.position, l.product, l.variant, l.title, l.options, l.sku, l.image, l.category, l.weight, l.ships, l.quantity,
       l.price, l.gross, l.discounts, l.net, l.tax, l.total, l.treatment, l.tax_id, l.percentage
     from jsonb_to_recordset($4::jsonb) l (id uuid, position int, product uuid, variant uuid, title text, options jsonb, sku text, image jsonb, category text,
       weight int, ships boolean, quantity int, price bigint, gross bigint, discounts jsonb, net bigint, tax bigint, total bigint,
       treatment text, tax_id uuid, percentage bigint)
     )
     select t.number as plain_number, ${shownNumber('$2::text', 't.number')} as number from taken t`,
    [tenant, placing.mode, orderId, json(lines.map(storedLine)), ...values.map(([value]) => value)],
  );
}

/** Amounts are text in JSON, which has no whole numbers as large as money may be. */
const json = (value: unknown): string | null =>
  value === null
    ? null
    : JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

const storedLine = (line: PlacedLine, position: number) => ({
  id: line.id,
  position,
  product: line.productId,
  variant: line.variantId,
  title: line.title,
  options: line.options,
  sku: line.sku,
  image: line.image,
  category: line.taxCategory,
  weight: line.weightGrams,
  ships: line.requiresShipping,
  quantity: line.quantity,
  price: line.unitPrice,
  gross: line.gross,
  discounts: line.discounts,
  net: line.net,
  tax: line.tax,
  total: line.total,
  treatment: line.taxed.treatment,
  tax_id: line.taxed.taxId,
  percentage: line.taxed.percentage,
});

const storedShipping = ({
  optionId,
  name,
  kind,
  locationId,
  gross,
  discounts,
  net,
  tax,
  total,
  taxed,
}: PlacedShipping) => ({
  optionId,
  name,
  kind,
  locationId,
  gross,
  discounts,
  net,
  tax,
  total,
  ...taxed,
});
