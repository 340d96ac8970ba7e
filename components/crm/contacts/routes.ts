import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { listTimeline } from '../timeline/entry.ts';
import { getPerson } from './get.ts';
import { mergeContacts } from './merge.ts';
import type { PersonPorts } from './person.ts';
import { listContacts, searchContacts } from './search.ts';
import { mostAtOnce, upsertContact, upsertContacts } from './upsert.ts';

const page = { 200: 'A page of contacts.' };

export function contactRoutes(guard: Guard<Admitted>, ports: PersonPorts): Route[] {
  const rest = restOf({ guard, tag: 'Contacts', ports });
  return [
    rest('GET', '/api/contacts', listContacts, {
      summary: 'List or search contacts, newest first',
      description:
        'A contact is listed when it matches all filters. `email` is an address or `@domain`; `phone` a number in any ' +
        'spelling; `name` the beginnings of words; `query` any of these; `field` and `value` a custom field. `test=true` ' +
        'lists only contacts made by test keys, `test=false` only the others. Send personal data to `POST ' +
        '/api/contacts/search` instead: proxies log the addresses of requests.',
      answers: page,
    }),
    rest('POST', '/api/contacts/search', searchContacts, {
      summary: 'Search contacts, newest first',
      description: 'Takes the filters of the list in the body, with values of any number of custom fields.',
      answers: page,
    }),
    rest('POST', '/api/contacts', upsertContact, {
      summary: 'Add a contact, or change the one that is found',
      description:
        'Finds the contact by e-mail address, else by phone; by name only where neither is given. Overwrites the members ' +
        'that are given, removes those that are null and keeps the others. Adds a contact where none is found.',
      without: ['contactId', 'archived', 'expectedVersion'],
      answers: { 200: 'The contact existed already.', 201: 'The contact is new.' },
      status: ({ created }) => (created ? 201 : 200),
    }),
    rest('POST', '/api/contacts/batch', upsertContacts, {
      summary: 'Add or change many contacts',
      description:
        `Adds or changes up to ${mostAtOnce} contacts, as for an import. Each contact is written or refused by itself, with ` +
        'the reason. Sending the same body again is safe.',
      answers: { 200: 'The result of each contact, in the order of the request.' },
    }),
    rest('GET', '/api/contacts/:contactId', getPerson, {
      summary: 'Read a contact',
      description:
        'With the customers and suppliers that are the same person, and as suggestions those of the same e-mail address that nobody is linked ' +
        'with. The id of a contact that was merged answers with the one it was merged into.',
      answers: { 200: 'The contact.' },
    }),
    rest('PATCH', '/api/contacts/:contactId', upsertContact, {
      summary: 'Change, archive or restore a contact',
      description:
        'Overwrites the members that are given and removes those that are null. With `expectedVersion`, changes the contact ' +
        'only if it still has that version.',
      answers: { 200: 'The contact.' },
      errors: ['not_found', 'stale_contact'],
    }),
    rest('POST', '/api/contacts/:contactId/merge', mergeContacts, {
      summary: 'Merge another contact into this one',
      description:
        'The contact in the address keeps its values and takes over those that it lacks, and the timeline of the other. The ' +
        'id, e-mail address and phone of the other lead to this contact from then on. Values that are not taken over are ' +
        'answered as `discarded` and kept on the timeline. A merge cannot be undone, so it needs a person who may decide; ' +
        'agents propose it with service_merge_contacts.',
      answers: { 200: 'The contact.' },
      errors: ['not_human', 'insufficient_scope'],
    }),
    rest('GET', '/api/contacts/:contactId/timeline', listTimeline, {
      summary: 'List the timeline of a contact, newest first',
      answers: { 200: 'A page of entries.' },
    }),
  ];
}
