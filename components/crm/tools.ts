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
      'Searches contacts that match every filter given, newest first; without filters, ' +
      'all are listed. Use `query` for a text that may be an address, a phone or a name.',
    answers: { items: 'contacts' },
    say: (page) => `${counted(page.items.length, 'contact')}.${more(page)}`,
  }),
  toolOf(getPerson, {
    core: true,
    title: 'Get a contact',
    description:
      'Reads one contact and the customers and suppliers of the books that are linked with it. Suggests customers and ' +
      'suppliers that have the same e-mail address and no link. The id of a merged contact answers the contact that it ' +
      'was merged into.',
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
      'Adds or changes one contact: that of `contact_id`, else the one found by e-mail address, else by phone, or by name where neither is given; or adds ' +
      'one. Overwrites the members that are given, removes those that are null and keeps the others.',
    say: ({ contact: written, created, changed }, preview) => {
      const who = called(written);
      if (created) return `${preview ? 'Would add' : 'Added'} ${who}.`;
      if (changed.length > 0) return `${preview ? 'Would change' : 'Changed'} ${who}.`;
      if (preview) return `Would ${written.archived ? 'archive' : 'restore'} ${who}.`;
      return `${who} is ${written.archived ? 'archived' : 'in use'}.`;
    },
  }),
  toolOf(upsertContacts, {
    core: false,
    annotations: repeatable,
    title: 'Add or change many contacts',
    description:
      `Adds or changes up to ${mostAtOnce} contacts, as service_upsert_contact does without an id. Use it to import. Each ` +
      'contact is written or refused by itself, with the reason; the order stays. Sending the same contacts again is safe.',
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
      'Merges the contact `duplicate_id` into `contact_id`. This cannot be undone. The contact keeps its values and takes ' +
      'over those that it lacks, and the timeline of the duplicate. Values that are not taken over are kept on the ' +
      'timeline. The id, e-mail address and phone of the duplicate lead to the contact from then on.',
    answers: { entries: 'timelineEntries' },
    say: ({ contact: kept, discarded }, preview) => {
      const left = fieldsOf(discarded);
      const aside = left.length === 0 ? '' : ` Not taken over, but kept on the timeline: ${left.join(', ')}.`;
      return `${preview ? 'Would merge two contacts for good' : 'Merged two contacts'}: ${called(kept)}.${aside}`;
    },
  }),
  toolOf(listTimeline, {
    core: false,
    title: 'List the timeline of a contact',
    description:
      'Lists what happened with a contact, newest first: form submissions and other events with the ids of their records, ' +
      'and merges with the values that were not taken over.',
    answers: { items: 'entries' },
    say: (page) => `${counted(page.items.length, 'entry', 'entries')}.${more(page)}`,
  }),
  toolOf(readContactSchema, {
    core: false,
    title: 'Get the schema of contacts',
    description:
      'Reads the custom fields of contacts with their types and options. E-mail address, phone and name are built in and ' +
      'not listed.',
    say: ({ version, fields }) => `Version ${version}, ${counted(fields.length, 'custom field')}.`,
  }),
  toolOf(defineContactField, {
    core: true,
    annotations: repeatable,
    title: 'Define a contact field',
    description:
      'Adds a custom field to contacts, or changes the given members of an existing one. A new field needs a `type`, ' +
      'which never changes. `options` replaces the whole list: an option that is left out is retired. Contacts keep the ' +
      'values of retired fields and options, and take no new ones.',
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
      'Sets the default country of phone numbers without a country code. A form or site may set another one. null removes ' +
      'the default.',
    takes: { defaultCountry: 'country' },
    say: ({ defaultCountry }, preview) =>
      `${preview ? 'Would set the default country of phone numbers to' : 'The default country of phone numbers is'} ` +
      `${defaultCountry ?? 'none'}.`,
  }),
];
