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
        'All filters hold together. `email` is an address or `@domain`, `phone` any spelling of a number, `name` the beginnings of words, ' +
        '`query` whichever of these is at hand; `field` and `value` a custom field; `test` those of test keys alone, or all others. What is personal is better sent to ' +
        '`POST /api/contacts/search`: addresses of requests are logged on their way.',
      answers: page,
    }),
    rest('POST', '/api/contacts/search', searchContacts, {
      summary: 'Search contacts, newest first',
      description: 'The filters of the list in a body, and values of any number of custom fields.',
      answers: page,
    }),
    rest('POST', '/api/contacts', upsertContact, {
      summary: 'Add a contact, or write over the one that is found',
      description:
        'Found by e-mail address, else phone, else, where neither is given, by name. What is given is written over what is there; ' +
        'null takes it away, what is not named stays.',
      without: ['contactId', 'archived', 'expectedVersion'],
      answers: { 200: 'The contact was there.', 201: 'The contact is new.' },
      status: ({ created }) => (created ? 201 : 200),
    }),
    rest('POST', '/api/contacts/batch', upsertContacts, {
      summary: 'Add or write over many contacts',
      description:
        `As adding one, for up to ${mostAtOnce} in one call, to bring contacts along from elsewhere. What is right is written, what is not ` +
        'is refused with its reason, each by itself; sending it all again does no harm.',
      answers: { 200: 'What became of each, in their order.' },
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
        'What is given is written, null takes it away. With `expectedVersion` only if nobody changed it meanwhile.',
      answers: { 200: 'The contact.' },
      errors: ['not_found', 'stale_contact'],
    }),
    rest('POST', '/api/contacts/:contactId/merge', mergeContacts, {
      summary: 'Merge another contact into this one',
      description:
        'This one keeps what it has and takes what it lacks; the timeline of the other comes along, and its id, e-mail address and phone ' +
        'lead here for ever. What of the other is not taken is answered as `discarded`, and kept on the timeline. It cannot be taken back, so it takes a person who may decide; agents ask with service_merge_contacts.',
      answers: { 200: 'The contact.' },
      errors: ['not_human', 'insufficient_scope'],
    }),
    rest('GET', '/api/contacts/:contactId/timeline', listTimeline, {
      summary: 'What happened with a contact, newest first',
      answers: { 200: 'A page of entries.' },
    }),
  ];
}
