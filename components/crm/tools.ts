import { counted } from '@steward/kernel';
import { toolOf, type Tool } from '@steward/tools';
import { z } from 'zod';
import { contact, type Contact } from './contacts/contact.ts';
import { getPerson } from './contacts/get.ts';
import { fieldsOf, mergeContacts } from './contacts/merge.ts';
import { party, type PersonPorts } from './contacts/person.ts';
import { searchContacts } from './contacts/search.ts';
import { mostAtOnce, upsertContact, upsertContacts } from './contacts/upsert.ts';
import { defineContactField, setDefaultCountry } from './schema/define.ts';
import { readContactSchema } from './schema/schema.ts';
import { listTimeline } from './timeline/entry.ts';

const called = ({ name, email, phone, id }: Pick<Contact, 'name' | 'email' | 'phone' | 'id'>): string =>
  name ?? email ?? phone ?? id;
const more = ({ nextCursor }: { readonly nextCursor: string | null }): string =>
  nextCursor === null ? '' : ' There are more.';
const repeatable = { destructiveHint: false, idempotentHint: true };

export const crmTools: readonly Tool<PersonPorts>[] = [
  toolOf(searchContacts, {
    core: true,
    title: 'Search contacts',
    description:
      'Finds contacts, newest first: by whatever is at hand in `query`, or by e-mail address, phone, beginnings of words of the name, and ' +
      'values of custom fields, which hold together. Without a filter it lists all.',
    answers: { items: 'contacts' },
    say: (page) => `${counted(page.items.length, 'contact')}.${more(page)}`,
  }),
  toolOf(getPerson, {
    core: true,
    title: 'Get a contact',
    description:
      'Reads one contact, with the customers and suppliers of the books that are the same person, and as suggestions those of the same e-mail ' +
      'address that nobody is linked with. The id of a contact that was merged answers with the one it was merged into.',
    shows: {
      schema: z.object({ contact: contact.answer, parties: z.array(party), suggestedParties: z.array(party) }),
      of: ({ parties, suggestedParties, ...found }) => ({ contact: found, parties, suggestedParties }),
    },
    say: (found) => `${called(found)}.`,
  }),
  toolOf(upsertContact, {
    core: true,
    annotations: repeatable,
    title: 'Add or change a contact',
    description:
      'Changes the contact of `contact_id`; without an id it is found by e-mail address, else phone, else, where neither is given, by name, ' +
      'and added where there is none. What is given is written over what is there, null takes it away, the rest stays.',
    say: ({ contact: written, created, changed }, preview) => {
      const verbs = preview
        ? ['Would add', 'Would change nothing of', 'Would change']
        : ['Added', 'Nothing new of', 'Changed'];
      return `${verbs[created ? 0 : changed.length === 0 ? 1 : 2]} ${called(written)}.`;
    },
  }),
  toolOf(upsertContacts, {
    core: false,
    annotations: repeatable,
    title: 'Add or change many contacts',
    description:
      `As service_upsert_contact, for up to ${mostAtOnce} in one call, to bring contacts along from elsewhere. What is right is written, ` +
      'what is not is refused with its reason, each by itself; sending it all again does no harm.',
    answers: { items: 'contacts' },
    say: ({ counts }, preview) =>
      preview
        ? `Would add ${counts.created}, change ${counts.changed}, leave ${counts.unchanged} as they are and refuse ${counts.refused}.`
        : `${counts.created} added, ${counts.changed} changed, ${counts.unchanged} as they were, ${counts.refused} refused.`,
  }),
  toolOf(mergeContacts, {
    core: false,
    annotations: { destructiveHint: true },
    final: true,
    approval: { moneyOut: false },
    title: 'Merge two contacts',
    description:
      'Makes two contacts one: it cannot be taken back. The first keeps what it has and takes what it lacks, and what it does not take is kept on the timeline; ' +
      'the timeline of the second comes along, and its id, e-mail address and phone lead to the first for ever.',
    answers: { entries: 'timelineEntries' },
    say: ({ contact: kept, discarded }, preview) => {
      const left = fieldsOf(discarded);
      const aside = left.length === 0 ? '' : ` Not taken over, and kept on the timeline: ${left.join(', ')}.`;
      return `${preview ? 'Would make two contacts one for good' : 'Two contacts are one'}: ${called(kept)}.${aside}`;
    },
  }),
  toolOf(listTimeline, {
    core: false,
    title: 'List the timeline of a contact',
    description:
      'What happened with a contact, newest first: form submissions and others, by the ids of what was kept of them, and merges, with what was not taken over.',
    answers: { items: 'entries' },
    say: (page) => `${counted(page.items.length, 'entry', 'entries')}.${more(page)}`,
  }),
  toolOf(readContactSchema, {
    core: false,
    title: 'Get the schema of contacts',
    description: 'The custom fields that contacts have; e-mail address, phone and name are built in.',
    say: ({ version, fields }) => `Version ${version}, ${counted(fields.length, 'custom field')}.`,
  }),
  toolOf(defineContactField, {
    core: true,
    annotations: repeatable,
    title: 'Define a contact field',
    description:
      'Adds a custom field to contacts, or changes what is given of one. A new field needs its type, which never changes. `options` are all ' +
      'there are to be: one that is left out is retired. Contacts keep values of retired fields and options; new ones are refused.',
    say: ({ field, version, created }, preview) =>
      preview
        ? `Would ${created ? 'define' : 'change'} the field ${field.key}.`
        : `The field ${field.key} is in version ${version} of the schema.`,
  }),
  toolOf(setDefaultCountry, {
    core: false,
    annotations: repeatable,
    title: 'Set the default country of phones',
    description:
      'Sets the country of phone numbers that do not name theirs, where a form says nothing else; null for none.',
    takes: { defaultCountry: 'country' },
    say: ({ defaultCountry }, preview) =>
      `${preview ? 'Would take phone numbers without country code as of' : 'Phone numbers without country code are of'} ${defaultCountry ?? 'no country'}.`,
  }),
];
