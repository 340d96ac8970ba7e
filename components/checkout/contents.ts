import { statement, type TenantTransaction } from '@steward/sql';
import { digestOf } from '@steward/verification';

const contents = (table: string, id: string, json: string): string =>
  `select r.tenant_id, r.${id} as key, ${digestOf(json)} as digest from checkout.${table} r`;

/** Seconds: how an instant is written depends on the session. */
const at = (column: string): string => `extract(epoch from r.${column})`;

/**
 * What settings of a shop say, as the digest in their events: `tenant_id`, `key` and `digest`. Verification makes the same from the rows. How
 * often a discount was used is none of it: orders count that.
 */
export const contentsBy = {
  tax_setting: contents(
    'tax_setting',
    'tenant_id',
    `'tax_settings/v1', r.country, r.prices_without_tax, r.reverse_charge`,
  ),
  tax_zone: contents('tax_zone', 'tax_zone_id', `'tax_zone/v1', r.name, r.country, r.region, r.postcodes, r.rates`),
  shipping_zone: contents('shipping_zone', 'shipping_zone_id', `'shipping_zone/v1', r.name, r.places, r.countries`),
  shipping_option: contents(
    'shipping_option',
    'shipping_option_id',
    `'shipping_option/v1', r.name, r.currency, r.amount, r.brackets, r.free_from, r.location_id, r.min_days, r.max_days, r.tax_category,
      r.active, r.position`,
  ),
  discount: contents(
    'discount',
    'discount_id',
    `'discount/v1', r.name, r.code, r.code_key, r.applies_to, r.percentage, r.amounts, r.product_ids, r.collection_ids, r.buy_quantity,
      r.buy_product_ids, r.buy_collection_ids, r.get_quantity, r.times_per_order, r.minimum_amounts, r.minimum_quantity, r.usage_limit,
      r.usage_limit_per_buyer, ${at('starts_at')}, ${at('ends_at')}, r.brand_ids, r.combines_with, r.active`,
  ),
} as const;

/** The digest of a setting, in the transaction that wrote it: for its event. */
export async function contentOf(tx: TenantTransaction, noun: keyof typeof contentsBy, id: string): Promise<string> {
  const [row] = await tx.query<{ digest: string }>(
    statement(`select digest from (${contentsBy[noun]}) c where c.tenant_id = $1::uuid and c.key = $2::uuid`, [
      tx.context.tenant,
      id,
    ]),
  );
  if (row === undefined) throw new Error(`the ${noun} was written`);
  return row.digest;
}
