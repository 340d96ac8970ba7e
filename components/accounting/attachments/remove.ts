import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { writes } from '../operations.ts';

/** Takes a file away from what it was attached to. Its hash stays in the audit log. @throws Problem `not_found` (404) */
export const removeAttachment = operation(
  {
    ...writes,
    area: 'sales',
    name: '',
    input: z.strictObject({ attachmentId: z.uuid() }),
    answer: z.void(),
    errors: ['not_found'],
  },
  async (scope, { attachmentId }) =>
    scope.write(async (tx) => {
      const gone = await tx.query(sql`
        update accounting.attachment set removed_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and attachment_id = ${attachmentId}::uuid and removed_at is null
        returning attachment_id`);
      if (gone.length === 0)
        throw fail(
          'not_found',
          'There is no such file in this tenant: list the files of its entry, document, payment or bank line.',
        );
      tx.record(event('accounting.file.removed', { attachment_id: attachmentId }));
    }),
);
