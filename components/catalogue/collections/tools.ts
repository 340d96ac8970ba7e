import { counted } from '@steward/kernel';
import { toolOf, type Tool, under } from '@steward/tools';
import type { CatalogueDeps } from '../deps.ts';
import { archiveCollection } from './archive.ts';
import { type Collection, wholeCollection } from './collection.ts';
import { createCollection } from './create.ts';
import { getCollection } from './get.ts';
import { listCollections } from './list.ts';
import { updateCollection } from './update.ts';

const shows = under('collection', wholeCollection.answer);
const changing = { rare: true, core: false, annotations: { destructiveHint: false, idempotentHint: true } } as const;
const called = ({ title, kind, productCount }: Collection): string =>
  `${title}, ${kind === 'manual' ? 'by hand' : 'by rules'}, with ${counted(productCount, 'product')}`;

export const collectionTools: readonly Tool<CatalogueDeps>[] = [
  toolOf(createCollection, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false },
    title: 'Add a collection',
    description:
      'Adds products that pages show together and discounts name: chosen by hand with `product_ids`, or those that meet `rules` at any ' +
      'time. Pages of the brands in `brand_ids` show it; of its products they show those that are sold there.',
    shows,
    preview: ({ id: _id, createdAt: _made, updatedAt: _at, ...rest }) => ({ collection: rest }),
    say: (made, preview) => `${preview ? 'Would add' : 'Added'} the collection ${called(made)}.`,
  }),
  toolOf(updateCollection, {
    ...changing,
    title: 'Change a collection',
    description:
      'Changes only the given members of a collection. Lists are given whole. One by hand never gets rules, nor the other way round.',
    shows,
    say: (changed, preview) =>
      preview ? `Would change the collection to ${called(changed)}.` : `The collection is ${called(changed)}.`,
  }),
  toolOf(archiveCollection, {
    final: true,
    ...changing,
    title: 'Archive a collection',
    description:
      'Takes a collection out of use for good. Its products stay. Discounts of it alone lower nothing any more.',
    shows,
    say: ({ title }, preview) => `${preview ? 'Would archive' : 'Archived'} the collection ${title}.`,
  }),
  toolOf(getCollection, {
    rare: true,
    core: false,
    title: 'Read a collection',
    description: 'Reads one collection with its rules, or with its products where they are chosen by hand.',
    shows,
    say: (found) => `${called(found)}.`,
  }),
  toolOf(listCollections, {
    core: false,
    title: 'List collections',
    description:
      'Lists collections, newest first. service_list_products with `collection_id` lists the products of one. Tools that add and change ' +
      'them are at /p/commerce/catalogue.',
    answers: { items: 'collections' },
    say: ({ items, nextCursor }) =>
      `${counted(items.length, 'collection')}.${nextCursor === null ? '' : ' There are more.'}`,
  }),
];
