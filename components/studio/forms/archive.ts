import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { manageStudio } from '../permissions.ts';
import { holdForm } from './form.ts';

/**
 * Takes a form out of use: it is served, changed and listed no more. Versions and submissions stay, and it can be restored.
 * @throws Problem `not_found` (404)
 */
export async function archiveForm(context: TenantContext, ground: StudioGround, formId: string): Promise<void> {
  await context.require(manageStudio).write(async (tx) => {
    const { id, activeVersion } = await holdForm(tx, formId);
    await tx.query(sql`
      update studio.form set active_version = null, archived_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid`);
    tx.record(event('studio.form.archived', { form_id: id, version: activeVersion }));
    tx.afterCommit(() => ground.forget.form(id));
  });
}
