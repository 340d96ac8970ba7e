import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { byCollection, noCollection, selectCollections, wholeCollection } from './collection.ts';

/** One collection with its rules, or its products in their order. @throws Problem `not_found` (404) */
export const getCollection = operation(
  {
    ...reads,
    name: 'service_get_collection',
    input: z.strictObject(byCollection),
    answer: wholeCollection.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { collectionId }) => {
    const [row] = await read(
      selectCollections(wholeCollection.columns, 'k.collection_id = $2::uuid', context.tenant, collectionId),
    );
    if (row === undefined) throw noCollection();
    return wholeCollection.read(row);
  },
);
