import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { afterAllIds, statement } from '@steward/sql';
import { z } from 'zod';
import { noCollection, selectCollections } from '../collections/collection.ts';
import type { CatalogueDeps } from '../deps.ts';
import { located } from '../media/medium.ts';
import { paging, reads } from '../operations.ts';
import { handleInput } from './input.ts';
import { product, statuses } from './product.ts';
import { corrected, corrections, foundOrCorrected } from './spelling.ts';
import { anyBuyable, available, finders, found, sieveOf, sieves } from './terms.ts';
import { pageOfWalk, walk, walkedIn } from './walk.ts';

/** A page of products, the newest first, that meet all filters. */
export const listProducts = operation(
  {
    ...reads,
    name: 'service_list_products',
    input: z.strictObject({
      status: z.enum(statuses).optional().meta({ description: 'Default: products of every status.' }),
      brandId: z.uuid().optional().meta({ description: 'Products that are published to this brand.' }),
      collectionId: z
        .uuid()
        .optional()
        .meta({ description: 'Products in this collection, from service_list_collections.' }),
      ...finders,
      ...sieves,
      sku: z.string().min(1).max(100).optional().meta({ description: 'Products with a variant of this SKU.' }),
      handle: handleInput.optional().meta({ description: 'The product of exactly this handle.' }),
      ...paging,
    }),
    answer: pageOf(product.answer.extend({ available })).extend({ corrections }),
    errors: ['insufficient_role', 'not_found'],
  },
  async (
    { context, read },
    { status, brandId, collectionId, handle, query, available: wantsAvailable, limit, cursor = afterAllIds, ...wanted },
    { brandIn, buyable, mediaAt }: CatalogueDeps,
  ) => {
    const find = async (words: string | undefined) => {
      const values: unknown[] = [cursor, limit + 1];
      const say = (value: unknown): string => `$${values.push(value) + 1}`;
      const conditions = [
        ...(status === undefined ? [] : [`p.status = ${say(status)}`]),
        ...(handle === undefined ? [] : [`p.handle = ${say(handle)}`]),
        ...(brandId === undefined
          ? []
          : [
              `exists (select from catalogue.publication b where b.tenant_id = p.tenant_id and b.product_id = p.product_id
               and b.brand_id = ${say(brandId)}::uuid)`,
            ]),
        ...(collectionId === undefined
          ? []
          : [
              `p.product_id in (select m.product_id from catalogue.collection_product m where m.tenant_id = $1::uuid
               and m.collection_id = ${say(collectionId)}::uuid)`,
            ]),
        ...found({ ...wanted, query: words }, say),
      ];
      const listed = walk(
        `${product.columns}, ${anyBuyable(buyable)} as available`,
        {
          from: 'catalogue.product p',
          conditions: ['p.tenant_id = $1::uuid', 'p.product_id < $2::uuid', ...conditions],
          order: 'p.product_id desc',
        },
        '$3::int',
        sieveOf(wantsAvailable, buyable),
      );
      return walkedIn(await read(statement(listed, [context.tenant, ...values])));
    };
    const { rows, corrections: made } = await foundOrCorrected(query, find, async (words) =>
      corrected(read, context.tenant, words, 'true'),
    );
    if (rows.length === 0 && brandId !== undefined && (await brandIn({ context, query: read }, brandId)) === undefined)
      throw fail('not_found', 'There is no such brand in use: list the brands for their ids.');
    if (rows.length === 0 && collectionId !== undefined) {
      const [known] = await read(
        selectCollections('1 as one', 'k.collection_id = $2::uuid', context.tenant, collectionId),
      );
      if (known === undefined) throw noCollection();
    }
    const listed = pageOfWalk(
      rows,
      limit,
      (row) => ({ ...located(product.read(row), mediaAt), available: row['available'] === true }),
      ({ id }) => id,
    );
    return { ...listed, corrections: made };
  },
);
