import { asItWas, operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import type { FieldError } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { changes } from '../operations.ts';
import { changed } from '../products/changed.ts';
import { holdProducts, type WholeProduct } from '../products/product.ts';
import { mediaAnswer, readMedia } from './add.ts';
import { holdMedia } from './keep.ts';
import { type Medium, mediumMembers } from './medium.ts';
import { checkVariants, moved, writePlaces } from './place.ts';

export const mediumId = z.uuid().meta({ description: 'From service_get_product.' });
const given = z.strictObject({
  mediumId,
  ...mediumMembers,
  position: mediumMembers.position.meta({
    description: 'Place among the pictures of the product, which move up or down. Lists show the first.',
  }),
});

/**
 * Changes text, place and variants of pictures: of all of them or, if one is wrong, of none.
 * @throws Problem `invalid_request` (400) with pointers
 */
export const updateMedia = operation(
  {
    ...changes,
    name: 'service_update_product_media',
    input: z.strictObject({ media: z.array(given).min(1).max(100).meta({ description: 'Up to 100 pictures.' }) }),
    answer: mediaAnswer,
    errors: ['insufficient_role'],
  },
  async (scope, { media }, { mediaAt }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdMedia(tx);
      const ids = media.map((one) => one.mediumId);
      const held = await heldMedia(tx, ids, (index) => `/media/${index}/mediumId`);
      const orders = new Map([...held.values()].map(({ product }) => [product.id, product.media.map(({ id }) => id)]));
      const faults: FieldError[] = [];
      const rows: object[] = [];
      const touched = new Set<string>();
      media.forEach((change, index) => {
        const found = held.get(change.mediumId);
        if (found === undefined) return;
        const { product, medium } = found;
        checkVariants(product, change.variantIds, `/media/${index}/variantIds`, faults);
        const after = changedTo(medium, change);
        const before = orders.get(product.id) ?? [];
        const order = change.position === undefined ? before : moved(before, medium.id, change.position);
        orders.set(product.id, order);
        const same = after.alt === medium.alt && String(after.variant_ids) === String(medium.variantIds);
        if (!same) rows.push(after);
        if (!same || String(order) !== String(before)) touched.add(product.id);
      });
      if (faults.length > 0) throw refused(faults);
      if (touched.size === 0) return asItWas({ media: await readMedia(tx, ids, mediaAt) });
      const { tenant } = tx.context;
      await tx.queryAll([
        statement(
          `update catalogue.medium m set alt = n.alt, variant_ids = n.variant_ids
           from jsonb_to_recordset($2::jsonb) n (medium_id uuid, alt text, variant_ids uuid[])
           where m.tenant_id = $1::uuid and m.medium_id = n.medium_id`,
          [tenant, JSON.stringify(rows)],
        ),
        writePlaces(tenant, [...orders.values()]),
      ]);
      await changed(tx, new Map([...touched].toSorted().map((id) => [id, ['media']])));
      return { media: await readMedia(tx, ids, mediaAt) };
    }),
);

const changedTo = (medium: Medium, change: Fixed<z.output<typeof given>>) => ({
  medium_id: medium.id,
  alt: change.alt ?? medium.alt,
  variant_ids: change.variantIds === undefined ? medium.variantIds : [...new Set(change.variantIds)],
});

/** Pictures with their products, which are held. @throws Problem `invalid_request` (400) with pointers */
export async function heldMedia(
  tx: TenantTransaction,
  ids: readonly string[],
  pointerOf: (index: number) => string,
): Promise<ReadonlyMap<string, { readonly product: WholeProduct; readonly medium: Medium }>> {
  const rows = await tx.query<{ product_id: string }>(
    statement(
      `select distinct product_id from catalogue.medium where tenant_id = $1::uuid and medium_id = any ($2::uuid[])
         and product_id is not null`,
      [tx.context.tenant, ids],
    ),
  );
  const products = await holdProducts(
    tx,
    rows.map((row) => row.product_id),
  );
  const found = new Map(
    [...products.values()].flatMap((product) => product.media.map((medium) => [medium.id, { product, medium }])),
  );
  const seen = new Set<string>();
  const faults = ids.flatMap((id, index): FieldError[] => {
    const pointer = pointerOf(index);
    if (!found.has(id)) {
      const detail = 'There is no such picture in this tenant: read the product for the ids of its media.';
      return [{ pointer, code: 'unknown_medium', detail }];
    }
    if (seen.has(id)) return [{ pointer, code: 'duplicate', detail: 'Give each picture once.' }];
    seen.add(id);
    return [];
  });
  if (faults.length > 0) throw refused(faults);
  return found;
}
