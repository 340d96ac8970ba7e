import { pageOf, pageQuery, route, type Route, versionNumber } from '@steward/contract';
import { z } from 'zod';
import { byForm, type MemberGuard } from '../door.ts';
import type { StudioGround } from '../ground.ts';
import { archiveForm } from './archive.ts';
import { createForm } from './create.ts';
import { formChange, newForm, shownField, shownOptions, shownRules } from './definition.ts';
import { getForm } from './get.ts';
import { listForms } from './list.ts';
import { publishForm } from './publish.ts';
import { restoreForm } from './restore.ts';
import { unpublishForm } from './unpublish.ts';
import { updateForm } from './update.ts';
import { getVersion, listVersions } from './versions.ts';

const definition = {
  fields: z.array(
    z.object({
      ...shownField,
      helpText: z.string().optional(),
      options: shownOptions,
      mapsTo: z.string().optional(),
    }),
  ),
  validationRules: shownRules,
  targetEntityType: z.string().nullable(),
  notificationEmails: z.array(z.string()),
  defaultCountry: z.string().nullable(),
};
const summary = {
  id: z.uuid(),
  siteId: z.uuid(),
  name: z.string(),
  status: z.enum(['draft', 'published', 'unpublished', 'archived']),
  activeVersion: z.int().nullable(),
  latestVersion: z.int(),
  revision: z.int(),
  hasUnpublishedChanges: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
};
const form = z.object({ ...summary, ...definition });
const versionSummary = {
  formId: z.uuid(),
  version: z.int(),
  name: z.string(),
  publishedAt: z.string(),
  publishedBy: z.string(),
};

const published = z.object({
  formId: z.uuid(),
  siteId: z.uuid(),
  version: z.int(),
  previousVersion: z.int().nullable(),
  changed: z.boolean(),
});
const number = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/, 'Give the number of a version')
  .transform(Number);

export const formRoutes = (guard: MemberGuard, ground: StudioGround): Route[] => [
  route({
    method: 'GET',
    path: '/api/forms',
    does: 'service_list_forms',
    summary: 'List forms',
    tag: 'Forms',
    guard,
    query: pageQuery().extend({ siteId: z.uuid().optional(), archived: z.enum(['true', 'false']).optional() }),
    answers: { 200: { description: 'A page of forms, without their fields.', schema: pageOf(z.object(summary)) } },
    errors: ['insufficient_role'],
    handle: async ({ guard: { context }, query: { limit, cursor, siteId, archived } }) => ({
      status: 200,
      body: await listForms(context, { siteId, archived: archived === 'true' }, { limit, cursor }),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/forms',
    does: 'service_create_form',
    summary: 'Create a form',
    description: 'As a draft: nobody sees it before it is published.',
    tag: 'Forms',
    guard,
    body: newForm,
    answers: { 201: { description: 'The form.', schema: form } },
    errors: ['form_limit', 'insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, body }) => ({ status: 201, body: await createForm(context, ground, body) }),
  }),
  route({
    method: 'GET',
    path: '/api/forms/:formId',
    does: 'service_get_form',
    summary: 'Read a form with its draft',
    tag: 'Forms',
    guard,
    params: byForm,
    answers: { 200: { description: 'The form.', schema: form } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({ status: 200, body: await getForm(context, params.formId) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/forms/:formId',
    does: 'service_update_form',
    summary: 'Change the draft of a form',
    description:
      'What is given replaces what was there, a list as a whole. `revision` guards against a change in the meantime.',
    tag: 'Forms',
    guard,
    params: byForm,
    body: formChange,
    answers: { 200: { description: 'The form.', schema: form } },
    errors: ['insufficient_role', 'not_found', 'form_changed'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 200,
      body: await updateForm(context, params.formId, body),
    }),
  }),
  route({
    method: 'DELETE',
    path: '/api/forms/:formId',
    does: 'service_archive_form',
    summary: 'Archive a form',
    description: 'It is served no more. Versions and submissions stay.',
    tag: 'Forms',
    guard,
    params: byForm,
    answers: { 204: { description: 'Archived.' } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => {
      await archiveForm(context, ground, params.formId);
      return { status: 204 };
    },
  }),
  route({
    method: 'POST',
    path: '/api/forms/:formId/restore',
    does: 'service_restore_form',
    summary: 'Restore an archived form',
    tag: 'Forms',
    guard,
    params: byForm,
    answers: { 200: { description: 'The form, not published.', schema: form } },
    errors: ['form_limit', 'insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await restoreForm(context, ground, params.formId),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/forms/:formId/publish',
    does: 'service_publish_form',
    summary: 'Publish the draft, or serve an older version again',
    description:
      'Makes the draft the next immutable version and serves it. With `version`, serves that one instead; the draft stays as it is.',
    tag: 'Forms',
    guard,
    params: byForm,
    body: z.strictObject({ version: versionNumber.optional(), revision: versionNumber.optional() }),
    answers: { 200: { description: 'What is served now.', schema: published } },
    errors: ['form_version_limit', 'insufficient_role', 'not_found', 'form_not_publishable', 'form_changed'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 200,
      body: await publishForm(context, ground, params.formId, body),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/forms/:formId/unpublish',
    does: 'service_unpublish_form',
    summary: 'Serve a form no more',
    tag: 'Forms',
    guard,
    params: byForm,
    answers: { 200: { description: 'The form.', schema: form } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await unpublishForm(context, ground, params.formId),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/forms/:formId/versions',
    does: 'service_list_form_versions',
    summary: 'List the published versions of a form',
    tag: 'Forms',
    guard,
    params: byForm,
    query: pageQuery(z.string().regex(/^[1-9][0-9]{0,8}$/)),
    answers: { 200: { description: 'A page of versions, newest first.', schema: pageOf(z.object(versionSummary)) } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params, query }) => ({
      status: 200,
      body: await listVersions(context, params.formId, query),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/forms/:formId/versions/:version',
    does: 'service_get_form',
    summary: 'Read a published version',
    tag: 'Forms',
    guard,
    params: byForm.extend({ version: number }),
    answers: {
      200: {
        description: 'The version as it was published.',
        schema: z.object({ ...versionSummary, siteId: z.uuid(), ...definition }),
      },
    },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await getVersion(context, params.formId, params.version),
    }),
  }),
];
