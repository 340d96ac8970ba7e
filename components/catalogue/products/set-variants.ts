import { asItWas, operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import type { FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { announcement } from '../events.ts';
import { located } from '../media/medium.ts';
import { changes } from '../operations.ts';
import { changed } from './changed.ts';
import { byProduct } from './get.ts';
import { expectedVersion, mostVariants, optionNames, variantInput } from './input.ts';
import { replaceVariants } from './insert.ts';
import { holdProducts, noProduct, readProducts, wholeProduct, type Variant, type WholeProduct } from './product.ts';
import { plainPrices, valueOf, variantsOf, type GivenVariant, type VariantRows } from './variants.ts';

/** The product, and which of its variants were taken off. */
export const answer = wholeProduct.answer.extend({ removedVariantIds: z.array(z.uuid()) });

/**
 * Sets the variants of a product in their order. Those that are named by an id, or by the values of a present variant, stay, with what is not
 * given of them; others are new; present ones that are left out are taken off.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `product_changed` (409)
 */
export const setVariants = operation(
  {
    ...changes,
    name: 'service_set_variants',
    input: z.strictObject({
      ...byProduct,
      expectedVersion,
      options: optionNames.optional().meta({ description: 'Default: the present options.' }),
      variants: z
        .array(
          variantInput.extend({
            variantId: z.uuid().optional().meta({
              description:
                'A variant that stays, from service_get_product. Without it: the one with the same options, else a new one.',
            }),
          }),
        )
        .min(1)
        .max(mostVariants)
        .meta({ description: 'The whole list in its order: variants that are left out are taken off.' }),
    }),
    answer,
    errors: ['insufficient_role', 'not_found', 'product_changed'],
  },
  async (
    scope,
    { productId, expectedVersion: expected, options: names, variants: given },
    { mediaAt }: CatalogueDeps,
  ) =>
    scope.write(async (tx) => {
      const before = (await holdProducts(tx, [productId])).get(productId);
      if (before === undefined) throw noProduct();
      if (expected !== undefined && expected !== before.version)
        throw catalogueFail('product_changed', `The product has version ${before.version} by now: read it again.`);
      const options = names ?? before.options;
      const faults: FieldError[] = [];
      const full = given.map((one, index) => completed(one, before, `/variants/${index}`, faults));
      full.forEach(({ variantId }, index) => {
        if (variantId !== undefined && full.findIndex((one) => one.variantId === variantId) < index)
          faults.push({
            pointer: `/variants/${index}/variantId`,
            code: 'duplicate',
            detail: 'Give each variant once.',
          });
      });
      const fresh = variantsOf(productId, options, full, '/variants', faults);
      if (faults.length > 0) throw refused(faults);
      if (isSame(before, options, full)) return asItWas({ ...located(before, mediaAt), removedVariantIds: [] });
      const { tenant } = tx.context;
      const had = new Set(before.variants.map(({ id }) => id));
      const again =
        JSON.stringify(options) === JSON.stringify(before.options) ? await takenOff(tx, productId) : new Map();
      const rows = under(fresh, again, had);
      const known = new Set([...had, ...again.values()]);
      const stayIds = rows.variants.map(({ variant_id: id }) => id);
      await tx.queryAll([
        statement(
          `update catalogue.product set options = $3::text[] where tenant_id = $1::uuid and product_id = $2::uuid`,
          [tenant, productId, options],
        ),
        ...replaceVariants(tenant, [productId], known, rows),
      ]);
      await changed(tx, new Map([[productId, ['variants', ...(names === undefined ? [] : ['options'])]]]));
      const removed = [...had].filter((id) => !stayIds.includes(id));
      if (removed.length > 0) tx.publish(announcement('commerce.variants.removed', { productId, variantIds: removed }));
      const after = (await readProducts(tx, [productId])).get(productId) ?? before;
      return { ...located(after, mediaAt), removedVariantIds: removed };
    }),
);

/** Variants that were taken off, by their values: the latest of those with the same. */
async function takenOff(tx: TenantTransaction, productId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ variant_id: string; option_values: readonly string[] }>(
    statement(
      `select variant_id, option_values from catalogue.variant
       where tenant_id = $1::uuid and product_id = $2::uuid and removed_at is not null order by removed_at desc limit 5000`,
      [tx.context.tenant, productId],
    ),
  );
  return new Map(rows.toReversed().map((row) => [JSON.stringify(row.option_values), row.variant_id]));
}

/** A variant that comes back has the id that it had: stock and orders name it. */
function under(
  { variants, prices }: VariantRows,
  again: ReadonlyMap<string, string>,
  present: ReadonlySet<string>,
): VariantRows {
  const ids = new Map(
    variants.map(({ variant_id: id, option_values: values }) => [
      id,
      present.has(id) ? id : (again.get(JSON.stringify(values)) ?? id),
    ]),
  );
  const named = <T extends { readonly variant_id: string }>(row: T): T => ({
    ...row,
    variant_id: ids.get(row.variant_id) ?? row.variant_id,
  });
  return { variants: variants.map(named), prices: prices.map(named) };
}

/** With the members of the present variant that are not given. */
function completed(given: GivenVariant, before: WholeProduct, pointer: string, faults: FieldError[]): GivenVariant {
  const values = Object.entries(given.options ?? {});
  const present = before.variants.find(({ id, options }) =>
    given.variantId === undefined
      ? values.length === before.options.length && values.every(([name, value]) => valueOf(options, name) === value)
      : id === given.variantId,
  );
  if (given.variantId === undefined && present === undefined) return given;
  if (present === undefined) {
    faults.push({
      pointer: `${pointer}/variantId`,
      code: 'unknown_variant',
      detail: 'The product has no such variant: read the product for the ids of its variants.',
    });
    return given;
  }
  return { ...asGiven(present), ...given };
}

export const asGiven = ({ id, prices, ...rest }: Fixed<Variant>): GivenVariant => ({
  ...rest,
  variantId: id,
  prices: prices.map(({ compareAt, ...price }) => ({ ...price, ...(compareAt === null ? {} : { compareAt }) })),
});

/** Whether a product has these options and variants, in this order. */
export function isSame(before: WholeProduct, options: readonly string[], next: readonly GivenVariant[]): boolean {
  if (before.variants.length !== next.length || JSON.stringify(before.options) !== JSON.stringify(options))
    return false;
  return before.variants.every(({ id }, index) => {
    const one = next[index];
    const present = before.variants[index];
    return one?.variantId === id && present !== undefined && plain(one) === plain(asGiven(present));
  });
}

/** A variant with its members, values and prices in one order, so that equal ones are equal texts. */
const plain = ({ options = {}, prices = [], sku, barcode, weightGrams, requiresShipping }: GivenVariant): string =>
  JSON.stringify([
    Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    sku ?? null,
    barcode ?? null,
    weightGrams ?? null,
    requiresShipping ?? true,
    plainPrices(prices),
  ]);
