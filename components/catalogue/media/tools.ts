import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import type { CatalogueDeps } from '../deps.ts';
import { addMedia } from './add.ts';
import { removeMedia } from './remove.ts';
import { updateMedia } from './update.ts';

export const mediaTools: readonly Tool<CatalogueDeps>[] = [
  toolOf(addMedia, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
    title: 'Add pictures',
    description:
      'Adds pictures to products by their https addresses. Each is fetched once, soon afterwards, and served from here: ' +
      'service_get_product says in `media` whether it is `ready`, `pending` or `failed`. Files are uploaded to POST /api/products/{productId}/media.',
    // A preview's ids would name nothing afterwards.
    preview: ({ media }) => ({ media: media.map(({ id: _id, ...rest }) => rest) }),
    say: ({ media }, preview) => `${preview ? 'Would add' : 'Added'} ${counted(media.length, 'picture')}.`,
  }),
  toolOf(updateMedia, {
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change pictures',
    description:
      'Changes text, place and variants of up to 100 pictures of products. The picture at position 1 is the one that lists show.',
    say: ({ media }, preview) => `${preview ? 'Would change' : 'Changed'} ${counted(media.length, 'picture')}.`,
  }),
  toolOf(removeMedia, {
    core: false,
    annotations: { destructiveHint: true, idempotentHint: true },
    title: 'Remove pictures',
    description: 'Takes up to 100 pictures off their products. They cannot be brought back.',
    say: ({ products }, preview) =>
      `${preview ? 'Would take' : 'Took'} pictures off ${counted(products.length, 'product')}.`,
  }),
];
