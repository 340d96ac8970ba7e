import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import { manageStudio } from '../permissions.ts';
import type { FormChange, FormDefinition } from './definition.ts';
import { holdForm, readFormChange, settled, type Form } from './form.ts';

const members = ['fields', 'validationRules', 'targetEntityType', 'notificationEmails', 'defaultCountry'] as const;
const recorded = {
  fields: 'fields',
  validationRules: 'validation_rules',
  targetEntityType: 'target_entity_type',
  notificationEmails: 'notification_emails',
  defaultCountry: 'default_country',
} as const;

/**
 * Changes the draft: what is given replaces what was there, a list as a whole. What is served stays until the form is
 * published again.
 * @throws Problem `not_found` (404), `form_changed` (409) when `revision` is given and is not the present one,
 *   `invalid_request` (400) with pointers
 */
export async function updateForm(context: TenantContext, formId: string, input: FormChange): Promise<Form> {
  const { name, revision, ...change } = readFormChange(input);
  if (name === undefined && members.every((member) => change[member] === undefined))
    throw fail('invalid_request', 'Say what to change: name, fields, validation rules, target, e-mails or country.');
  return context.require(manageStudio).write(async (tx) => {
    const { draftText, ...before } = await holdForm(tx, formId);
    if (revision !== undefined && revision !== before.revision)
      throw studioFail(
        'form_changed',
        `The draft is at revision ${before.revision}: read it again before changing it.`,
      );
    const merged = Object.fromEntries(
      members.map((member) => [member, change[member] === undefined ? before[member] : change[member]]),
    ) as unknown as FormDefinition;
    const named = name ?? before.name;
    const definition = settled(named, merged);
    const text = JSON.stringify(definition);
    if (text === draftText && named === before.name) return before;
    const was = JSON.parse(draftText) as FormDefinition;
    const fields = members.filter((member) => JSON.stringify(definition[member]) !== JSON.stringify(was[member]));
    await tx.query(sql`
      update studio.form set name = ${named}, draft = ${text}, revision = revision + 1, updated_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and form_id = ${formId}::uuid`);
    const { draftText: _text, ...after } = await holdForm(tx, formId);
    tx.record(
      event('studio.form.updated', {
        form_id: before.id,
        fields: [...(named === before.name ? [] : ['name' as const]), ...fields.map((member) => recorded[member])],
        revision: after.revision,
      }),
    );
    return after;
  });
}
