import { asItWas, operation } from '@steward/access';
import type { FieldError } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { located } from '../media/medium.ts';
import { changes } from '../operations.ts';
import { changed } from './changed.ts';
import { prices } from './input.ts';
import { insertPrices } from './insert.ts';
import { holdProducts, product, readProducts } from './product.ts';
import { plainPrices, pricesOf } from './variants.ts';
import { warnings, warningsOf } from './warnings.ts';

const most = 500;

/**
 * Sets the prices of variants, of any products: all of them or, if one is wrong, none.
 * @throws Problem `invalid_request` (400) with pointers
 */
export const setPrices = operation(
  {
    ...changes,
    name: 'service_set_prices',
    input: z.strictObject({
      variants: z
        .array(
          z.strictObject({
            variantId: z.uuid().meta({ description: 'From service_get_product.' }),
            prices: prices.meta({ description: 'The whole list of the variant: it replaces the present prices.' }),
          }),
        )
        .min(1)
        .max(most)
        .meta({ description: 'Up to 500 variants.' }),
    }),
    /** The products whose prices changed. */
    answer: z.object({ products: z.array(product.answer), warnings }),
    errors: ['insufficient_role'],
  },
  async (scope, { variants }, deps: CatalogueDeps) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const ids = variants.map(({ variantId }) => variantId);
      const owners = new Map(
        (
          await tx.query<{ variant_id: string; product_id: string }>(
            statement(
              `select variant_id, product_id from catalogue.variant
               where tenant_id = $1::uuid and variant_id = any ($2::uuid[]) and removed_at is null`,
              [tenant, ids],
            ),
          )
        ).map((row) => [row.variant_id, row.product_id]),
      );
      const faults: FieldError[] = [];
      const seen = new Set<string>();
      const rows = variants.map(({ variantId, prices: given }, index) => {
        const pointer = `/variants/${index}`;
        const fault = (code: string, detail: string) => faults.push({ pointer: `${pointer}/variantId`, code, detail });
        if (!owners.has(variantId))
          fault(
            'unknown_variant',
            'There is no such variant in this tenant: read the product for the ids of its variants.',
          );
        else if (seen.has(variantId)) fault('duplicate', 'Give each variant once.');
        seen.add(variantId);
        return pricesOf(variantId, given, `${pointer}/prices`, faults);
      });
      if (faults.length > 0) throw refused(faults);
      const held = await holdProducts(tx, [...new Set(owners.values())]);
      const present = new Map(
        [...held.values()].flatMap((one) => one.variants.map(({ id, prices: had }) => [id, plainPrices(had)] as const)),
      );
      // What was taken off before its product was held has none to set.
      const gone = variants.flatMap(({ variantId }, index) =>
        present.has(variantId)
          ? []
          : [
              {
                pointer: `/variants/${index}/variantId`,
                code: 'unknown_variant',
                detail: 'The variant was just taken off.',
              },
            ],
      );
      if (gone.length > 0) throw refused(gone);
      const moved = variants.flatMap(({ variantId, prices: given }, index) =>
        present.get(variantId) === plainPrices(given) ? [] : [{ variantId, rows: rows[index] ?? [] }],
      );
      if (moved.length === 0) return asItWas({ products: [], warnings: [] });
      await tx.queryAll([
        statement(`delete from catalogue.price where tenant_id = $1::uuid and variant_id = any ($2::uuid[])`, [
          tenant,
          moved.map(({ variantId }) => variantId),
        ]),
        insertPrices(
          tenant,
          moved.flatMap((one) => one.rows),
        ),
      ]);
      const products = [...new Set(moved.map(({ variantId }) => owners.get(variantId) ?? ''))].toSorted();
      await changed(tx, new Map(products.map((id) => [id, ['prices']])));
      return {
        products: [...(await readProducts(tx, products)).values()].map((one) => located(one, deps.mediaAt)),
        warnings: await warningsOf(tx, products, deps),
      };
    }),
);
