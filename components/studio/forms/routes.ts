import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import type { StudioDeps } from '../deps.ts';
import { archiveForm } from './archive.ts';
import { createForm } from './create.ts';
import { getForm } from './get.ts';
import { listForms } from './list.ts';
import { publishForm } from './publish.ts';
import { restoreForm } from './restore.ts';
import { unpublishForm } from './unpublish.ts';
import { updateForm } from './update.ts';
import { getVersion, listVersions } from './versions.ts';

const one = { 200: 'The form.' };

export function formRoutes(guard: MemberGuard, deps: StudioDeps): Route[] {
  const rest = restOf({ guard, tag: 'Forms', ports: deps });
  return [
    rest('GET', '/api/forms', listForms, {
      summary: 'List forms',
      answers: { 200: 'A page of forms, without their fields.' },
    }),
    rest('POST', '/api/forms', createForm, {
      summary: 'Create a form',
      description: 'Creates a draft. Visitors see the form after it is published.',
      answers: { 201: 'The form.' },
    }),
    rest('GET', '/api/forms/:formId', getForm, { summary: 'Read a form with its draft', answers: one }),
    rest('PATCH', '/api/forms/:formId', updateForm, {
      summary: 'Change the draft of a form',
      description:
        'Replaces the members that are given, a list as a whole. With `revision`, changes the draft only if it still has ' +
        'that revision.',
      answers: one,
    }),
    rest('DELETE', '/api/forms/:formId', archiveForm, {
      summary: 'Archive a form',
      description: 'Visitors no longer see the form. Its versions and submissions stay.',
      answers: { 204: 'Archived.' },
    }),
    rest('POST', '/api/forms/:formId/restore', restoreForm, {
      summary: 'Restore an archived form',
      answers: { 200: 'The form, unpublished.' },
    }),
    rest('POST', '/api/forms/:formId/publish', publishForm, {
      summary: 'Publish the draft or an older version',
      description:
        'Makes the draft the next version, which never changes, and shows it to visitors. With `version`, shows that older ' +
        'version instead; the draft stays as it is.',
      answers: { 200: 'The version that visitors see now.' },
    }),
    rest('POST', '/api/forms/:formId/unpublish', unpublishForm, { summary: 'Unpublish a form', answers: one }),
    rest('GET', '/api/forms/:formId/versions', listVersions, {
      summary: 'List the published versions of a form',
      answers: { 200: 'A page of versions, newest first.' },
    }),
    rest('GET', '/api/forms/:formId/versions/:version', getVersion, {
      summary: 'Read a published version',
      answers: { 200: 'The version as it was published.' },
    }),
  ];
}
