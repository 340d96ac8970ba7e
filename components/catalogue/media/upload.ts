import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import type { CatalogueDeps } from '../deps.ts';
import { catalogueFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { byProduct } from '../products/get.ts';
import { noProduct, selectProducts } from '../products/product.ts';
import { insertMedia, ofProduct, readMedia } from './add.ts';
import { bytesOf, digestOf, holdMedia, keepPicture } from './keep.ts';
import { mediumMembers } from './medium.ts';
import { explained } from './pictures.ts';

/**
 * Adds a picture to a product. One that it has already is not added again.
 * @throws Problem `not_found` (404), `picture_unreadable` (422), `quota_exceeded` (403), `unavailable` (503)
 */
export const uploadMedium = operation(
  {
    ...changes,
    name: '',
    input: z.strictObject({
      ...byProduct,
      alt: mediumMembers.alt,
      position: mediumMembers.position,
      content: z.instanceof(Buffer),
    }),
    answer: ofProduct,
    errors: ['insufficient_role', 'not_found', 'picture_unreadable'],
  },
  async (scope, { content, ...given }, { pictures, mediaAt }: CatalogueDeps) => {
    const { context } = scope;
    if (content.length === 0) throw fail('invalid_request', 'The body is empty: send the picture as the body.');
    const [product] = await scope.read(
      selectProducts('p.product_id', 'p.product_id = $2::uuid', context.tenant, given.productId),
    );
    if (product === undefined) throw noProduct();
    // What takes a picture holds it in memory, so that a tenant takes so many at a time.
    context.spend('uploads', 1);
    try {
      const picture = await pictures.read(content, context.tenant);
      if (typeof picture === 'string') throw catalogueFail('picture_unreadable', explained(picture));
      const bytes = bytesOf(picture);
      context.spend('attachmentBytes', bytes);
      return await scope.write(async (tx) => {
        await holdMedia(tx);
        const digest = digestOf(tx.context.tenant, picture);
        await keepPicture(tx, picture);
        const { ids, changed } = await insertMedia(tx, [{ ...given, digest }], () => '');
        const [one] = await readMedia(tx, ids, mediaAt);
        if (one === undefined) throw new Error('the picture was added');
        if (!changed) return asItWas(one);
        tx.record(
          event('commerce.product.pictured', { product_id: given.productId, medium_id: one.id, digest, bytes }),
        );
        return one;
      });
    } finally {
      context.spend('uploads', -1);
    }
  },
);
