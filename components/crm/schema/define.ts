import { asItWas, isAsItWas, operation } from '@steward/access';
import type { Fixed } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { isTold } from '../contacts/contact.ts';
import { crmFail } from '../errors.ts';
import { isCountry } from '../identity/phone.ts';
import { defines } from '../operations.ts';
import { isOneLine, isProse, trimmed } from '../text.ts';
import {
  contactField,
  contactSchema,
  defaultLengths,
  fieldKey,
  fieldTypes,
  longestValue,
  mostFields,
  mostOptions,
  mostSchemaBytes,
  mostVersions,
  reservedKeys,
  type ContactField,
  type ContactSchema,
  type FieldOption,
} from './field.ts';
import { contactSchemaIn } from './schema.ts';

const optionInput = z.union([
  z.string().min(1).max(400),
  z.strictObject({
    value: z.string().min(1).max(400).meta({ description: 'What contacts hold.' }),
    label: z.string().min(1).max(400).optional().meta({ description: 'What people read. Default: the value.' }),
  }),
]);

const definition = z.strictObject({
  key: z
    .string()
    .max(200)
    .meta({ description: 'The key that forms and callers use: a–z, 0–9 and _, beginning with a letter.' }),
  type: z.enum(fieldTypes).optional().meta({ description: 'Needed for a new field.' }),
  label: z.string().min(1).max(400).optional().meta({ description: 'What people read. Default: the key.' }),
  description: z
    .string()
    .max(4000)
    .nullable()
    .optional()
    .meta({ description: 'What it holds, for people. null removes it.' }),
  options: z
    .array(optionInput)
    .min(1)
    .max(500)
    .optional()
    .meta({ description: 'For select and multiselect: `["Gold"]` or `[{"value":"g","label":"Gold"}]`.' }),
  retired: z.boolean().optional().meta({ description: 'true: takes no new values; false: takes them again.' }),
  /** It may be made smaller: values that are there stay. */
  maxLength: z
    .int()
    .min(1)
    .max(longestValue)
    .optional()
    .meta({ description: 'Longest value in characters, for types text and long_text.' }),
});
export type FieldDefinition = Fixed<z.output<typeof definition>>;

/**
 * Adds a custom field or changes what is given of one: label, description, options, length, retired. Each change is a new
 * version of the schema; saying what is so already changes nothing.
 * @throws Problem `invalid_request` (400), `contact_field_fixed`, `contact_field_limit`, `contact_schema_limit` (409)
 */
export const defineContactField = operation(
  {
    ...defines,
    name: 'service_define_contact_field',
    input: definition,
    answer: z.object({ field: contactField, version: z.int(), created: z.boolean() }),
    errors: ['contact_field_fixed', 'contact_field_limit', 'contact_schema_limit'],
  },
  async (scope, given) =>
    scope.write(async (tx) => {
      let created = false;
      const schema = await changeSchema(tx, (before) => {
        const known = before.fields.find(({ key }) => key === given.key);
        created = known === undefined;
        if (created && before.fields.length >= mostFields)
          throw crmFail(
            'contact_field_limit',
            `Contacts have ${mostFields} custom fields at most, retired ones included: change one of them instead.`,
          );
        const field = known === undefined ? newField(given) : changedField(known, given);
        return {
          ...before,
          fields:
            known === undefined ? [...before.fields, field] : before.fields.map((one) => (one === known ? field : one)),
        };
      });
      const { fields, version } = schema;
      const field = fields.find(({ key }) => key === given.key);
      if (field === undefined) throw new Error('the field is not in the schema that was just written');
      const answer = { field, version, created };
      return isAsItWas(schema) ? asItWas(answer) : answer;
    }),
);

/**
 * Sets the country of phone numbers that do not name theirs; null for none.
 * @throws Problem `invalid_request` (400), `contact_schema_limit` (409)
 */
export const setDefaultCountry = operation(
  {
    ...defines,
    name: 'service_set_contact_country',
    input: z.strictObject({
      defaultCountry: z
        .string()
        .max(2)
        .nullable()
        .meta({ description: 'Two letters of ISO 3166, such as DE. null: none.' }),
    }),
    answer: contactSchema,
  },
  async (scope, { defaultCountry }) => {
    if (defaultCountry !== null && !isCountry(defaultCountry))
      throw wrong('/defaultCountry', 'Give a country as its two capital letters of ISO 3166, such as DE.');
    return scope.write(async (tx) => changeSchema(tx, (before) => ({ ...before, defaultCountry })));
  },
);

