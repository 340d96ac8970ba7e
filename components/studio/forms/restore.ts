import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoom } from '../limits.ts';
import { changes } from '../operations.ts';
import { byForm, form, holdAny, holdForm } from './form.ts';

/**
 * Brings an archived form back with its draft and versions; it is served once it is published. In use already is success.
 * @throws Problem `form_not_found` (404), `form_limit` (409)
 */
export const restoreForm = operation(
  {
    ...changes,
    name: 'service_restore_form',
    input: z.strictObject(byForm),
    answer: form.answer,
    errors: ['form_limit', 'insufficient_role', 'form_not_found'],
  },
  async (scope, { formId }, deps: StudioDeps) =>
    scope.write(async (tx) => {
      const { held } = await holdAny(tx, formId);
      if (held.status !== 'archived') return asItWas(held);
      await requireRoom(tx, deps.limits, 'restored');
      await tx.query(sql`
        update studio.form set archived_at = null where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid`);
      tx.record(event('studio.form.restored', { form_id: held.id }));
      return (await holdForm(tx, formId)).held;
    }),
);
