import { counted } from '@steward/kernel';
import { toolOf, under, type Tool } from '@steward/tools';
import type { StudioDeps } from '../deps.ts';
import { archiveForm } from './archive.ts';
import { createForm } from './create.ts';
import { form } from './form.ts';
import { getForm } from './get.ts';
import { listForms } from './list.ts';
import { publishForm } from './publish.ts';
import { restoreForm } from './restore.ts';
import { unpublishForm } from './unpublish.ts';
import { updateForm } from './update.ts';
import { listVersions } from './versions.ts';

interface Publishing {
  readonly strangers: readonly string[];
}

const shows = under('form', form.answer);
const repeatable = { destructiveHint: false, idempotentHint: true };

export const formTools: readonly Tool<StudioDeps>[] = [
  toolOf(createForm, {
    core: true,
    title: 'Create a form',
    description:
      'Creates a form of a site as a draft; service_publish_form shows it to visitors. Example of fields: ' +
      '[{"name":"email","label":"E-mail","type":"email","required":true,"maps_to":"email"},{"name":"topic","label":"Topic","type":"select","options":["Sales","Help"]}]. ' +
      'A submission with mapped fields creates or updates a contact.',
    shows,
    // A preview's id would name nothing afterwards.
    preview: ({ id: _id, ...rest }) => ({ form: rest }),
    say: ({ name, fields }, preview) =>
      preview
        ? `Would create the draft ${name}.`
        : `${name} is a draft with ${counted(fields.length, 'field')}. Publish it next.`,
  }),
  toolOf(updateForm, {
    core: true,
    annotations: repeatable,
    title: 'Change a form',
    description:
      'Changes the draft of a form. Replaces the members that are given, a list as a whole, so read the form first. ' +
      'Visitors see the change after service_publish_form.',
    shows,
    say: ({ name, revision, hasUnpublishedChanges }, preview) =>
      preview
        ? `Would change the draft of ${name}.`
        : `${name} is at revision ${revision}.${hasUnpublishedChanges ? ' Publish it to show it.' : ''}`,
  }),
  toolOf(publishForm, {
    core: true,
    annotations: repeatable,
    title: 'Publish a form',
    description:
      'Makes the draft the next version, which never changes, and shows it to visitors. With `version`, shows that older ' +
      'version again. Answers the HTML for a page (`embed`). ' +
      'A person approves `notification_emails` of strangers.',
    approval: { moneyOut: false, routine: (_args, { data }) => (data as Publishing).strangers.length === 0 },
    say: ({ name, version, strangers }, preview) =>
      preview
        ? `Would show visitors another version of the form ${name}${strangers.length === 0 ? '' : `, and send submissions to ${strangers.join(', ')}, outside the organization`}.`
        : `Visitors see version ${version} of ${name}. Paste \`embed\` into a page of the site with a key of service_issue_sdk_key.`,
  }),
  toolOf(unpublishForm, {
    core: false,
    annotations: repeatable,
    title: 'Unpublish a form',
    description: 'Hides a form from visitors. Its versions and submissions stay; service_publish_form shows it again.',
    shows,
    say: ({ name }, preview) => (preview ? `Would hide ${name} from visitors.` : `${name} is hidden from visitors.`),
  }),
  toolOf(archiveForm, {
    core: false,
    title: 'Archive a form',
    description:
      'Hides a form from visitors and from lists. Its versions and submissions stay; service_restore_form brings it back.',
    say: ({ name }, preview) => (preview ? `Would archive the form ${name}.` : `The form ${name} is archived.`),
  }),
  toolOf(restoreForm, {
    core: false,
    annotations: repeatable,
    title: 'Restore a form',
    description: 'Brings an archived form back, unpublished: service_publish_form shows it to visitors.',
    shows,
    say: ({ name }, preview) => (preview ? `Would bring ${name} back.` : `${name} is back. Publish it to show it.`),
  }),
  toolOf(getForm, {
    core: true,
    title: 'Read a form',
    description: 'Reads a form: the fields and rules of its draft, and the version that visitors see.',
    shows,
    say: ({ name, status }) => `${name} is ${status}.`,
  }),
  toolOf(listForms, {
    core: true,
    title: 'List forms',
    description: 'Lists the forms of one site or of all sites, without their fields.',
    answers: { items: 'forms' },
    say: ({ items }) => `${counted(items.length, 'form')}.`,
  }),
  toolOf(listVersions, {
    core: false,
    title: 'List versions of a form',
    description: 'Lists the published versions of a form, newest first. service_publish_form shows one of them again.',
    answers: { items: 'versions' },
    say: ({ items }) => `${counted(items.length, 'version')}.`,
  }),
];
