import { counted } from '@steward/kernel';
import { mergeContacts, readContacts, writeContacts } from './permissions.ts';
import { pageLimit, versionNumber } from '@steward/contract';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import type { Contact } from './contacts/contact.ts';
import { contactCursor } from './contacts/cursor.ts';
import { getContact } from './contacts/get.ts';
import { fieldsOf, mergeContacts as merge } from './contacts/merge.ts';
import { partiesOfContact, type PartiesOf } from './contacts/person.ts';
import { searchContacts } from './contacts/search.ts';
import { counted as countedOutcomes, placed } from './contacts/batch.ts';
import { mostAtOnce, upsertContact, upsertContacts } from './contacts/upsert.ts';
import { defineContactField, setDefaultCountry } from './schema/define.ts';
import { fieldTypes, type ContactField, type ContactSchema } from './schema/field.ts';
import { readContactSchema } from './schema/schema.ts';
import { definition } from './schema/shape.ts';
import { listTimeline } from './timeline/entry.ts';

const ground = { pillar: 'crm', surfaces: ['public', 'internal'], personas: [] } as const;
const read = {
  ...ground,
  kind: 'query',
  tier: 'read',
  annotations: { idempotentHint: true },
  requires: readContacts,
} as const;
const writes = {
  ...ground,
  kind: 'command',
  tier: 'write',
  annotations: { destructiveHint: false, idempotentHint: true },
  requires: writeContacts,
} as const;

