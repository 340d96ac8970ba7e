import { route, type Guard, type Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { z } from 'zod';
import { defineContactField, setDefaultCountry } from './define.ts';
import { fieldTypes, longestValue } from './field.ts';
import { readContactSchema, readSchemaVersion } from './schema.ts';
import { definition } from './shape.ts';

const field = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  description: z.string().nullable(),
  options: z.array(z.object({ value: z.string(), label: z.string(), retired: z.boolean() })),
  maxLength: z.int().nullable(),
  retired: z.boolean(),
});
const schema = z.object({
  version: z.int(),
  defaultCountry: z.string().nullable(),
  fields: z.array(field),
});

export const schemaRoutes = (guard: Guard<Admitted>): Route[] => [
  route({
    method: 'GET',
    path: '/api/contact-schema',
    does: 'service_get_contact_schema',
    summary: 'Read the active schema of contacts',
    description: 'The custom fields; e-mail address, phone and name are built in.',
    tag: 'Contacts',
    guard,
    answers: { 200: { description: 'The schema.', schema } },
    handle: async ({ guard: { context } }) => ({ status: 200, body: await readContactSchema(context) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/contact-schema',
    does: 'service_set_contact_country',
    summary: 'Set the country of phone numbers that do not name theirs',
    tag: 'Contacts',
    guard,
    body: z.strictObject({ defaultCountry: z.string().max(2).nullable() }),
    answers: { 200: { description: 'The schema, of a new version where it changed.', schema } },
    handle: async ({ guard: { context }, body }) => ({
      status: 200,
      body: await setDefaultCountry(context, body.defaultCountry),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/contact-schema/versions/:version',
    does: 'service_get_contact_schema',
    summary: 'Read a version of the schema of contacts',
    tag: 'Contacts',
    guard,
    params: z.strictObject({ version: z.string().regex(/^[1-9][0-9]{0,8}$/, 'Give a version: 1, 2, …') }),
    answers: { 200: { description: 'The schema as it was.', schema } },
    errors: ['not_found'],
    handle: async ({ guard: { context }, params }) => ({
      status: 200,
      body: await readSchemaVersion(context, Number(params.version)),
    }),
  }),
  route({
    method: 'PUT',
    path: '/api/contact-schema/fields/:key',
    does: 'service_define_contact_field',
    summary: 'Define a custom field, or change what is given of one',
    description:
      'A new field needs its type, which never changes. `options` are all there are to be: one that is left out is retired. ' +
      'Contacts keep values of retired fields and options; new ones are refused.',
    tag: 'Contacts',
    guard,
    params: z.strictObject({ key: z.string().max(200) }),
    body: z.strictObject({ ...definition, maxLength: z.int().min(1).max(longestValue).optional() }),
    answers: {
      200: { description: 'The field was there.', schema: z.object({ field, version: z.int(), created: z.boolean() }) },
      201: { description: 'The field is new.', schema: z.object({ field, version: z.int(), created: z.boolean() }) },
    },
    errors: ['contact_field_fixed', 'contact_field_limit', 'contact_schema_limit'],
    handle: async ({ guard: { context }, params: { key }, body }) => {
      const defined = await defineContactField(context, { ...body, key });
      return {
        status: defined.created ? 201 : 200,
        body: { field: defined.field, version: defined.schema.version, created: defined.created },
      };
    },
  }),
];
