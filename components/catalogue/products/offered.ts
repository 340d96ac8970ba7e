import { type Row, statement, type Statement } from '@steward/sql';
import { lowered, type RunningPrice, runningPrices, type Step } from '../price-lists/running.ts';
import { type Image, imageOfVariant, located } from '../media/medium.ts';

/** A variant as it is sold: in one currency, what is paid for it now by quantity, in minor units. */
export interface Offer {
  readonly variantId: string;
  readonly productId: string;
  readonly handle: string;
  readonly title: string;
  /** By the names of the product's options. */
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string | null;
  readonly taxCategory: string;
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  /** The first that shows the variant, else the first of the product. */
  readonly image: Image | null;
  /** From the lowest quantity on; none where it has no price in the currency. */
  readonly prices: readonly Step[];
}

/**
 * Those of these variants that the brand sells at this moment, for whoever reads the answer's rows by `offerOf`: of a product that is active and
 * published to the brand, and not taken off it. Every other id has no row, whatever it names.
 */
export const offered = (tenant: string, brandId: string, variantIds: readonly string[], currency: string): Statement =>
  statement(
    `select v.variant_id, v.product_id, p.handle, p.title, p.options, v.option_values, v.sku, p.tax_category, v.weight_grams, v.requires_shipping,
       ${imageOfVariant} as image,
       (select json_agg(json_build_array(c.min_quantity, c.amount::text, c.compare_at::text) order by c.min_quantity)
        from catalogue.price c where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id and c.currency = $4) as prices,
       ${runningPrices('l.currency = $4')} as running
     from catalogue.variant v join catalogue.product p on p.tenant_id = v.tenant_id and p.product_id = v.product_id
     where v.tenant_id = $1::uuid and v.variant_id = any ($3::uuid[]) and v.removed_at is null and p.status = 'active'
       and exists (select from catalogue.publication b
         where b.tenant_id = p.tenant_id and b.brand_id = $2::uuid and b.product_id = p.product_id)`,
    [tenant, brandId, variantIds, currency],
  );

/** @param mediaAt where pictures are served */
export function offerOf(row: Row, mediaAt: string): Offer {
  const values = row['option_values'] as readonly string[];
  const prices = (row['prices'] ?? []) as readonly (readonly [number, string, string | null])[];
  return {
    variantId: String(row['variant_id']),
    productId: String(row['product_id']),
    handle: String(row['handle']),
    title: String(row['title']),
    options: Object.fromEntries((row['options'] as readonly string[]).map((name, at) => [name, values[at] ?? ''])),
    sku: row['sku'] as string | null,
    taxCategory: String(row['tax_category']),
    weightGrams: row['weight_grams'] as number | null,
    requiresShipping: row['requires_shipping'] === true,
    image: located({ image: row['image'] as Image | null }, mediaAt).image,
    prices: lowered(
      prices.map(([minQuantity, amount, compareAt]) => ({
        minQuantity,
        amount: BigInt(amount),
        compareAt: compareAt === null ? null : BigInt(compareAt),
      })),
      (row['running'] ?? []) as readonly RunningPrice[],
    ),
  };
}
