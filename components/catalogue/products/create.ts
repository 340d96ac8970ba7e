import { operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { type FieldError, newId } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { renewMembership } from '../collections/membership.ts';
import { contentsOf } from '../contents.ts';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail, refused } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { located } from '../media/medium.ts';
import { changes } from '../operations.ts';
import { handleOf } from './handle.ts';
import { brandIds, members, mostProducts, mostVariants, optionNames, variantInput } from './input.ts';
import { insertProducts, insertVariants } from './insert.ts';
import { product, type Product, readProducts } from './product.ts';
import { publish, requireBrands } from './publish.ts';
import { renewTerms } from './terms.ts';
import { variantsOf, type VariantRows } from './variants.ts';
import { warnings, warningsOf } from './warnings.ts';

const given = z.strictObject({
  ...members,
  options: optionNames.optional(),
  variants: z
    .array(variantInput)
    .min(1)
    .max(mostVariants)
    .optional()
    .meta({ description: 'One for each combination that you sell. Default: one variant without a price.' }),
  brandIds: brandIds.optional().meta({ description: 'Brands to publish to, from service_list_brands. Default: none.' }),
});
type NewProduct = Fixed<z.output<typeof given>>;

/**
 * Adds products with their variants, prices and publications: all of them or, if one is wrong, none.
 * @throws Problem `invalid_request` (400) with pointers, `handle_taken` (409)
 */
export const createProducts = operation(
  {
    ...changes,
    name: 'service_create_products',
    input: z.strictObject({
      products: z
        .array(given)
        .min(1)
        .max(mostProducts)
        .meta({ description: 'Up to 100 products, with up to 1,000 variants in all.' }),
    }),
    answer: z.object({ products: z.array(product.answer), warnings }),
    errors: ['insufficient_role', 'handle_taken'],
  },
  async (scope, { products }, { brandIn, taxCategories, mediaAt }: CatalogueDeps) => {
    const faults: FieldError[] = [];
    // In the order of the call, which lists go by.
    const newIds = products.map(() => newId()).toSorted();
    const made = products.map((one, index) => rowsOf(newIds[index] ?? '', one, `/products/${index}`, faults));
    requireRoom(products, faults);
    if (faults.length > 0) throw refused(faults);
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      await requireBrands(
        tx,
        products.flatMap((one, index) =>
          (one.brandIds ?? []).map((id, at) => ({ id, pointer: `/products/${index}/brandIds/${at}` })),
        ),
        brandIn,
      );
      const handles = await handlesFor(tx, products);
      const rows = made.map(({ id }, index) => ({
        product_id: id,
        handle: handles[index],
        ...columnsOf(products[index]),
      }));
      const inserted = await tx.query(insertProducts(tenant, rows));
      // Somebody else took it in the meantime.
      if (inserted.length < rows.length) throw catalogueFail('handle_taken', 'Send the same products again.');
      await tx.queryAll(
        insertVariants(tenant, {
          variants: made.flatMap(({ variants }) => variants),
          prices: made.flatMap(({ prices }) => prices),
        }),
      );
      const ids = made.map(({ id }) => id);
      const fresh = new Map(ids.map((id) => [id, ['title']]));
      await renewTerms(tx, fresh);
      await renewMembership(tx, fresh);
      const digests = await contentsOf(tx, ids);
      for (const id of ids) {
        tx.record(
          event('commerce.product.created', { product_id: id, version: 1, content_sha256: digests.get(id) ?? '' }),
        );
        tx.publish(announcement('commerce.product.changed', { productId: id, version: 1 }, { subject: id }));
      }
      for (const [brandId, group] of byBrand(products, ids)) await publish(tx, brandId, group);
      const written = await readProducts(tx, ids);
      return {
        products: ids.flatMap((id): Product[] => [written.get(id) ?? []].flat().map((one) => located(one, mediaAt))),
        warnings: await warningsOf(tx, ids, { taxCategories }),
      };
    });
  },
);

interface Made extends VariantRows {
  readonly id: string;
}

function rowsOf(
  id: string,
  { options = [], variants = [{}] }: NewProduct,
  pointer: string,
  faults: FieldError[],
): Made {
  return { id, ...variantsOf(id, options, variants, `${pointer}/variants`, faults) };
}

function requireRoom(products: readonly NewProduct[], faults: FieldError[]): void {
  const many = products.reduce((sum, { variants }) => sum + (variants?.length ?? 1), 0);
  if (many > mostVariants)
    faults.push({
      pointer: '/products',
      code: 'too_big',
      detail: `Give at most ${mostVariants} variants in one call: send the products in several.`,
    });
}

const columnsOf = (one: NewProduct | undefined) => ({
  title: one?.title,
  description: one?.description ?? '',
  vendor: one?.vendor ?? null,
  product_type: one?.type ?? null,
  tags: [...new Set(one?.tags)],
  status: one?.status ?? 'draft',
  tax_category: one?.taxCategory ?? 'standard',
  options: one?.options ?? [],
  custom: one?.custom ?? {},
});

/** @throws Problem `handle_taken` (409) where one that is given is in use, or given twice */
async function handlesFor(tx: TenantTransaction, products: readonly NewProduct[]): Promise<string[]> {
  const wanted = products.map(({ handle, title }) => handle ?? handleOf(title));
  const rows = await tx.query<{ handle: string }>(
    statement(`select handle from catalogue.product where tenant_id = $1::uuid and handle = any ($2::text[])`, [
      tx.context.tenant,
      wanted,
    ]),
  );
  const taken = new Set(rows.map(({ handle }) => handle));
  return products.map(({ handle }, index) => {
    const base = wanted[index] ?? '';
    const free = base !== '' && !taken.has(base);
    if (!free && handle !== undefined) {
      const detail = `${handle} is in use: choose another handle, or leave it out.`;
      throw catalogueFail('handle_taken', detail, {
        errors: [{ pointer: `/products/${index}/handle`, code: 'handle_taken', detail }],
      });
    }
    const chosen = free ? base : [base, newId().slice(-12)].filter((part) => part !== '').join('-');
    taken.add(chosen);
    return chosen;
  });
}

function byBrand(products: readonly NewProduct[], ids: readonly string[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  products.forEach(({ brandIds: brands = [] }, index) => {
    for (const brand of new Set(brands)) groups.set(brand, [...(groups.get(brand) ?? []), ids[index] ?? '']);
  });
  return groups;
}