const contact = z.object({
  id: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  name: z.string().nullable(),
  other_emails: z.array(z.string()),
  other_phones: z.array(z.string()),
  custom: z.record(z.string(), z.unknown()),
  source: z.record(z.string(), z.string()),
  archived: z.boolean(),
  test: z.boolean(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
const shown = ({ otherEmails, otherPhones, createdAt, updatedAt, ...rest }: Contact): z.infer<typeof contact> => ({
  ...rest,
  other_emails: [...otherEmails],
  other_phones: [...otherPhones],
  created_at: createdAt,
  updated_at: updatedAt,
});
const party = z.object({ id: z.string(), name: z.string(), customer: z.boolean(), supplier: z.boolean() });
const discarded = z.object({ name: z.string().optional(), custom: z.record(z.string(), z.unknown()).optional() });
const called = ({ name, email, phone, id }: Contact): string => name ?? email ?? phone ?? id;

const field = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  description: z.string().nullable(),
  options: z.array(z.object({ value: z.string(), label: z.string(), retired: z.boolean() })),
  max_length: z.int().nullable(),
  retired: z.boolean(),
});
const shownField = ({ maxLength, options, ...rest }: ContactField): z.infer<typeof field> => ({
  ...rest,
  options: [...options],
  max_length: maxLength,
});
const schema = z.object({ version: z.int(), default_country: z.string().nullable(), fields: z.array(field) });
const shownSchema = ({ version, defaultCountry, fields }: ContactSchema): z.infer<typeof schema> => ({
  version,
  default_country: defaultCountry,
  fields: fields.map(shownField),
});

const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .optional()
  .meta({ description: 'Country of a phone number without country code, such as DE; the schema has a default.' });
const said = {
  email: z.string().max(1000).nullable().optional(),
  phone: z.string().max(200).nullable().optional().meta({ description: 'In any spelling; kept as E.164.' }),
  name: z.string().max(1000).nullable().optional(),
  custom: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .meta({ description: 'Values of custom fields by key (service_get_contact_schema). null takes a value away.' }),
  default_country: country,
};

export interface CrmToolPorts {
  readonly partiesOf: PartiesOf;
}

export const crmTools: readonly Tool<CrmToolPorts>[] = [
  tool({
    ...read,
    core: true,
    name: 'service_search_contacts',
    title: 'Search contacts',
    description:
      'Finds contacts, newest first: by whatever is at hand in `query`, or by e-mail address, phone, beginnings of words of the name, and ' +
      'values of custom fields, which hold together. Without a filter it lists all.',
    input: z.strictObject({
      query: z
        .string()
        .min(1)
        .max(400)
        .optional()
        .meta({ description: 'An address or its beginning, @domain, the end of a phone, or part of a name.' }),
      email: z.string().min(1).max(400).optional().meta({ description: 'An address, or @domain.' }),
      phone: z.string().min(1).max(100).optional().meta({ description: 'In any spelling.' }),
      name: z.string().min(1).max(400).optional().meta({ description: 'Beginnings of words, in any case and order.' }),
      custom: z
        .record(z.string().max(200), z.unknown())
        .optional()
        .meta({ description: 'Values of custom fields by key; the contact has each of them.' }),
      default_country: country,
      archived: z.boolean().default(false).meta({ description: 'Archived ones too.' }),
      test: z.boolean().optional().meta({ description: 'Test contacts alone (made by test keys), or all others.' }),
      limit: pageLimit,
      cursor: contactCursor.optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    output: z.object({ contacts: z.array(contact), next_cursor: z.string().nullable() }),
    run: async (call, { limit, cursor, default_country, ...filter }) => {
      const page = await searchContacts(
        call.context,
        { ...filter, defaultCountry: default_country },
        { limit, cursor },
      );
      return {
        summary: `${page.items.length} ${page.items.length === 1 ? 'contact' : 'contacts'}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: { contacts: page.items.map(shown), next_cursor: page.nextCursor },
      };
    },
  }),
  tool({
    ...read,
    core: true,
    name: 'service_get_contact',
    title: 'Get a contact',
    description:
      'Reads one contact, with the customers and suppliers of the books that are the same person, and as suggestions those of the same e-mail ' +
      'address that nobody is linked with. The id of a contact that was merged answers with the one it was merged into.',
    input: z.strictObject({ contact_id: z.uuid() }),
    output: z.object({ contact, parties: z.array(party), suggested_parties: z.array(party) }),
    run: async (call, { contact_id }, { partiesOf }) => {
      const found = await getContact(call.context, contact_id);
      const { linked, suggested } = await partiesOfContact(call.context, found, partiesOf);
      return {
        summary: `${called(found)}.`,
        data: { contact: shown(found), parties: [...linked], suggested_parties: [...suggested] },
      };
    },
  }),
  tool({
    ...writes,
    core: true,
    name: 'service_upsert_contact',
    title: 'Add or change a contact',
    description:
      'Changes the contact of `contact_id`; without an id it is found by e-mail address, else phone, else, where neither is given, by name, ' +
      'and added where there is none. What is given is written over what is there, null takes it away, the rest stays.',
    input: z.strictObject({
      contact_id: z.uuid().optional(),
      ...said,
      archived: z.boolean().optional().meta({ description: 'Puts it out of sight, or back.' }),
      expected_version: versionNumber
        .optional()
        .meta({ description: 'With contact_id: changes nothing unless it is at this version.' }),
    }),
    output: z.object({ contact, created: z.boolean(), changed: z.array(z.string()) }),
    run: async (call, { contact_id, default_country, expected_version, ...rest }) => {
      const done = await upsertContact(call.context, {
        ...rest,
        contactId: contact_id,
        defaultCountry: default_country,
        expectedVersion: expected_version,
      });
      const verbs = call.preview
        ? ['Would add', 'Would change nothing of', 'Would change']
        : ['Added', 'Nothing new of', 'Changed'];
      const what = verbs[done.created ? 0 : done.changed.length === 0 ? 1 : 2];
      return {
        summary: `${what} ${called(done.contact)}.`,
        data: { contact: shown(done.contact), created: done.created, changed: [...done.changed] },
      };
    },
  }),
  tool({
    ...writes,
    core: false,
    name: 'service_upsert_contacts',
    title: 'Add or change many contacts',
    description:
      `As service_upsert_contact, for up to ${mostAtOnce} in one call, to bring contacts along from elsewhere. What is right is written, ` +
      'what is not is refused with its reason, each by itself; sending it all again does no harm.',
    input: z.strictObject({
      contacts: z.array(z.strictObject(said)).min(1).max(mostAtOnce),
    }),
    output: z.object({
      counts: z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
      contacts: z.array(
        z.object({
          status: z.enum(['created', 'changed', 'unchanged', 'refused']),
          contact_id: z.string().optional(),
          problem: z
            .object({ code: z.string(), detail: z.string(), errors: z.array(z.unknown()).optional() })
            .optional(),
        }),
      ),
    }),
    run: async (call, { contacts }) => {
      const entries = await upsertContacts(
        call.context,
        contacts.map(({ default_country, ...rest }) => ({ ...rest, defaultCountry: default_country })),
      );
      const counts = countedOutcomes(entries);
      return {
        summary: call.preview
          ? `Would add ${counts.created}, change ${counts.changed}, leave ${counts.unchanged} as they are and refuse ${counts.refused}.`
          : `${counts.created} added, ${counts.changed} changed, ${counts.unchanged} as they were, ${counts.refused} refused.`,
        data: {
          counts,
          contacts: entries.map(({ status, contactId, problem }, index) => ({
            status,
            ...(contactId === undefined ? {} : { contact_id: contactId }),
            ...(problem === undefined ? {} : { problem: placed(problem, `/contacts/${index}`) }),
          })),
        },
      };
    },
  }),
  tool({
    ...ground,
    kind: 'command',
    tier: 'approval',
    annotations: { destructiveHint: true },
    requires: mergeContacts,
    final: true,
    core: false,
    name: 'service_merge_contacts',
    title: 'Merge two contacts',
    description:
      'Makes two contacts one: it cannot be taken back. The first keeps what it has and takes what it lacks, and what it does not take is kept on the timeline; ' +
      'the timeline of the second comes along, and its id, e-mail address and phone lead to the first for ever.',
    input: z.strictObject({
      contact_id: z.uuid().meta({ description: 'The one that stays.' }),
      duplicate_id: z.uuid().meta({ description: 'The one that becomes part of it.' }),
    }),
    output: z.object({ contact, filled: z.array(z.string()), discarded, timeline_entries: z.int() }),
    approval: { moneyOut: false },
    run: async (call, { contact_id, duplicate_id }) => {
      const done = await merge(call.context, contact_id, duplicate_id);
      const left = fieldsOf(done.discarded);
      const aside = left.length === 0 ? '' : ` Not taken over, and kept on the timeline: ${left.join(', ')}.`;
      return {
        summary: call.preview
          ? `Would make two contacts one for good: ${called(done.contact)}.${aside}`
          : `Two contacts are one: ${called(done.contact)}.${aside}`,
        data: {
          contact: shown(done.contact),
          filled: [...done.filled],
          discarded: done.discarded,
          timeline_entries: done.entries,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_list_contact_timeline',
    title: 'List the timeline of a contact',
    description:
      'What happened with a contact, newest first: form submissions and others, by the ids of what was kept of them, and merges, with what was not taken over.',
    input: z.strictObject({
      contact_id: z.uuid(),
      limit: pageLimit,
      cursor: z.uuid().optional(),
    }),
    output: z.object({
      entries: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          refs: z.record(z.string(), z.string()),
          occurred_at: z.string(),
          discarded: discarded.optional(),
        }),
      ),
      next_cursor: z.string().nullable(),
    }),
    run: async (call, { contact_id, ...wanted }) => {
      const page = await listTimeline(call.context, contact_id, wanted);
      return {
        summary: `${counted(page.items.length, 'entry', 'entries')}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: {
          entries: page.items.map(({ occurredAt, ...rest }) => ({ ...rest, occurred_at: occurredAt })),
          next_cursor: page.nextCursor,
        },
      };
    },
  }),
  tool({
    ...read,
    core: false,
    name: 'service_get_contact_schema',
    title: 'Get the schema of contacts',
    description: 'The custom fields that contacts have; e-mail address, phone and name are built in.',
    input: z.strictObject({}),
    output: schema,
    run: async (call) => {
      const found = await readContactSchema(call.context);
      return {
        summary: `Version ${found.version}, ${counted(found.fields.length, 'custom field')}.`,
        data: shownSchema(found),
      };
    },
  }),
  tool({
    ...writes,
    core: true,
    name: 'service_define_contact_field',
    title: 'Define a contact field',
    description:
      'Adds a custom field to contacts, or changes what is given of one. A new field needs its type, which never changes. `options` are all ' +
      'there are to be: one that is left out is retired. Contacts keep values of retired fields and options; new ones are refused.',
    input: z.strictObject({
      key: z.string().max(200).meta({ description: 'As forms map to it: a–z, 0–9 and _, beginning with a letter.' }),
      ...definition,
      max_length: z.int().min(1).max(65_536).optional().meta({ description: 'Characters; of text and long_text.' }),
    }),
    output: z.object({ field, version: z.int(), created: z.boolean() }),
    run: async (call, { max_length, ...rest }) => {
      const done = await defineContactField(call.context, { ...rest, maxLength: max_length });
      return {
        summary: call.preview
          ? `Would ${done.created ? 'define' : 'change'} the field ${done.field.key}.`
          : `The field ${done.field.key} is in version ${done.schema.version} of the schema.`,
        data: { field: shownField(done.field), version: done.schema.version, created: done.created },
      };
    },
  }),
  tool({
    ...writes,
    core: false,
    name: 'service_set_contact_country',
    title: 'Set the default country of phones',
    description:
      'Sets the country of phone numbers that do not name theirs, where a form says nothing else; null for none.',
    input: z.strictObject({ country: z.string().max(2).nullable().meta({ description: 'ISO 3166, such as DE.' }) }),
    output: schema,
    run: async (call, args) => {
      const done = await setDefaultCountry(call.context, args.country);
      return {
        summary: call.preview
          ? `Would take phone numbers without country code as of ${done.defaultCountry ?? 'no country'}.`
          : `Phone numbers without country code are of ${done.defaultCountry ?? 'no country'}.`,
        data: shownSchema(done),
      };
    },
  }),
];
