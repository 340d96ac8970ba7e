import { formatPercentage } from '@steward/accounting';
import {
  amount,
  count,
  field,
  type Fixed,
  flag,
  id,
  moment,
  moneyShape,
  nullable,
  oneOf,
  type Of,
  shape,
  text,
  texts,
} from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { statement, type Statement, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { fulfilmentStatuses, modes, paymentStatuses, statuses } from '../words.ts';
import { fulfilment, fulfilmentsOf, presentFulfilment, type StoredFulfilment } from '../fulfilments/fulfilment.ts';
import { unsentOf } from '../fulfilments/left.ts';
import { treatments } from './placing.ts';

/** What is still to be paid of `orders.sales_order` named `o`. SQL. */
export const balanceDue = `case when o.cancelled_at is null then greatest(o.total - o.credited - o.captured + o.balance_refunded, 0) else 0 end`;

/** The number as people read it. SQL. */
export const shownNumber = (mode: string, number: string): string =>
  `case ${mode} when 'test' then 'TEST-' else '' end || ${number}`;

const summary = {
  id: id('o.order_id'),
  /** Without gaps in each mode; those of tests begin with `TEST-`. */
  number: text(shownNumber('o.mode', 'o.number')),
  mode: oneOf(modes),
  status: oneOf(statuses),
  paymentStatus: oneOf(paymentStatuses),
  fulfilmentStatus: oneOf(fulfilmentStatuses),
  brandId: id(),
  contactId: nullable(id()),
  /** The shop at a marketplace where it was placed; null: here. */
  channelId: nullable(id()),
  /** What that shop calls it, such as #1001; null: it was placed here. */
  externalName: nullable(text()),
  /** Null: the person was erased. */
  email: nullable(text()),
  name: nullable(text()),
  currency: text(),
  total: amount(),
  /** How many pieces were bought. */
  units: count(),
  tags: texts(
    `array(select g.tag from orders.tag g where g.tenant_id = o.tenant_id and g.order_id = o.order_id order by 1)`,
  ),
  placedAt: moment(),
};

/** What lists say of an order: of `orders.sales_order` named `o`. */
export const orderSummary = shape('o', summary);

const address = z.object({
  name: z.string().nullable(),
  company: z.string().nullable(),
  line1: z.string(),
  line2: z.string().nullable(),
  city: z.string(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  country: z.string(),
  phone: z.string().nullable(),
});
const addressIn = (sql?: string) => nullable(field(address, sql));

const discounted = z.object({ discountId: z.uuid(), amount: moneyShape });
const paid = {
  /** Before discounts, with tax where prices contain it. */
  gross: moneyShape,
  discounts: z.array(discounted),
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
  treatment: z.enum(treatments),
  /** Of the books; null: no tax is due. */
  taxId: z.uuid().nullable(),
  taxPercentage: z.string(),
};

const line = z.object({
  id: z.uuid(),
  productId: z.uuid(),
  variantId: z.uuid(),
  title: z.string(),
  options: z.record(z.string(), z.string()),
  sku: z.string().nullable(),
  /** Its picture when it was bought, for as long as a product shows it. */
  image: z.object({ url: z.string(), alt: z.string(), width: z.int(), height: z.int() }).nullable(),
  taxCategory: z.string(),
  weightGrams: z.int().nullable(),
  requiresShipping: z.boolean(),
  quantity: z.int(),
  /** How many of them have left, and how many of those came back. */
  fulfilled: z.int(),
  returned: z.int(),
  /** How many are left to send: not those that were paid back before they left. */
  unitsToFulfil: z.int(),
  unitPrice: moneyShape,
  ...paid,
});
export type OrderLine = Fixed<z.output<typeof line>>;

const shipping = z.object({
  optionId: z.uuid(),
  name: z.string(),
  kind: z.string(),
  /** Of a pickup. */
  locationId: z.uuid().nullable(),
  ...paid,
});

/** Amounts as the database keeps them in JSON: minor units as text. */
interface StoredPaid {
  readonly gross: string;
  readonly discounts: readonly { readonly discountId: string; readonly amount: string }[];
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly treatment: (typeof treatments)[number];
  readonly taxId: string | null;
  readonly percentage: string;
}

const amounts = (stored: StoredPaid, currency: string) => {
  const { gross, discounts, net, tax, total, treatment, taxId, percentage } = stored;
  const told = (minor: string) => money(BigInt(minor), currency);
  return {
    gross: told(gross),
    discounts: discounts.map(({ discountId, amount: minor }) => ({ discountId, amount: told(minor) })),
    net: told(net),
    tax: told(tax),
    total: told(total),
    treatment,
    taxId,
    taxPercentage: shownPercentage(percentage),
  };
};

/** `19`, `7.7`: without zeros at the end. */
const shownPercentage = (stored: string): string => {
  const [whole = '', fraction = ''] = formatPercentage(BigInt(stored)).split('.');
  const left = fraction.endsWith('0')
    ? fraction.slice(0, [...fraction].findLastIndex((digit) => digit !== '0') + 1)
    : fraction;
  return left === '' ? whole : `${whole}.${left}`;
};

const currencyOf = (row: Readonly<Record<string, unknown>>): string => String(row['currency']);

type StoredLine = Omit<OrderLine, keyof typeof paid | 'unitPrice'> & StoredPaid & { readonly unitPrice: string };

/** An order without units that were paid back before they left has none to look for. */
const unsent = `case when o.units_unsent = 0 then 0 else ${unsentOf} end`;

const linesOf = `(select json_agg(json_build_object('id', l.line_id, 'productId', l.product_id, 'variantId', l.variant_id, 'title', l.title,
    'options', l.options, 'sku', l.sku, 'image', l.image, 'taxCategory', l.tax_category, 'weightGrams', l.weight_grams, 'requiresShipping', l.requires_shipping,
    'quantity', l.quantity, 'fulfilled', l.fulfilled, 'unitsToFulfil', l.quantity - l.fulfilled - ${unsent},
    'returned', l.returned, 'unitPrice', l.unit_price::text, 'gross', l.gross::text,
    'discounts', l.discounts, 'net', l.net::text, 'tax', l.tax::text, 'total', l.total::text, 'treatment', l.treatment, 'taxId', l.tax_id,
    'percentage', l.percentage::text) order by l.position)
  from orders.line l where l.tenant_id = o.tenant_id and l.order_id = o.order_id and l.quantity > 0)`;

/** An order with its lines. */
export const order = shape('o', {
  ...summary,
  checkoutId: id(),
  siteId: nullable(id()),
  locale: nullable(text()),
  pricesIncludeTax: flag(`(o.pricing = 'inclusive')`),
  phone: nullable(text()),
  vatNumber: nullable(text()),
  /** Whether the buyer agreed to be written to. */
  marketingConsent: flag('o.marketing'),
  shippingAddress: addressIn(),
  billingAddress: addressIn(),
  /** Where it was sold to, for taxes; it stays when the person is erased. */
  country: nullable(text()),
  /** What the buyer wrote. */
  buyerNote: nullable(text()),
  /** What the business wrote; buyers do not see it. */
  note: nullable(text()),
  lines: field(z.array(line), linesOf, (stored, row) =>
    ((stored ?? []) as readonly StoredLine[]).map(({ percentage, unitPrice, ...one }) => ({
      ...one,
      unitPrice: money(BigInt(unitPrice), currencyOf(row)),
      ...amounts({ ...one, percentage }, currencyOf(row)),
    })),
  ),
  shipping: nullable(
    field(shipping, undefined, (stored, row) => {
      const { optionId, name, kind, locationId, ...rest } = stored as StoredPaid & z.output<typeof shipping>;
      return { optionId, name, kind, locationId, ...amounts(rest as unknown as StoredPaid, currencyOf(row)) };
    }),
  ),
  discounts: field(
    z.array(z.object({ discountId: z.uuid(), name: z.string(), code: z.string().nullable(), amount: moneyShape })),
    undefined,
    (stored, row) =>
      (stored as { discountId: string; name: string; code: string | null; amount: string }[]).map((one) => ({
        ...one,
        amount: money(BigInt(one.amount), currencyOf(row)),
      })),
  ),
  taxes: field(
    z.array(
      z.object({
        treatment: paid.treatment,
        taxId: paid.taxId,
        percentage: z.string(),
        net: moneyShape,
        tax: moneyShape,
      }),
    ),
    undefined,
    (stored, row) =>
      (stored as Pick<StoredPaid, 'treatment' | 'taxId' | 'percentage' | 'net' | 'tax'>[]).map((one) => ({
        ...one,
        percentage: shownPercentage(one.percentage),
        net: money(BigInt(one.net), currencyOf(row)),
        tax: money(BigInt(one.tax), currencyOf(row)),
      })),
  ),
  /** What has left, in the order of time. */
  fulfilments: field(z.array(fulfilment), fulfilmentsOf, (stored) =>
    ((stored ?? []) as readonly StoredFulfilment[]).map(presentFulfilment),
  ),
  /** Of the lines, before discounts. */
  subtotal: amount(),
  discount: amount(),
  net: amount(),
  tax: amount(),
  /** Authorised and not yet captured. */
  authorized: amount(),
  captured: amount(),
  refunded: amount(),
  /** What was taken back of it before it was paid: it lowers what is due, and no money moved. */
  credited: amount(),
  /** What is still to be paid of it, however that was agreed. */
  balanceDue: amount(balanceDue),
  /** What an edit left over, which a refund gives back. */
  toGiveBack: amount(
    `case when o.cancelled_at is null then least(greatest(o.captured - o.balance_refunded - o.total + o.credited, 0), o.captured - o.refunded) else 0 end`,
  ),
  unitsFulfilled: count(),
  unitsReturned: count(),
  cancelledAt: nullable(moment()),
  cancelReason: nullable(text()),
  /** When the person was taken out of it; null: never. */
  erasedAt: nullable(moment()),
  /** Counts edits, and changes of note and tags. */
  version: count(),
  updatedAt: moment(),
});
export type Order = Of<typeof order>;

export const byOrder = { orderId: z.uuid().meta({ description: 'From service_list_orders.' }) };

/** Orders of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectOrders = (columns: string, rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${columns} from orders.sales_order o where o.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** The order, or undefined where there is none. */
export async function orderIn(
  tx: Pick<TenantTransaction, 'context' | 'query'>,
  orderId: string,
): Promise<Order | undefined> {
  const [row] = await tx.query(selectOrders(order.columns, 'o.order_id = $2::uuid', tx.context.tenant, orderId));
  return row === undefined ? undefined : order.read(row);
}

/** What a list that found nothing of an order answers. @throws Problem `not_found` (404) where there is no such order */
export async function expectOrder({ context, read }: TenantScope, orderId: string): Promise<void> {
  const [known] = await read(selectOrders('o.order_id', 'o.order_id = $2::uuid', context.tenant, orderId));
  if (known === undefined) throw noOrder();
}

export const noOrder = (): Error =>
  fail('not_found', 'There is no such order in this tenant: list the orders for their ids.');

/** The order, which nobody else changes until the transaction ends. @throws Problem `not_found` (404) */
export async function holdOrder(tx: TenantTransaction, orderId: string): Promise<Order> {
  await tx.query(
    statement('select from orders.sales_order where tenant_id = $1::uuid and order_id = $2::uuid for no key update', [
      tx.context.tenant,
      orderId,
    ]),
  );
  const found = await orderIn(tx, orderId);
  if (found === undefined) throw noOrder();
  return found;
}
