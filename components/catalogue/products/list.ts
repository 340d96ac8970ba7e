import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds } from '@steward/sql';
import { z } from 'zod';
import { noCollection, selectCollections } from '../collections/collection.ts';
import type { CatalogueDeps } from '../deps.ts';
import { located } from '../media/medium.ts';
import { paging, reads } from '../operations.ts';
import { facets, facetsAsked } from './facets.ts';
import { handleInput } from './input.ts';
import { product, statuses } from './product.ts';
import { corrected, corrections, foundOrCorrected } from './spelling.ts';
import { counted, seeking } from './seek.ts';
import { available, finders, sieves } from './terms.ts';
import { pageOfWalk } from './walk.ts';

/** A page of products, the newest first, that meet all filters. */
export const listProducts = operation(
  {
    ...reads,
    name: 'service_list_products',
    input: z.strictObject({
      status: z.enum(statuses).optional().meta({ description: 'Default: products of every status.' }),
      brandId: z.uuid().optional().meta({ description: 'Products that are published to this brand.' }),
      collectionId: z
        .union([z.uuid(), z.array(z.uuid()).min(1).max(20)])
        .optional()
        .meta({ description: 'Products in this collection, or in any of these, from service_list_collections.' }),
      ...finders,
      ...sieves,
      facets: facetsAsked,
      sku: z.string().min(1).max(100).optional().meta({ description: 'Products with a variant of this SKU.' }),
      handle: handleInput.optional().meta({ description: 'The product of exactly this handle.' }),
      ...paging,
    }),
    answer: pageOf(product.answer.extend({ available })).extend({ corrections, facets }),
    errors: ['insufficient_role', 'not_found'],
  },
  async (
    { context, read, readAll },
    { status, brandId, collectionId, handle, query, limit, cursor = afterAllIds, ...wanted },
    { brandIn, buyable, mediaAt }: CatalogueDeps,
  ) => {
    const collectionIds = collectionId === undefined ? [] : [collectionId].flat();
    const sought = seeking(
      context.tenant,
      {
        first: [],
        columns: product.columns,
        buyable,
        paid: 'c.amount',
        collections: { value: 'k.collection_id::text', shown: 'k.archived_at is null' },
        chosenCollections: collectionIds,
        among: (say, whole) => ({
          from: 'catalogue.product p',
          conditions: [
            'p.tenant_id = $1::uuid',
            ...(status === undefined ? [] : [`p.status = ${say(status)}`]),
            ...(handle === undefined ? [] : [`p.handle = ${say(handle)}`]),
            ...(brandId === undefined
              ? []
              : [
                  `exists (select from catalogue.publication b where b.tenant_id = p.tenant_id and b.product_id = p.product_id
                   and b.brand_id = ${say(brandId)}::uuid)`,
                ]),
            ...(whole || collectionIds.length === 0
              ? []
              : [
                  `p.product_id in (select m.product_id from catalogue.collection_product m where m.tenant_id = $1::uuid
                   and m.collection_id = any (${say(collectionIds)}::uuid[]))`,
                ]),
          ],
          order: 'p.product_id desc',
        }),
        after: (say) => [`p.product_id < ${say(cursor)}::uuid`],
      },
      wanted,
    );
    const { rows, corrections: made } = await foundOrCorrected(
      query,
      async (words) => sought.read(await readAll(sought.statements(words, limit))),
      async (words) => corrected(read, context.tenant, words, 'true'),
    );
    if (rows.length === 0 && brandId !== undefined && (await brandIn({ context, query: read }, brandId)) === undefined)
      throw fail('not_found', 'There is no such brand in use: list the brands for their ids.');
    if (collectionIds.length > 1 || (rows.length === 0 && collectionIds.length > 0)) {
      const known = await read(
        selectCollections('1 as one', 'k.collection_id = any ($2::uuid[])', context.tenant, collectionIds),
      );
      if (known.length < new Set(collectionIds).size) throw noCollection();
    }
    const listed = pageOfWalk(
      rows,
      limit,
      (row) => ({ ...located(product.read(row), mediaAt), available: row['available'] === true }),
      ({ id }) => id,
    );
    return { ...listed, corrections: made, ...counted(wanted, rows) };
  },
);
