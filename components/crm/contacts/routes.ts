import { type Guard, pageLimit, pageOf, pageQuery, route, type Route, versionNumber } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { fail } from '@steward/kernel';
import type { Page } from '@steward/sql';
import { z } from 'zod';
import { camelRefs } from '../refs.ts';
import { listTimeline } from '../timeline/entry.ts';
import type { Contact } from './contact.ts';
import { contactCursor } from './cursor.ts';
import { getContact } from './get.ts';
import { mergeContacts } from './merge.ts';
import { partiesOfContact, type PartiesOf } from './person.ts';
import { searchContacts } from './search.ts';
import { counted, placed } from './batch.ts';
import { mostAtOnce, upsertContact, upsertContacts } from './upsert.ts';

const contact = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  name: z.string().nullable(),
  otherEmails: z.array(z.string()),
  otherPhones: z.array(z.string()),
  custom: z.record(z.string(), z.unknown()),
  source: z.record(z.string(), z.string()),
  archived: z.boolean(),
  test: z.boolean().meta({ description: 'Nobody but test keys has brought anything of it.' }),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const discarded = z.object({ name: z.string().optional(), custom: z.record(z.string(), z.unknown()).optional() });
const party = z.object({ id: z.uuid(), name: z.string(), customer: z.boolean(), supplier: z.boolean() });
const entry = z.object({
  id: z.uuid(),
  kind: z.string(),
  refs: z.record(z.string(), z.string()),
  occurredAt: z.string(),
  discarded: discarded.optional().meta({ description: 'Of a merge: what was not taken over.' }),
});
const page = pageOf(contact);
const upserted = z.object({ contact, created: z.boolean(), changed: z.array(z.string()) });

const shown = (found: Contact): Contact => ({ ...found, source: camelRefs(found.source) });
const present = ({ items, nextCursor }: Page<Contact>): Page<Contact> => ({ items: items.map(shown), nextCursor });

const identity = {
  email: z.string().max(1000).nullable().optional(),
  phone: z.string().max(200).nullable().optional(),
  name: z.string().max(1000).nullable().optional(),
  custom: z.record(z.string().max(200), z.unknown()).optional(),
  defaultCountry: z.string().max(2).optional(),
};
const filters = {
  query: z.string().min(1).max(400).optional(),
  email: z.string().min(1).max(400).optional(),
  phone: z.string().min(1).max(100).optional(),
  name: z.string().min(1).max(400).optional(),
  defaultCountry: z.string().max(2).optional(),
};
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const params = z.strictObject({ contactId: z.uuid() });
const refusals = ['contact_identity_required', 'contact_conflict'];

