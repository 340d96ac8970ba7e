import { asItWas, operation } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { announcement, event } from '../events.ts';
import { changes } from '../operations.ts';
import { brandIds } from './input.ts';
import { warnings, warningsOf } from './warnings.ts';

const input = z.strictObject({
  productIds: z.array(z.uuid()).min(1).max(500).meta({ description: 'From service_list_products.' }),
  brandIds: brandIds.min(1).meta({ description: 'From service_list_brands.' }),
});
/** How many products were published, or taken off, that were not so before, by brand. */
const moved = z.object({ changed: z.array(z.object({ brandId: z.uuid(), products: z.int() })) });

const spec = { ...changes, input, errors: ['insufficient_role'] } as const;

/**
 * Publishes products to brands: visitors see those that are active.
 * @throws Problem `invalid_request` (400) with a pointer to each product or brand that is not there
 */
export const publishProducts = operation(
  { ...spec, name: 'service_publish_products', answer: moved.extend({ warnings }) },
  async (scope, given, { brandIn, taxCategories }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await requireBrands(
        tx,
        given.brandIds.map((id, index) => ({ id, pointer: `/brandIds/${index}` })),
        brandIn,
      );
      await requireProducts(tx, given.productIds);
      const changed = await byBrand(given.brandIds, async (brandId) => publish(tx, brandId, given.productIds));
      if (isNothing(changed)) return asItWas({ changed, warnings: [] });
      return { changed, warnings: await warningsOf(tx, given.productIds, { taxCategories }) };
    }),
);

/** Takes products off the pages of brands. */
export const unpublishProducts = operation(
  { ...spec, name: 'service_unpublish_products', answer: moved },
  async (scope, given) =>
    scope.write(async (tx) => {
      await requireProducts(tx, given.productIds);
      const changed = await byBrand(given.brandIds, async (brandId) => unpublish(tx, brandId, given.productIds));
      return isNothing(changed) ? asItWas({ changed }) : { changed };
    }),
);

async function byBrand(brands: readonly string[], change: (brandId: string) => Promise<number>) {
  const changed: { brandId: string; products: number }[] = [];
  for (const brandId of new Set(brands)) changed.push({ brandId, products: await change(brandId) });
  return changed;
}

const isNothing = (changed: readonly { readonly products: number }[]): boolean =>
  changed.every(({ products }) => products === 0);

/** Products of the tenant that are not yet published to the brand. @returns how many there were */
export async function publish(tx: TenantTransaction, brandId: string, productIds: readonly string[]): Promise<number> {
  const rows = await tx.query<{ product_id: string }>(
    statement(
      `insert into catalogue.publication (tenant_id, brand_id, product_id)
       select $1::uuid, $2::uuid, p from unnest($3::uuid[]) p order by p on conflict do nothing returning product_id`,
      [tx.context.tenant, brandId, [...new Set(productIds)]],
    ),
  );
  return said(tx, brandId, rows, 'published');
}

async function unpublish(tx: TenantTransaction, brandId: string, productIds: readonly string[]): Promise<number> {
  const rows = await tx.query<{ product_id: string }>(
    statement(
      `delete from catalogue.publication where tenant_id = $1::uuid and brand_id = $2::uuid and product_id = any ($3::uuid[])
       returning product_id`,
      [tx.context.tenant, brandId, productIds],
    ),
  );
  return said(tx, brandId, rows, 'unpublished');
}

function said(
  tx: TenantTransaction,
  brandId: string,
  rows: readonly { product_id: string }[],
  what: 'published' | 'unpublished',
): number {
  const productIds = rows.map((row) => row.product_id).toSorted();
  for (const id of productIds) tx.record(event(`commerce.product.${what}`, { product_id: id, brand_id: brandId }));
  if (productIds.length > 0) tx.publish(announcement(`commerce.products.${what}`, { productIds, brandId }));
  return productIds.length;
}

/** @throws Problem `invalid_request` (400) with a pointer to each brand that is not in use */
export async function requireBrands(
  tx: TenantTransaction,
  named: readonly { readonly id: string; readonly pointer: string }[],
  brandIn: CatalogueDeps['brandIn'],
): Promise<void> {
  const known = new Map<string, boolean>();
  for (const { id } of named) if (!known.has(id)) known.set(id, (await brandIn(tx, id)) !== undefined);
  const detail = 'There is no such brand in use: list the brands and name one of them.';
  const faults = named.filter(({ id }) => known.get(id) !== true);
  if (faults.length > 0) throw refused(faults.map(({ pointer }) => ({ pointer, code: 'unknown_brand', detail })));
}

/** Held, so that nobody changes them before the transaction ends. @throws Problem `invalid_request` (400) with pointers */
async function requireProducts(tx: TenantTransaction, ids: readonly string[]): Promise<void> {
  const rows = await tx.query<{ product_id: string }>(
    statement(
      `select product_id from catalogue.product where tenant_id = $1::uuid and product_id = any ($2::uuid[])
       order by product_id for no key update`,
      [tx.context.tenant, ids],
    ),
  );
  const known = new Set(rows.map((row) => row.product_id));
  const faults = ids.flatMap((id, index): FieldError[] =>
    known.has(id)
      ? []
      : [
          {
            pointer: `/productIds/${index}`,
            code: 'unknown_product',
            detail: 'There is no such product in this tenant: list the products for their ids.',
          },
        ],
  );
  if (faults.length > 0) throw refused(faults);
}
