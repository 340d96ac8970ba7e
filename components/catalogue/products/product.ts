import { count, field, id, moment, moneyShape, nullable, oneOf, type Of, shape, text, texts } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { heldCollections } from '../collections/hold.ts';
import { lowered, type RunningPrice, runningPrices } from '../price-lists/running.ts';
import { imageOf, imageShape, mediaOf, mediumShape } from '../media/medium.ts';

export const statuses = ['draft', 'active', 'archived'] as const;

const price = z.object({
  amount: moneyShape.shape.amount,
  currency: moneyShape.shape.currency,
  /** From this quantity on. */
  minQuantity: z.int(),
  /** What it was before, in the same currency. */
  compareAt: z.string().nullable(),
});

const variant = z.object({
  id: z.uuid(),
  /** By the names of the product's options. */
  options: z.record(z.string(), z.string()),
  sku: z.string().nullable(),
  barcode: z.string().nullable(),
  weightGrams: z.int().nullable(),
  requiresShipping: z.boolean(),
  prices: z.array(price),
});
export type Variant = z.output<typeof variant>;

/** A variant as the database puts it together. */
interface StoredVariant {
  readonly id: string;
  readonly values: readonly string[];
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly weight: number | null;
  readonly ships: boolean;
  readonly prices: readonly { amount: string; currency: string; from: number; before: string | null }[] | null;
  readonly running?: readonly RunningPrice[] | null;
}

const summary = {
  id: id('p.product_id'),
  handle: text(),
  title: text(),
  vendor: nullable(text()),
  type: nullable(text('p.product_type')),
  tags: texts(),
  status: oneOf(statuses),
  /** Which rates of tax apply where it is sold. */
  taxCategory: text(),
  /** Where it is published. Visitors see it only while it is active, too. */
  brandIds: field(
    z.array(z.uuid()),
    `array(select b.brand_id from catalogue.publication b where b.tenant_id = p.tenant_id and b.product_id = p.product_id order by 1)`,
  ),
  variantCount: count(
    `(select count(*) from catalogue.variant v where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null)`,
  ),
  /** The picture that lists show. */
  image: field(imageShape.nullable(), imageOf, (stored) => stored as z.output<typeof imageShape> | null),
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
};

/** What lists say of a product: of `catalogue.product` named `p`. */
export const product = shape('p', summary);
export type Product = Of<typeof product>;

const variantsOf = (
  more: string,
): string => `(select json_agg(json_build_object('id', v.variant_id, 'values', v.option_values, 'sku', v.sku, 'barcode', v.barcode,
    'weight', v.weight_grams, 'ships', v.requires_shipping, 'prices', (
      select json_agg(json_build_object('amount', c.amount::text, 'currency', c.currency, 'from', c.min_quantity, 'before', c.compare_at::text)
        order by c.currency, c.min_quantity)
      from catalogue.price c where c.tenant_id = v.tenant_id and c.variant_id = v.variant_id)${more}) order by v.position)
  from catalogue.variant v where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null)`;

const whole = (more: string) => ({
  ...summary,
  /** Markdown. */
  description: text(),
  options: texts(),
  custom: field(z.record(z.string(), z.unknown())),
  media: field(z.array(mediumShape), mediaOf, (stored) => (stored ?? []) as z.output<typeof mediumShape>[]),
  variants: field(z.array(variant), variantsOf(more), (stored, row) =>
    ((stored ?? []) as readonly StoredVariant[]).map((one) => presentVariant(one, row['options'] as string[])),
  ),
});

/** A product with its variants and prices. */
export const wholeProduct = shape('p', whole(''));
/** The same with the prices that are paid now, as the brand `$2` sells it. */
export const soldProduct = shape('p', whole(`, 'running', ${runningPrices()}`));
export type WholeProduct = Of<typeof wholeProduct>;

const presentVariant = (stored: StoredVariant, options: readonly string[]): Variant => ({
  id: stored.id,
  options: Object.fromEntries(options.map((name, index) => [name, stored.values[index] ?? ''])),
  sku: stored.sku,
  barcode: stored.barcode,
  weightGrams: stored.weight,
  requiresShipping: stored.ships,
  prices: pricesOf(stored),
});

function pricesOf({ prices, running }: StoredVariant): Variant['prices'] {
  const own = Map.groupBy(prices ?? [], ({ currency }) => currency);
  const lists = Map.groupBy(running ?? [], ([, currency]) => currency);
  return [...own].flatMap(([currency, steps]) =>
    lowered(
      steps.map(({ amount, from, before }) => ({
        minQuantity: from,
        amount: BigInt(amount),
        compareAt: before === null ? null : BigInt(before),
      })),
      lists.get(currency) ?? [],
    ).map(({ minQuantity, amount, compareAt }) => ({
      ...money(amount, currency),
      minQuantity,
      compareAt: compareAt === null ? null : money(compareAt, currency).amount,
    })),
  );
}

/** Products of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectProducts = (
  columns: string,
  rest: string,
  tenant: string,
  ...values: readonly unknown[]
): Statement =>
  statement(`select ${columns} from catalogue.product p where p.tenant_id = $1::uuid and ${rest}`, [tenant, ...values]);

/** Products by their ids, held until the end of the transaction, in the order of their ids so that nobody waits in a circle. */
export async function holdProducts(
  tx: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WholeProduct>> {
  await lockProducts(tx, ids);
  return readProducts(tx, ids);
}

export async function lockProducts(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  const { tenant } = tx.context;
  await tx.queryAll([
    heldCollections(tenant, 'shared'),
    statement(
      `select from catalogue.product p where p.tenant_id = $1::uuid and p.product_id = any ($2::uuid[])
       order by p.product_id for no key update`,
      [tenant, ids],
    ),
  ]);
}

export async function readProducts(
  tx: TenantTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WholeProduct>> {
  const rows = await tx.query(
    selectProducts(wholeProduct.columns, 'p.product_id = any ($2::uuid[])', tx.context.tenant, ids),
  );
  return new Map(rows.map((row) => wholeProduct.read(row)).map((one) => [one.id, one]));
}

export const noProduct = (): Error =>
  fail('not_found', 'There is no such product in this tenant: list the products for their ids.');
