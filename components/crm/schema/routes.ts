import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { defineContactField, setDefaultCountry } from './define.ts';
import { readContactSchema, readSchemaVersion } from './schema.ts';

export function schemaRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Contacts' });
  return [
    rest('GET', '/api/contact-schema', readContactSchema, {
      summary: 'Read the active schema of contacts',
      description: 'The custom fields. E-mail address, phone and name are built in and not listed.',
      answers: { 200: 'The schema.' },
    }),
    rest('PATCH', '/api/contact-schema', setDefaultCountry, {
      proposes: false,
      summary: 'Set the country of phone numbers that do not name theirs',
      answers: { 200: 'The schema, of a new version where it changed.' },
    }),
    rest('GET', '/api/contact-schema/versions/:version', readSchemaVersion, {
      summary: 'Read a version of the schema of contacts',
      answers: { 200: 'The schema as it was.' },
    }),
    rest('PUT', '/api/contact-schema/fields/:key', defineContactField, {
      summary: 'Define or change a custom field',
      description:
        'A new field needs a `type`, which never changes. `options` replaces the whole list: an option that is left out is ' +
        'retired. Contacts keep the values of retired fields and options, and take no new ones.',
      answers: { 200: 'The field was there.', 201: 'The field is new.' },
      status: ({ created }) => (created ? 201 : 200),
    }),
  ];
}
