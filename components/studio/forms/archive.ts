import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { StudioDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { byForm, holdAny } from './form.ts';

/**
 * Takes a form out of use: it is served, changed and listed no more. Versions and submissions stay, and it can be restored. Archived already is success.
 * @throws Problem `form_not_found` (404)
 */
export const archiveForm = operation(
  {
    ...changes,
    name: 'service_archive_form',
    input: z.strictObject(byForm),
    answer: z.object({ formId: z.string(), name: z.string() }),
    errors: ['insufficient_role', 'form_not_found'],
  },
  async (scope, { formId }, deps: StudioDeps) =>
    scope.write(async (tx) => {
      const { id, name, activeVersion, status } = (await holdAny(tx, formId)).held;
      if (status === 'archived') return asItWas({ formId, name });
      await tx.query(sql`
        update studio.form set active_version = null, archived_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid`);
      tx.record(event('studio.form.archived', { form_id: id, version: activeVersion }));
      tx.afterCommit(() => deps.forget.form(id));
      return { formId, name };
    }),
);
