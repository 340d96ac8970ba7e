import { restOf } from '@steward/access';
import { type Guard, route, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { SqlPool } from '@steward/sql';
import type { CatalogueDeps } from '../deps.ts';
import { addMedia } from './add.ts';
import { mostBytes, pictureTypes } from './pictures.ts';
import { pictureFile } from './file.ts';
import { removeMedia } from './remove.ts';
import { updateMedia } from './update.ts';
import { uploadMedium } from './upload.ts';
import { z } from 'zod';

export function mediaRoutes(guard: Guard<Admitted>, ports: CatalogueDeps): Route[] {
  const rest = restOf({ guard, tag: 'Products', ports });
  return [
    route({
      method: 'POST',
      path: '/api/products/:productId/media',
      does: 'service_add_product_media',
      summary: 'Upload a picture of a product',
      description:
        'The body is the picture itself: JPEG, PNG, WebP, GIF (the first picture of it) or AVIF, up to 10 MB and 50 million pixels. ' +
        'It is kept upright, without what the camera wrote in it, in widths of up to 320, 640, 1280 and 2048 pixels.',
      tag: 'Products',
      guard,
      params: z.strictObject({ productId: uploadMedium.input.shape.productId }),
      query: z.strictObject({
        alt: uploadMedium.input.shape.alt,
        position: z
          .string()
          .regex(/^[0-9]{1,2}$/, 'Give an integer')
          .transform(Number)
          .pipe(z.int().min(1).max(50))
          .optional(),
      }),
      upload: { types: pictureTypes, mostBytes },
      answers: { 201: { description: 'The picture.', schema: uploadMedium.answer } },
      errors: uploadMedium.errors ?? [],
      handle: async ({ guard: { context }, params, query, request }) => {
        const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        return { status: 201, body: await uploadMedium(context, { ...params, ...query, content }, ports) };
      },
    }),
    rest('POST', '/api/products/media', addMedia, {
      summary: 'Add pictures of products by their addresses',
      description:
        'Each is fetched once, soon afterwards: read the product for its status. To all of the products or, if one is wrong, to none.',
      answers: { 200: 'The pictures.' },
    }),
    rest('PATCH', '/api/products/media', updateMedia, {
      summary: 'Change text, place and variants of pictures',
      answers: { 200: 'The pictures.' },
    }),
    rest('POST', '/api/products/media/remove', removeMedia, {
      summary: 'Take pictures off products',
      answers: { 200: 'The products that had them.' },
    }),
  ];
}

const anybody: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };

/** For an `<img>`, which sends no key. */
export const pictureRoute = (pool: Pick<SqlPool, 'read'>): Route =>
  route({
    method: 'GET',
    path: '/media/:digest',
    does: 'for_anyone',
    summary: 'A picture of a product',
    description: 'What is at an address never changes: browsers and caches may keep it for a year.',
    tag: 'Storefront',
    guard: anybody,
    params: z.strictObject({ digest: z.string().max(100) }),
    query: z.strictObject({
      w: z
        .string()
        .regex(/^[0-9]{1,5}$/, 'Give an integer')
        .transform(Number)
        .optional()
        .meta({
          description: 'Pixels: the smallest size that is at least so wide. Default: the largest, up to 2048 wide.',
        }),
    }),
    answers: { 200: { description: 'The picture.', types: ['image/jpeg', 'image/png', 'image/webp'] } },
    errors: ['not_found'],
    handle: async ({ params: { digest }, query: { w = 2048 } }) => {
      const found = /^[0-9a-f]{64}$/.test(digest) ? await pictureFile(pool, digest, w) : undefined;
      if (found === undefined) throw fail('not_found', 'There is no such picture.');
      return {
        status: 200,
        type: found.mediaType,
        headers: {
          'cache-control': 'public, max-age=31536000, immutable',
          'content-length': String(found.content.length),
          'content-security-policy': "default-src 'none'",
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
        },
        stream: one(found.content),
      };
    },
  });

async function* one(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
