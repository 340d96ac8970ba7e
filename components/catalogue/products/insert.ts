import { statement, type Statement } from '@steward/sql';
import type { VariantRows } from './variants.ts';

/** A product as its columns hold it. */
export interface ProductRow {
  readonly product_id: string;
  readonly handle: string | undefined;
  readonly title: string | undefined;
  readonly description: string;
  readonly vendor: string | null;
  readonly product_type: string | null;
  readonly tags: readonly string[];
  readonly status: string;
  readonly tax_category: string;
  readonly options: readonly string[];
  readonly custom: object;
}

/** Answers those that were inserted: a handle may be taken. */
export const insertProducts = (tenant: string, rows: readonly ProductRow[]): Statement =>
  statement(
    `insert into catalogue.product (tenant_id, product_id, handle, title, description, vendor, product_type, tags, status,
       tax_category, options, custom)
     select $1::uuid, p.product_id, p.handle, p.title, p.description, p.vendor, p.product_type, p.tags, p.status, p.tax_category,
       p.options, p.custom
     from jsonb_to_recordset($2::jsonb) p (product_id uuid, handle text, title text, description text, vendor text, product_type text,
       tags text[], status text, tax_category text, options text[], custom jsonb)
     on conflict do nothing returning product_id`,
    [tenant, JSON.stringify(rows)],
  );

/** All at once, however many there are. */
export const insertVariants = (tenant: string, { variants, prices }: VariantRows): Statement[] => [
  statement(
    `insert into catalogue.variant (tenant_id, variant_id, product_id, position, option_values, sku, barcode, weight_grams, requires_shipping)
     select $1::uuid, v.variant_id, v.product_id, v.position, v.option_values, v.sku, v.barcode, v.weight_grams, v.requires_shipping
     from jsonb_to_recordset($2::jsonb) v (variant_id uuid, product_id uuid, position int, option_values text[], sku text, barcode text,
       weight_grams int, requires_shipping boolean)`,
    [tenant, JSON.stringify(variants)],
  ),
  insertPrices(tenant, prices),
];

export const insertPrices = (tenant: string, prices: VariantRows['prices']): Statement =>
  statement(
    `insert into catalogue.price (tenant_id, variant_id, currency, min_quantity, amount, compare_at)
     select $1::uuid, c.variant_id, c.currency, c.min_quantity, c.amount, c.compare_at
     from jsonb_to_recordset($2::jsonb) c (variant_id uuid, currency text, min_quantity int, amount bigint, compare_at bigint)`,
    [tenant, JSON.stringify(prices)],
  );

/** The whole lists of variants of products. @param had the variants that they have, which stay, change or are taken off */
export function replaceVariants(
  tenant: string,
  productIds: readonly string[],
  had: ReadonlySet<string>,
  { variants, prices }: VariantRows,
): Statement[] {
  return [
    statement(
      `delete from catalogue.price where tenant_id = $1::uuid and variant_id = any (array(
         select v.variant_id from catalogue.variant v where v.tenant_id = $1::uuid and v.product_id = any ($2::uuid[])))`,
      [tenant, productIds],
    ),
    // All are taken off first: two variants may exchange their values.
    statement(
      `update catalogue.variant set removed_at = clock_timestamp()
       where tenant_id = $1::uuid and product_id = any ($2::uuid[]) and removed_at is null`,
      [tenant, productIds],
    ),
    statement(
      `update catalogue.variant v set position = n.position, option_values = n.option_values, sku = n.sku, barcode = n.barcode,
         weight_grams = n.weight_grams, requires_shipping = n.requires_shipping, removed_at = null
       from jsonb_to_recordset($2::jsonb) n (variant_id uuid, position int, option_values text[], sku text, barcode text,
         weight_grams int, requires_shipping boolean)
       where v.tenant_id = $1::uuid and v.variant_id = n.variant_id`,
      [tenant, JSON.stringify(variants.filter(({ variant_id: id }) => had.has(id)))],
    ),
    ...insertVariants(tenant, { variants: variants.filter(({ variant_id: id }) => !had.has(id)), prices }),
  ];
}
