import { operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { changed } from '../products/changed.ts';
import { product, readProducts } from '../products/product.ts';
import { dropPictures, holdMedia } from './keep.ts';
import { located } from './medium.ts';
import { writePlaces } from './place.ts';
import { heldMedia, mediumId } from './update.ts';

/**
 * Takes pictures off their products: all of them or, if one is wrong, none. What no product shows any more is not served from then on.
 * @throws Problem `invalid_request` (400) with pointers
 */
export const removeMedia = operation(
  {
    ...changes,
    name: 'service_remove_product_media',
    input: z.strictObject({
      mediumIds: z.array(mediumId).min(1).max(100).meta({ description: 'Up to 100 pictures.' }),
    }),
    /** The products that had them. */
    answer: z.object({ products: z.array(product.answer) }),
    errors: ['insufficient_role'],
  },
  async (scope, { mediumIds }, { mediaAt }: CatalogueDeps) =>
    scope.write(async (tx) => {
      await holdMedia(tx);
      const { tenant } = tx.context;
      const held = await heldMedia(tx, mediumIds, (index) => `/mediumIds/${index}`);
      const gone = new Set(mediumIds);
      const products = new Map([...held.values()].map((one) => [one.product.id, one.product]));
      const rows = await tx.query<{ digest: string | null }>(
        statement(
          `delete from catalogue.medium where tenant_id = $1::uuid and medium_id = any ($2::uuid[]) returning digest`,
          [tenant, mediumIds],
        ),
      );
      await tx.query(
        writePlaces(
          tenant,
          [...products.values()].map(({ media }) => media.flatMap(({ id }) => (gone.has(id) ? [] : [id]))),
        ),
      );
      await dropPictures(
        tx,
        rows.flatMap(({ digest }) => digest ?? []),
      );
      const ids = [...products.keys()].toSorted();
      await changed(tx, new Map(ids.map((id) => [id, ['media']])));
      return { products: [...(await readProducts(tx, ids)).values()].map((one) => located(one, mediaAt)) };
    }),
);
