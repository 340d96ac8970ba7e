import { type Fixed, fits, line, remark, remarks } from '@steward/contract';
import { z } from 'zod';
import { country } from '../sites/country.ts';

export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'checkbox',
  'radio',
  'select',
  'multiselect',
  'hidden',
] as const;
export type FieldType = (typeof fieldTypes)[number];

const ruleNames = ['required', 'min_length', 'max_length', 'pattern', 'min', 'max', 'min_items', 'max_items'] as const;
export type RuleName = (typeof ruleNames)[number];

/** What a draft holds, and what a version holds for good. */
export const definition = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.enum(fieldTypes),
      required: z.boolean(),
      placeholder: z.string().optional(),
      helpText: z.string().optional(),
      options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
      /** `email`, `phone` or `name` of the contact, else the key of a custom field of the contact schema. */
      mapsTo: z.string().optional(),
    }),
  ),
  validationRules: z.array(
    z.object({
      field: z.string(),
      rule: z.enum(ruleNames),
      value: z.union([z.string(), z.number()]).optional(),
      message: z.string().optional(),
    }),
  ),
  targetEntityType: z.string().nullable(),
  notificationEmails: z.array(z.string()),
  defaultCountry: z.string().nullable(),
});
export type FormDefinition = Fixed<z.output<typeof definition>>;
export type FormField = FormDefinition['fields'][number];
export type FormOption = NonNullable<FormField['options']>[number];
export type ValidationRule = FormDefinition['validationRules'][number];

const fieldName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const noName = 'Give a letter, then up to 63 letters, digits, _ or -';

/** The input of a form. Names of its fields are values, so their spelling is never converted. */
export const given = {
  name: line(200).meta({ description: 'Title of the form, such as `Contact us`.' }),
  fields: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(fieldName, noName)
          .meta({ description: 'Key of the submitted value: a letter, then letters, digits, _ or -.' }),
        label: line(300).meta({ description: 'What the visitor reads.' }),
        type: z.enum(fieldTypes).meta({ description: 'Kind of input.' }),
        required: z.boolean().optional().meta({ description: 'true: no submission without it.' }),
        placeholder: remark(300).optional().meta({ description: 'Shown while the input is empty.' }),
        helpText: remarks(2000).optional().meta({ description: 'Shown beside the input.' }),
        options: z
          .array(
            z.union([
              line(200),
              z.strictObject({
                value: line(200).meta({ description: 'What is submitted.' }),
                label: remark(300).optional().meta({ description: 'What the visitor reads. Default: the value.' }),
              }),
            ]),
          )
          .min(1)
          .max(500)
          .optional()
          .meta({
            description: 'For types radio, select and multiselect: `["Sales"]` or `[{"value":"s","label":"Sales"}]`.',
          }),
        mapsTo: z
          .string()
          .regex(
            /^[a-z][a-z0-9_]{0,62}$/,
            'Give email, phone, name, marketing_consent, or the key of a custom contact field',
          )
          .optional()
          .meta({
            description:
              '`email`, `phone` or `name` of the contact, `marketing_consent` for a checkbox by which they agree to news, or the key of a custom contact field.',
          }),
      }),
    )
    .max(200)
    .meta({ description: 'The inputs, in order.' }),
  validationRules: z
    .array(
      z.strictObject({
        field: z.string().max(64).check(fits(fieldName, noName)).meta({ description: '`name` of the field.' }),
        rule: z.enum(ruleNames).meta({ description: 'What is checked.' }),
        value: z
          .union([z.string().max(500), z.number()])
          .optional()
          .meta({ description: 'The bound or pattern.' }),
        message: line(300).optional().meta({ description: 'What the visitor is told.' }),
      }),
    )
    .max(500)
    .meta({
      description:
        'Rules that pages check: [{"field":"message","rule":"min_length","value":10,"message":"A little more, please"}]. ' +
        'Texts: min_length, max_length, pattern; numbers and dates: min, max; multiselect: min_items, max_items.',
    }),
  targetEntityType: z
    .string()
    .max(64)
    .check(fits(/^[a-z][a-z0-9_]{0,63}$/, 'Give crm_contact, or another entity type in lower case'))
    .nullable()
    .meta({ description: '`crm_contact` (the default) if fields are mapped, else null.' }),
  notificationEmails: z
    .array(z.email().max(254))
    .max(10)
    .meta({ description: 'Addresses of your own that receive an e-mail for each submission.' }),
  defaultCountry: country.nullable().meta({
    description: 'Country of phone numbers without a country code, ISO 3166. Default: that of the site.',
  }),
};
const { fields, ...others } = z.object(given).omit({ name: true }).shape;
const givenDefinition = z.object({ fields, ...z.object(others).partial().shape });
/** A definition as somebody writes it down. */
export type GivenDefinition = Fixed<z.output<typeof givenDefinition>>;
