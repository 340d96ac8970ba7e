import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdForm, type Form } from './form.ts';

/**
 * Serves the form no more; its versions and submissions stay, and publishing brings it back. Not published already is
 * success.
 * @throws Problem `not_found` (404)
 */
export async function unpublishForm(context: TenantContext, ground: StudioGround, formId: string): Promise<Form> {
  return context.require(manageStudio).write(async (tx) => {
    const { draftText: _draft, ...form } = await holdForm(tx, formId);
    if (form.activeVersion === null) return form;
    await tx.query(sql`
      update studio.form set active_version = null
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid`);
    tx.record(event('studio.form.unpublished', { form_id: form.id, version: form.activeVersion }));
    tx.afterCommit(() => ground.forget.form(form.id));
    const { draftText: _text, ...after } = await holdForm(tx, formId);
    return after;
  });
}
