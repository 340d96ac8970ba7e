import { asItWas, operation } from '@steward/access';
import { versionNumber } from '@steward/contract';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { studioFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import { given, type FormDefinition, type GivenDefinition } from './definition.ts';
import { byForm, form, holdForm, settled } from './form.ts';

const recorded = {
  fields: 'fields',
  validationRules: 'validation_rules',
  targetEntityType: 'target_entity_type',
  notificationEmails: 'notification_emails',
  defaultCountry: 'default_country',
} as const;
const members = Object.keys(recorded) as (keyof typeof recorded)[];

/**
 * Changes the draft: what is given replaces what was there, a list as a whole. What is served stays until the form is
 * published again.
 * @throws Problem `form_not_found` (404), `form_changed` (409) when `revision` is given and is not the present one,
 *   `invalid_request` (400) with pointers
 */
export const updateForm = operation(
  {
    ...changes,
    name: 'service_update_form',
    input: z.strictObject({
      ...byForm,
      ...z.object(given).partial().shape,
      revision: versionNumber.optional().meta({ description: 'Changes the draft only if it still has this revision.' }),
    }),
    answer: form.answer,
    errors: ['insufficient_role', 'form_not_found', 'form_changed'],
  },
  async (scope, { formId, name, revision, ...change }) =>
    scope.write(async (tx) => {
      const { held: before, draft } = await holdForm(tx, formId);
      if (revision !== undefined && revision !== before.revision)
        throw studioFail(
          'form_changed',
          `The draft was changed and now has revision ${before.revision}: read it again before you change it.`,
        );
      const merged = Object.fromEntries(
        members.map((member) => [member, change[member] === undefined ? before[member] : change[member]]),
      ) as unknown as GivenDefinition;
      const named = name ?? before.name;
      const definition = settled(named, merged);
      const text = JSON.stringify(definition);
      if (text === draft && named === before.name) return asItWas(before);
      const was = JSON.parse(draft) as FormDefinition;
      const fields = members.filter((member) => JSON.stringify(definition[member]) !== JSON.stringify(was[member]));
      await tx.query(sql`
        update studio.form set name = ${named}, draft = ${text}, revision = revision + 1, updated_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and form_id = ${formId}::uuid`);
      const { held: after } = await holdForm(tx, formId);
      tx.record(
        event('studio.form.updated', {
          form_id: before.id,
          fields: [...(named === before.name ? [] : ['name' as const]), ...fields.map((member) => recorded[member])],
          revision: after.revision,
          content_sha256: await contentOf(tx, 'draft', before.id),
        }),
      );
      return after;
    }),
);
