import type { PlacedImage, PlacedTax } from '../orders/placing.ts';

/** What is paid for something, in minor units: `gross` less discounts is `total` where prices contain tax, else `net`. */
export interface Paid extends PlacedTax {
  readonly gross: bigint;
  readonly discounts: readonly { readonly discountId: string; readonly amount: bigint }[];
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
}

export interface VersionLine extends Paid {
  readonly id: string;
  readonly position: number;
  readonly productId: string;
  readonly variantId: string;
  readonly title: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly image: PlacedImage | null;
  readonly taxCategory: string;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** 0: it was taken off. */
  readonly quantity: number;
  readonly unitPrice: bigint;
}

export interface VersionShipping extends Paid {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
  readonly locationId: string | null;
}

/** What an order is made of, and what it comes to. It says of nobody who bought it. */
export interface Version {
  readonly lines: readonly VersionLine[];
  readonly shipping: VersionShipping | null;
  readonly discounts: readonly {
    readonly discountId: string;
    readonly name: string;
    readonly code: string | null;
    readonly amount: bigint;
  }[];
  readonly taxes: readonly (PlacedTax & { readonly net: bigint; readonly tax: bigint })[];
  readonly subtotal: bigint;
  readonly discount: bigint;
  readonly net: bigint;
  readonly tax: bigint;
  readonly total: bigint;
}

/** SQL: the present version of an order `o`, as the database keeps versions: amounts are text, since JSON has no whole numbers of that size. */
export const snapshotOf = `jsonb_build_object('lines', (select jsonb_agg(jsonb_build_object('id', l.line_id, 'position', l.position, 'productId', l.product_id,
      'variantId', l.variant_id, 'title', l.title, 'options', l.options, 'sku', l.sku, 'image', l.image, 'taxCategory', l.tax_category,
      'weightGrams', l.weight_grams, 'requiresShipping', l.requires_shipping, 'quantity', l.quantity, 'unitPrice', l.unit_price::text,
      'gross', l.gross::text, 'discounts', l.discounts, 'net', l.net::text, 'tax', l.tax::text, 'total', l.total::text, 'treatment', l.treatment,
      'taxId', l.tax_id, 'percentage', l.percentage::text) order by l.position)
    from orders.line l where l.tenant_id = o.tenant_id and l.order_id = o.order_id),
  'shipping', o.shipping, 'discounts', o.discounts, 'taxes', o.taxes, 'subtotal', o.subtotal::text, 'discount', o.discount::text, 'net', o.net::text,
  'tax', o.tax::text, 'total', o.total::text)`;

const amounts = new Set(['unitPrice', 'gross', 'net', 'tax', 'total', 'amount', 'subtotal', 'discount', 'percentage']);

/** A snapshot of the database, with its amounts as numbers. */
export const versionFrom = (stored: unknown): Version => revived(stored) as Version;

function revived(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return amounts.has(key) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((one) => revived(one));
  if (typeof value !== 'object' || value === null) return value;
  // Names of options are the shop's own, whatever they are.
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      name,
      name === 'options' ? one : revived(one, name),
    ]),
  );
}

/** The same as the database takes it. */
export const storedText = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
