import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { requireRoom } from '../limits.ts';
import { manageStudio } from '../permissions.ts';
import { holdForm, noForm, type Form } from './form.ts';

/**
 * Brings an archived form back with its draft and versions; it is served once it is published. In use already is success.
 * @throws Problem `not_found` (404), `form_limit` (409)
 */
export async function restoreForm(context: TenantContext, ground: StudioGround, formId: string): Promise<Form> {
  return context.require(manageStudio).write(async (tx) => {
    const [row] = await tx.query<{ archived_at: Date | null }>(sql`
      select archived_at from studio.form
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid for no key update`);
    if (row === undefined) throw noForm();
    if (row.archived_at !== null) {
      await requireRoom(tx, ground.limits, 'restored');
      await tx.query(sql`
        update studio.form set archived_at = null where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid`);
    }
    const { draftText: _draft, ...form } = await holdForm(tx, formId);
    if (row.archived_at !== null) tx.record(event('studio.form.restored', { form_id: form.id }));
    return form;
  });
}