/** Insert-first: a caller that comes second reads the other's version and changes that. */
async function changeSchema(
  tx: TenantTransaction,
  change: (before: ContactSchema) => ContactSchema,
): Promise<ContactSchema> {
  for (;;) {
    const before = await contactSchemaIn(tx);
    const { version, ...document } = change(before);
    const { version: _, ...old } = before;
    if (canonical(document) === canonical(old)) return asItWas({ ...before });
    requireSpace(document, version);
    const rows = await tx.query(sql`
      insert into crm.contact_schema (tenant_id, version, document)
      values (${tx.context.tenant}::uuid, ${version + 1}::int, ${JSON.stringify(document)}::jsonb)
      on conflict do nothing returning version`);
    if (rows.length === 0) continue;
    const changed = document.fields.filter((field) => {
      const known = before.fields.find(({ key }) => key === field.key);
      return known === undefined || canonical(known) !== canonical(field);
    });
    tx.record(event('crm.schema.changed', { version: version + 1, fields: changed.map(({ key }) => key) }));
    return { ...document, version: version + 1 };
  }
}

/** @throws Problem `contact_schema_limit` (409) */
function requireSpace(document: Omit<ContactSchema, 'version'>, version: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes > mostSchemaBytes)
    throw crmFail(
      'contact_schema_limit',
      `The schema would take ${bytes} bytes, more than the ${mostSchemaBytes} allowed: shorten labels, descriptions and ` +
        'lists of options.',
    );
  // Every version is kept.
  if (version >= mostVersions)
    throw crmFail(
      'contact_schema_limit',
      `The schema was changed ${mostVersions - 1} times, the most allowed, and can no longer change.`,
    );
}

/** jsonb does not keep the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

function newField(given: FieldDefinition): ContactField {
  if (!fieldKey.test(given.key))
    throw wrong(
      '/key',
      'Give a key of a letter from a to z, then up to 62 of a–z, 0–9 and _, such as favourite_colour.',
    );
  if (reservedKeys.has(given.key) || isTold(given.key))
    throw wrong('/key', `The key ${given.key} is reserved: choose another key.`);
  if (given.type === undefined) throw wrong('/type', 'Give the type of the new field.');
  const blank: ContactField = {
    key: given.key,
    label: given.key,
    type: given.type,
    description: null,
    options: [],
    maxLength: defaultLengths[given.type] ?? null,
    retired: false,
  };
  return changedField(blank, given);
}

function changedField(known: ContactField, given: FieldDefinition): ContactField {
  if (given.type !== undefined && given.type !== known.type)
    throw crmFail(
      'contact_field_fixed',
      `The type of ${known.key} is ${known.type} and cannot change: define another field and retire this one.`,
    );
  const chosen = known.type === 'select' || known.type === 'multiselect';
  if (given.options !== undefined && !chosen)
    throw wrong('/options', `A field of type ${known.type} has no options: leave them out.`);
  const options = given.options === undefined ? known.options : optionsOf(known.options, given.options);
  if (chosen && !options.some(({ retired }) => !retired)) throw wrong('/options', 'Give one option or more.');
  if (given.maxLength !== undefined && known.maxLength === null)
    throw wrong('/maxLength', `A field of type ${known.type} has no length: leave it out.`);
  if (
    given.maxLength !== undefined &&
    !(Number.isInteger(given.maxLength) && given.maxLength >= 1 && given.maxLength <= longestValue)
  )
    throw wrong('/maxLength', `Give a length from 1 to ${longestValue} characters.`);
  const label = given.label === undefined ? known.label : trimmed(given.label);
  if (label === '' || [...label].length > 200 || !isOneLine(label))
    throw wrong('/label', 'Give one line of 1 to 200 characters.');
  const description = given.description === undefined ? known.description : given.description;
  if (description !== null && (description.length > 2000 || !isProse(description)))
    throw wrong('/description', 'Give up to 2000 characters, without control characters.');
  return {
    ...known,
    label,
    description,
    options,
    maxLength: given.maxLength ?? known.maxLength,
    retired: given.retired ?? known.retired,
  };
}

function optionsOf(known: readonly FieldOption[], given: NonNullable<FieldDefinition['options']>): FieldOption[] {
  const labels = new Map(known.map(({ value, label }) => [value, label]));
  const open = given.map((one, index) => {
    const { value, label } = typeof one === 'string' ? { value: one, label: undefined } : one;
    const option = {
      value: trimmed(value),
      label: trimmed(label ?? labels.get(trimmed(value)) ?? value),
      retired: false,
    };
    for (const [name, text] of [
      ['value', option.value],
      ['label', option.label],
    ] as const)
      if (text === '' || [...text].length > 200 || !isOneLine(text))
        throw wrong(`/options/${index}/${name}`, 'Give one line of 1 to 200 characters.');
    return option;
  });
  const values = new Set(open.map(({ value }) => value));
  if (values.size < open.length) throw wrong('/options', 'Give each value only once.');
  const all = [
    ...open,
    ...known.filter(({ value }) => !values.has(value)).map((option) => ({ ...option, retired: true })),
  ];
  if (all.length > mostOptions) throw wrong('/options', `Give up to ${mostOptions} options, retired ones included.`);
  return all;
}

const wrong = (pointer: string, detail: string): Error =>
  fail('invalid_request', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'invalid_value', detail }] });
