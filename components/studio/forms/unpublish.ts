import { asItWas, operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { StudioDeps } from '../deps.ts';
import { changes } from '../operations.ts';
import { byForm, form, holdForm } from './form.ts';

/**
 * Serves the form no more; its versions and submissions stay, and publishing brings it back. Not published already is
 * success.
 * @throws Problem `form_not_found` (404)
 */
export const unpublishForm = operation(
  {
    ...changes,
    name: 'service_unpublish_form',
    input: z.strictObject(byForm),
    answer: form.answer,
    errors: ['insufficient_role', 'form_not_found'],
  },
  async (scope, { formId }, deps: StudioDeps) =>
    scope.write(async (tx) => {
      const { held } = await holdForm(tx, formId);
      if (held.activeVersion === null) return asItWas(held);
      await tx.query(sql`
        update studio.form set active_version = null
        where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid`);
      tx.record(event('studio.form.unpublished', { form_id: held.id, version: held.activeVersion }));
      tx.afterCommit(() => deps.forget.form(held.id));
      return (await holdForm(tx, formId)).held;
    }),
);
