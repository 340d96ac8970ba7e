import { count, field, flag, id, moment, moneyShape, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { fail, normalized } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { type Kept, moniesOf } from '../money.ts';
import { discountClasses } from '../totals/discount.ts';

export const kinds = ['percentage', 'fixed_amount', 'free_shipping', 'buy_x_get_y'] as const;
export const statuses = ['active', 'scheduled', 'expired', 'exhausted', 'inactive', 'archived'] as const;

const monies = (sql?: string) => field(z.array(moneyShape), sql, (value) => moniesOf((value ?? {}) as Kept));
const ids = (column: string) => field(z.array(z.uuid()), `d.${column}::text[]`);

/** What a price is lowered by: of `checkout.discount` named `d`. */
export const discount = shape('d', {
  id: id('d.discount_id'),
  name: text(),
  /** Null: automatic. */
  code: nullable(text()),
  kind: oneOf(kinds),
  /** As of now. */
  status: oneOf(
    statuses,
    `case when d.archived_at is not null then 'archived' when not d.active then 'inactive'
       when d.starts_at > clock_timestamp() then 'scheduled' when d.ends_at <= clock_timestamp() then 'expired'
       when d.used >= d.usage_limit then 'exhausted' else 'active' end`,
  ),
  appliesTo: nullable(oneOf(['products', 'order'])),
  percentage: nullable(text('trim_scale(d.percentage)::text')),
  amounts: monies(),
  /** What it lowers; none: everything. */
  productIds: ids('product_ids'),
  /** What it lowers beside those: the products in these collections. */
  collectionIds: ids('collection_ids'),
  buyQuantity: nullable(count()),
  buyProductIds: ids('buy_product_ids'),
  buyCollectionIds: ids('buy_collection_ids'),
  getQuantity: nullable(count()),
  timesPerOrder: nullable(count()),
  /** Of what it lowers, before discounts. */
  minimumAmounts: monies(),
  minimumQuantity: nullable(count()),
  usageLimit: nullable(count()),
  usageLimitPerBuyer: nullable(count()),
  /** How often it was used; cancelled orders do not count. */
  used: count(),
  startsAt: nullable(moment()),
  endsAt: nullable(moment()),
  /** None: all brands. */
  brandIds: ids('brand_ids'),
  /** The classes of other discounts that it may stand beside. */
  combinesWith: field(z.array(z.enum(discountClasses))),
  active: flag(),
  archived: flag('d.archived_at is not null'),
  /** Counts changes. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type DiscountSetting = Of<typeof discount>;

export const byDiscount = { discountId: z.uuid().meta({ description: 'From service_list_discounts.' }) };

/** One spelling of a code for all ways to write it: without case, spaces at its ends and forms of the same letter. */
export const codeKey = (code: string): string =>
  normalized(code.slice(0, 200), 'NFKC').trim().replaceAll(/\s/g, ' ').toLowerCase();

/** Discounts of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectDiscounts = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(`select ${discount.columns} from checkout.discount d where d.tenant_id = $1::uuid and ${rest}`, [
    tenant,
    ...values,
  ]);

/** The discount, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdDiscount(tx: TenantTransaction, discountId: string): Promise<DiscountSetting> {
  const [row] = await tx.query(
    selectDiscounts('d.discount_id = $2::uuid for no key update', tx.context.tenant, discountId),
  );
  if (row === undefined) throw noDiscount();
  return discount.read(row);
}

export const noDiscount = (): Error =>
  fail('not_found', 'There is no such discount in this tenant: list the discounts for their ids.');
