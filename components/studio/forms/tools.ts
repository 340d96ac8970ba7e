import { versionNumber } from '@steward/contract';
import { counted } from '@steward/kernel';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { forTool, toCamel, toSnake } from '../cases.ts';
import type { StudioGround } from '../ground.ts';
import { asks, changes, page, withoutId } from '../tool-ground.ts';
import { archiveForm } from './archive.ts';
import { createForm } from './create.ts';
import { fieldTypes, type FormChange, type NewForm } from './definition.ts';
import { getForm } from './get.ts';
import { listForms } from './list.ts';
import { publishForm } from './publish.ts';
import { restoreForm } from './restore.ts';
import { definitionInput, formOutput, summaryOutput } from './tool-shapes.ts';
import { unpublishForm } from './unpublish.ts';
import { updateForm } from './update.ts';
import { listVersions } from './versions.ts';

const byForm = { form_id: z.uuid().meta({ description: 'A form of service_list_forms.' }) };
const form = z.object({ form: formOutput });

export const formTools: readonly Tool<StudioGround>[] = [
  tool({
    ...changes,
    name: 'service_create_form',
    title: 'Create a form',
    core: true,
    description: `Makes a form of a site as a draft; service_publish_form shows it to visitors. Types of fields: ${fieldTypes.join(', ')}. Example of fields: [{"name":"email","label":"E-mail","type":"email","required":true,"maps_to":"email"},{"name":"topic","label":"Topic","type":"select","options":["Sales","Support"]},{"name":"message","label":"Message","type":"textarea"}]. What is mapped makes or finds a contact.`,
    input: z.strictObject({
      site_id: z.uuid().meta({ description: 'A site of service_list_sites.' }),
      name: definitionInput.name,
      fields: definitionInput.fields,
      validation_rules: definitionInput.validation_rules.optional(),
      target_entity_type: definitionInput.target_entity_type.optional(),
      notification_emails: definitionInput.notification_emails.optional(),
      default_country: definitionInput.default_country.optional(),
    }),
    output: form,
    run: async (call, args, ground) => {
      const made = await forTool(createForm(call.context, ground, toCamel<NewForm>(args)));
      const shown = toSnake(made);
      if (call.preview) return { summary: `Would make the draft ${made.name}.`, preview: { form: withoutId(shown) } };
      return {
        summary: `${made.name} is a draft of ${counted(made.fields.length, 'field')}. Publish it next.`,
        data: { form: shown },
      };
    },
  }),
  tool({
    ...changes,
    name: 'service_update_form',
    title: 'Change a form',
    core: true,
    description:
      'Changes the draft: what is given replaces what was there, a list as a whole, so read the form first. Visitors see it after service_publish_form.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject({
      ...byForm,
      ...z.object(definitionInput).partial().shape,
      revision: versionNumber
        .optional()
        .meta({ description: 'Refuses the change if the draft is not at it any more.' }),
    }),
    output: form,
    run: async (call, { form_id, ...change }) => {
      const changed = await forTool(updateForm(call.context, form_id, toCamel<FormChange>(change)));
      const publish = changed.hasUnpublishedChanges ? ' Publish it to show it.' : '';
      return {
        summary: call.preview
          ? `Would change the draft of ${changed.name}.`
          : `${changed.name} is at revision ${changed.revision}.${publish}`,
        data: { form: toSnake(changed) },
      };
    },
  }),
  tool({
    ...changes,
    name: 'service_publish_form',
    title: 'Publish a form',
    core: true,
    description:
      'Makes the draft the next version, which never changes, and shows it to visitors. With `version`, shows that older version again (roll back). The answer has the HTML to paste into a page (`embed`) and the addresses that pages read and submit to.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject({
      ...byForm,
      version: versionNumber.optional().meta({ description: 'An older version to show again, instead of the draft.' }),
      revision: versionNumber.optional().meta({ description: 'Refuses if the draft is not at it any more.' }),
    }),
    output: z.object({
      form_id: z.string(),
      site_id: z.string(),
      version: z.int(),
      previous_version: z.int().nullable(),
      changed: z.boolean(),
      schema_url: z.string(),
      submit_url: z.string(),
      embed: z.string(),
    }),
    run: async (call, { form_id, version, revision }, ground) => {
      const made = await forTool(publishForm(call.context, ground, form_id, { version, revision }));
      const base = `${ground.storefront}/forms/${form_id}`;
      return {
        summary: call.preview
          ? `Would ${made.changed ? 'show visitors another version of the form' : 'leave what visitors see as it is'}.`
          : made.changed
            ? `Visitors see version ${made.version}. Paste \`embed\` into a page of the site with a key of service_issue_sdk_key.`
            : `Visitors see version ${made.version}, as before: the draft is the same.`,
        data: {
          ...toSnake(made),
          schema_url: `${base}/schema`,
          submit_url: `${base}/submit`,
          embed: embedded(ground.storefront, form_id),
        },
      };
    },
  }),
  tool({
    ...changes,
    name: 'service_unpublish_form',
    title: 'Unpublish a form',
    core: false,
    description: 'Shows the form to visitors no more. Versions and submissions stay; publishing brings it back.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject(byForm),
    output: form,
    run: async (call, { form_id }, ground) => {
      const changed = await unpublishForm(call.context, ground, form_id);
      const summary = call.preview ? `Would show ${changed.name} no more.` : `${changed.name} is not shown any more.`;
      return { summary, data: { form: toSnake(changed) } };
    },
  }),
  tool({
    ...changes,
    name: 'service_archive_form',
    title: 'Archive a form',
    core: false,
    description:
      'Takes a form out of use and out of lists. Versions and submissions stay; service_restore_form undoes it.',
    input: z.strictObject(byForm),
    output: z.object({ form_id: z.string() }),
    run: async (call, { form_id }, ground) => {
      await archiveForm(call.context, ground, form_id);
      return { summary: call.preview ? 'Would archive the form.' : 'The form is archived.', data: { form_id } };
    },
  }),
  tool({
    ...changes,
    name: 'service_restore_form',
    title: 'Restore a form',
    core: false,
    description: 'Brings an archived form back as it was, not published.',
    annotations: { destructiveHint: false, idempotentHint: true },
    input: z.strictObject(byForm),
    output: form,
    run: async (call, { form_id }, ground) => {
      const found = await restoreForm(call.context, ground, form_id);
      const summary = call.preview
        ? `Would bring ${found.name} back.`
        : `${found.name} is back. Publish it to show it.`;
      return { summary, data: { form: toSnake(found) } };
    },
  }),
  tool({
    ...asks,
    name: 'service_get_form',
    title: 'Read a form',
    core: true,
    description: 'Reads a form with the fields and rules of its draft, and which version visitors see.',
    input: z.strictObject(byForm),
    output: form,
    run: async (call, { form_id }) => {
      const found = await getForm(call.context, form_id);
      return { summary: `${found.name} is ${found.status}.`, data: { form: toSnake(found) } };
    },
  }),
  tool({
    ...asks,
    name: 'service_list_forms',
    title: 'List forms',
    core: true,
    description: 'Lists forms of one site or of all, without their fields.',
    input: z.strictObject({
      site_id: z.uuid().optional().meta({ description: 'Of this site only.' }),
      archived: z.boolean().default(false).meta({ description: 'Archived ones too.' }),
      ...page,
    }),
    output: z.object({ forms: z.array(summaryOutput), next_cursor: z.string().nullable() }),
    run: async (call, { site_id, archived, ...wanted }) => {
      const { items, nextCursor } = await listForms(call.context, { siteId: site_id, archived }, wanted);
      return {
        summary: `${counted(items.length, 'form')}.`,
        data: { forms: items.map(toSnake), next_cursor: nextCursor },
      };
    },
  }),
  tool({
    ...asks,
    name: 'service_list_form_versions',
    title: 'List versions of a form',
    core: false,
    description: 'Lists what was published of a form, newest first. service_publish_form shows one of them again.',
    input: z.strictObject({
      ...byForm,
      limit: page.limit,
      cursor: z
        .string()
        .regex(/^[1-9][0-9]{0,8}$/)
        .optional()
        .meta({ description: '`next_cursor` of the page before.' }),
    }),
    output: z.object({
      versions: z.array(
        z.object({
          form_id: z.string(),
          version: z.int(),
          name: z.string(),
          published_at: z.string(),
          published_by: z.string(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
    run: async (call, { form_id, ...wanted }) => {
      const { items, nextCursor } = await listVersions(call.context, form_id, wanted);
      return {
        summary: `${counted(items.length, 'version')}.`,
        data: { versions: items.map(toSnake), next_cursor: nextCursor },
      };
    },
  }),
];

/** What a page needs; the key is shown once, when it is issued, so whoever has it puts it in. */
const embedded = (storefront: string, formId: string): string =>
  `<script type="module" src="${storefront}/sdk.js"></script>\n<storefront-form form-id="${formId}" sdk-key="pk_live_…"></storefront-form>`;
