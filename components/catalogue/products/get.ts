import { operation } from '@steward/access';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { refused } from '../errors.ts';
import { located } from '../media/medium.ts';
import { reads } from '../operations.ts';
import { handleInput } from './input.ts';
import { noProduct, selectProducts, wholeProduct } from './product.ts';

export const byProduct = { productId: z.uuid().meta({ description: 'From service_list_products.' }) };

/** One product, by its id or its handle. @throws Problem `not_found` (404), `invalid_request` (400) where neither or both are given */
export const getProduct = operation(
  {
    ...reads,
    name: 'service_get_product',
    input: z.strictObject({
      productId: byProduct.productId.optional(),
      handle: handleInput.optional().meta({ description: 'Instead of the id.' }),
    }),
    answer: wholeProduct.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { productId, handle }, { mediaAt }: CatalogueDeps) => {
    if ((productId === undefined) === (handle === undefined))
      throw refused([{ pointer: '/productId', code: 'required', detail: 'Give productId or handle, and not both.' }]);
    const [row] = await read(
      productId === undefined
        ? selectProducts(wholeProduct.columns, 'p.handle = $2', context.tenant, handle)
        : selectProducts(wholeProduct.columns, 'p.product_id = $2::uuid', context.tenant, productId),
    );
    if (row === undefined) throw noProduct();
    return located(wholeProduct.read(row), mediaAt);
  },
);
