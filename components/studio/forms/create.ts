import { operation } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { contentOf } from '../contents.ts';
import type { StudioDeps } from '../deps.ts';
import { requireRoom } from '../limits.ts';
import { changes } from '../operations.ts';
import { holdSite } from '../sites/site.ts';
import { given } from './definition.ts';
import { form, holdForm, settled } from './form.ts';

/**
 * Makes a form of a site as a draft; nobody sees it before it is published. Where fields are mapped and no target is
 * given, the target is `crm_contact`.
 * @throws Problem `not_found` (404) without such a site, `invalid_request` (400) with pointers, `form_limit` (409)
 */
export const createForm = operation(
  {
    ...changes,
    name: 'service_create_form',
    input: z.strictObject({
      siteId: z.uuid().meta({ description: 'From service_list_sites.' }),
      name: given.name,
      fields: given.fields,
      validationRules: given.validationRules.optional(),
      targetEntityType: given.targetEntityType.optional(),
      notificationEmails: given.notificationEmails.optional(),
      defaultCountry: given.defaultCountry.optional(),
    }),
    answer: form.answer,
    errors: ['form_limit', 'insufficient_role', 'not_found'],
  },
  async (scope, { siteId, name, ...asked }, deps: StudioDeps) => {
    const mapped = asked.fields.some(({ mapsTo }) => mapsTo !== undefined);
    const { targetEntityType = mapped ? 'crm_contact' : null } = asked;
    const draft = JSON.stringify(settled(name, { ...asked, targetEntityType }));
    return scope.write(async (tx) => {
      const site = await holdSite(tx, siteId);
      await requireRoom(tx, deps.limits, 'form');
      const formId = newId();
      await tx.query(sql`
        insert into studio.form (tenant_id, form_id, site_id, name, draft)
        values (${tx.context.tenant}::uuid, ${formId}::uuid, ${siteId}::uuid, ${name}, ${draft})`);
      const content_sha256 = await contentOf(tx, 'draft', formId);
      tx.record(event('studio.form.created', { form_id: formId, site_id: site.id, content_sha256 }));
      return (await holdForm(tx, formId)).held;
    });
  },
);
