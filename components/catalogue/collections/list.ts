import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { afterAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { handleInput } from '../products/input.ts';
import { collection, selectCollections } from './collection.ts';

/** A page of collections, newest first; those in use, or all. */
export const listCollections = operation(
  {
    ...reads,
    name: 'service_list_collections',
    input: z.strictObject({
      handle: handleInput.optional().meta({ description: 'The collection of exactly this handle.' }),
      archived: z.boolean().default(false).meta({ description: 'true: archived ones too.' }),
      ...paging,
    }),
    answer: pageOf(collection.answer),
    errors: ['insufficient_role'],
  },
  async ({ context, read }, { handle, archived, limit, cursor = afterAllIds }) => {
    const rows = await read(
      selectCollections(
        collection.columns,
        `k.collection_id < $2::uuid and ($3 or k.archived_at is null) and ($4::text is null or k.handle = $4)
         order by k.collection_id desc limit $5::int`,
        context.tenant,
        cursor,
        archived,
        handle ?? null,
        limit + 1,
      ),
    );
    return page(rows, limit, collection.read, ({ id }) => id);
  },
);
