import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { byCollection, readCollection, wholeCollection } from './collection.ts';
import { emptied, holdCollections } from './membership.ts';

/** Takes a collection out of use for good and frees its handle; its products stay. Archived already is success. @throws Problem `not_found` (404) */
export const archiveCollection = operation(
  {
    ...changes,
    name: 'service_archive_collection',
    input: z.strictObject(byCollection),
    answer: wholeCollection.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { collectionId }) =>
    scope.write(async (tx) => {
      await holdCollections(tx);
      const before = await readCollection(tx, collectionId);
      if (before.archived) return asItWas(before);
      const { tenant } = tx.context;
      await tx.queryAll([
        statement(
          `update catalogue.collection set archived_at = clock_timestamp() where tenant_id = $1::uuid and collection_id = $2::uuid`,
          [tenant, collectionId],
        ),
        // What was chosen by hand is still told; what rules ask for is no longer kept up.
        ...(before.kind === 'automatic' ? [emptied(tenant, collectionId)] : []),
      ]);
      tx.record(event('commerce.collection.archived', { collection_id: collectionId }));
      return readCollection(tx, collectionId);
    }),
);