export const contactRoutes = (guard: Guard<Admitted>, partiesOf: PartiesOf): Route[] => [
  route({
    method: 'GET',
    path: '/api/contacts',
    does: 'service_search_contacts',
    summary: 'List or search contacts, newest first',
    description:
      'All filters hold together. `email` is an address or `@domain`, `phone` any spelling of a number, `name` the beginnings of words, ' +
      '`query` whichever of these is at hand; `field` and `value` a custom field; `test` those of test keys alone, or all others. What is personal is better sent to ' +
      '`POST /api/contacts/search`: addresses of requests are logged on their way.',
    tag: 'Contacts',
    guard,
    query: pageQuery(contactCursor).extend({
      ...filters,
      field: z.string().max(63).optional(),
      value: z.string().max(10_000).optional(),
      archived: flag.default(false),
      test: flag.optional(),
    }),
    answers: { 200: { description: 'A page of contacts.', schema: page } },
    handle: async ({ guard: { context }, query: { limit, cursor, field, value, ...filter } }) => {
      if ((field === undefined) !== (value === undefined))
        throw fail('invalid_request', 'Give field and value together.', {
          errors: [
            { pointer: field === undefined ? '?field' : '?value', code: 'required', detail: 'Give both or neither.' },
          ],
        });
      const custom = field === undefined ? undefined : { [field]: value };
      return {
        status: 200,
        body: present(
          await searchContacts(context, { ...filter, custom }, { limit, cursor }, (name) =>
            name.startsWith('custom') ? '?value' : `?${name}`,
          ),
        ),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/api/contacts/search',
    does: 'service_search_contacts',
    summary: 'Search contacts, newest first',
    description: 'The filters of the list in a body, and values of any number of custom fields.',
    tag: 'Contacts',
    guard,
    body: z.strictObject({
      ...filters,
      custom: identity.custom,
      archived: z.boolean().default(false),
      test: z.boolean().optional(),
      limit: pageLimit,
      cursor: contactCursor.optional(),
    }),
    answers: { 200: { description: 'A page of contacts.', schema: page } },
    handle: async ({ guard: { context }, body: { limit, cursor, ...filter } }) => ({
      status: 200,
      body: present(await searchContacts(context, filter, { limit, cursor })),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/contacts',
    does: 'service_upsert_contact',
    summary: 'Add a contact, or write over the one that is found',
    description:
      'Found by e-mail address, else phone, else, where neither is given, by name. What is given is written over what is there; ' +
      'null takes it away, what is not named stays.',
    tag: 'Contacts',
    guard,
    body: z.strictObject(identity),
    answers: {
      200: { description: 'The contact was there.', schema: upserted },
      201: { description: 'The contact is new.', schema: upserted },
    },
    errors: refusals,
    handle: async ({ guard: { context }, body }) => {
      const done = await upsertContact(context, body);
      return { status: done.created ? 201 : 200, body: { ...done, contact: shown(done.contact) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/contacts/batch',
    does: 'service_upsert_contacts',
    summary: 'Add or write over many contacts',
    description:
      `As adding one, for up to ${mostAtOnce} in one call, to bring contacts along from elsewhere. What is right is written, what is not ` +
      'is refused with its reason, each by itself; sending it all again does no harm.',
    tag: 'Contacts',
    guard,
    body: z.strictObject({ contacts: z.array(z.strictObject(identity)).min(1).max(mostAtOnce) }),
    answers: {
      200: {
        description: 'What became of each, in their order.',
        schema: z.object({
          counts: z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
          items: z.array(
            z.object({
              status: z.enum(['created', 'changed', 'unchanged', 'refused']),
              contactId: z.uuid().optional(),
              changed: z.array(z.string()).optional(),
              problem: z
                .object({ code: z.string(), detail: z.string(), errors: z.array(z.unknown()).optional() })
                .optional(),
            }),
          ),
        }),
      },
    },
    handle: async ({ guard: { context }, body: { contacts } }) => {
      const entries = await upsertContacts(context, contacts);
      return {
        status: 200,
        body: {
          counts: counted(entries),
          items: entries.map(({ problem, ...rest }, index) => ({
            ...rest,
            ...(problem === undefined ? {} : { problem: placed(problem, `/contacts/${index}`) }),
          })),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/contacts/:contactId',
    does: 'service_get_contact',
    summary: 'Read a contact',
    description:
      'With the customers and suppliers that are the same person, and as suggestions those of the same e-mail address that nobody is linked ' +
      'with. The id of a contact that was merged answers with the one it was merged into.',
    tag: 'Contacts',
    guard,
    params,
    answers: {
      200: {
        description: 'The contact.',
        schema: contact.extend({ parties: z.array(party), suggestedParties: z.array(party) }),
      },
    },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params: { contactId } }) => {
      const found = await getContact(context, contactId);
      const { linked, suggested } = await partiesOfContact(context, found, partiesOf);
      return { status: 200, body: { ...shown(found), parties: [...linked], suggestedParties: [...suggested] } };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/contacts/:contactId',
    does: 'service_upsert_contact',
    summary: 'Change, archive or restore a contact',
    description:
      'What is given is written, null takes it away. With `expectedVersion` only if nobody changed it meanwhile.',
    tag: 'Contacts',
    guard,
    params,
    body: z.strictObject({
      ...identity,
      archived: z.boolean().optional(),
      expectedVersion: versionNumber.optional(),
    }),
    answers: { 200: { description: 'The contact.', schema: upserted } },
    errors: ['not_found', 'stale_contact', ...refusals],
    handle: async ({ guard: { context }, params: { contactId }, body }) => {
      const done = await upsertContact(context, { ...body, contactId });
      return { status: 200, body: { ...done, contact: shown(done.contact) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/contacts/:contactId/merge',
    does: 'service_merge_contacts',
    summary: 'Merge another contact into this one',
    description:
      'This one keeps what it has and takes what it lacks; the timeline of the other comes along, and its id, e-mail address and phone ' +
      'lead here for ever. What of the other is not taken is answered as `discarded`, and kept on the timeline. It cannot be taken back, so it takes a person who may decide; agents ask with service_merge_contacts.',
    tag: 'Contacts',
    guard,
    params,
    body: z.strictObject({ duplicateId: z.uuid() }),
    answers: {
      200: {
        description: 'The contact.',
        schema: z.object({ contact, filled: z.array(z.string()), discarded, entries: z.int() }),
      },
    },
    errors: ['not_found', 'not_human', 'insufficient_scope'],
    handle: async ({ guard: { context }, params: { contactId }, body: { duplicateId } }) => {
      const merged = await mergeContacts(context, contactId, duplicateId);
      return { status: 200, body: { ...merged, contact: shown(merged.contact) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/contacts/:contactId/timeline',
    does: 'service_list_contact_timeline',
    summary: 'What happened with a contact, newest first',
    tag: 'Contacts',
    guard,
    params,
    query: pageQuery(),
    answers: {
      200: {
        description: 'A page of entries.',
        schema: pageOf(entry),
      },
    },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params: { contactId }, query }) => {
      const { items, nextCursor } = await listTimeline(context, contactId, query);
      return {
        status: 200,
        body: { items: items.map((one) => ({ ...one, refs: camelRefs(one.refs) })), nextCursor },
      };
    },
  }),
];
