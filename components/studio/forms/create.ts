import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import type { StudioGround } from '../ground.ts';
import { requireRoom } from '../limits.ts';
import { manageStudio } from '../permissions.ts';
import { holdSite } from '../sites/site.ts';
import type { NewForm } from './definition.ts';
import { holdForm, readNewForm, type Form } from './form.ts';

/**
 * Makes a form of a site as a draft; nobody sees it before it is published. Where fields are mapped and no target is
 * given, the target is `crm_contact`.
 * @throws Problem `not_found` (404) without such a site, `invalid_request` (400) with pointers, `form_limit` (409)
 */
export async function createForm(context: TenantContext, ground: StudioGround, input: NewForm): Promise<Form> {
  const { siteId, name, definition } = readNewForm(input);
  return context.require(manageStudio).write(async (tx) => {
    const site = await holdSite(tx, siteId);
    await requireRoom(tx, ground.limits, 'form');
    const formId = newId();
    await tx.query(sql`
      insert into studio.form (tenant_id, form_id, site_id, name, draft)
      values (${context.tenant}::uuid, ${formId}::uuid, ${siteId}::uuid, ${name}, ${JSON.stringify(definition)})`);
    tx.record(event('studio.form.created', { form_id: formId, site_id: site.id }));
    const { draftText: _draft, ...form } = await holdForm(tx, formId);
    return form;
  });
}
