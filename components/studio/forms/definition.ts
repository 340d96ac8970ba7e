import { versionNumber } from '@steward/contract';
import { z } from 'zod';
import { country } from '../sites/country.ts';
import { line, lines } from '../text.ts';

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

export const ruleNames = [
  'required',
  'min_length',
  'max_length',
  'pattern',
  'min',
  'max',
  'min_items',
  'max_items',
] as const;
export type RuleName = (typeof ruleNames)[number];

export const mostFields = 200;
const mostOptions = 500;
const mostRules = 500;
const mostMails = 10;

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly placeholder?: string | undefined;
  readonly helpText?: string | undefined;
  readonly options?: readonly FormOption[] | undefined;
  /** `email`, `phone` or `name` of the contact, else the key of a custom field of the contact schema. */
  readonly mapsTo?: string | undefined;
}

export interface ValidationRule {
  readonly field: string;
  readonly rule: RuleName;
  readonly value?: string | number | undefined;
  readonly message?: string | undefined;
}

/** Of what leaves: the members of a field whose names REST and tools spell alike. */
export const shownField = {
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  placeholder: z.string().optional(),
};
export const shownOptions = z.array(z.object({ value: z.string(), label: z.string() })).optional();
export const shownRules = z.array(
  z.object({
    field: z.string(),
    rule: z.enum(ruleNames),
    value: z.union([z.string(), z.number()]).optional(),
    message: z.string().optional(),
  }),
);

/** What a draft holds, and what a version holds for good. */
export interface FormDefinition {
  readonly fields: readonly FormField[];
  readonly validationRules: readonly ValidationRule[];
  readonly targetEntityType: string | null;
  readonly notificationEmails: readonly string[];
  readonly defaultCountry: string | null;
}

// The parts of which the shapes of REST and of the tools are made: they differ in the case of their names only.
export const fieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'A name is a letter, then up to 63 letters, digits, _ or -');
export const label = line(300);
export const placeholder = line(300);
export const helpText = lines(2000);
export const mapsTo = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'email, phone, name, or the key of a custom contact field');
export const options = z
  .array(
    z.union([
      line(200).transform((value) => ({ value, label: value })),
      z
        .strictObject({ value: line(200), label: line(300).optional() })
        .transform(({ value, label: text }) => ({ value, label: text ?? value })),
    ]),
  )
  .min(1)
  .max(mostOptions);
export const rule = z.strictObject({
  field: fieldName,
  rule: z.enum(ruleNames),
  value: z.union([z.string().max(500), z.number()]).optional(),
  message: line(300).optional(),
});
export const rules = z.array(rule).max(mostRules);
export const target = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'crm_contact, or another entity type in lower case')
  .nullable();
export const mails = z.array(z.email().max(254)).max(mostMails);
export const formName = line(200);

const field = z.strictObject({
  name: fieldName,
  label,
  type: z.enum(fieldTypes),
  required: z.boolean().default(false),
  placeholder: placeholder.optional(),
  helpText: helpText.optional(),
  options: options.optional(),
  mapsTo: mapsTo.optional(),
});

const parts = {
  name: formName,
  fields: z.array(field).max(mostFields),
  validationRules: rules,
  targetEntityType: target,
  notificationEmails: mails,
  defaultCountry: country.nullable(),
};

export const newForm = z.strictObject({
  siteId: z.uuid(),
  ...parts,
  validationRules: parts.validationRules.default([]),
  targetEntityType: parts.targetEntityType.optional(),
  notificationEmails: parts.notificationEmails.default([]),
  defaultCountry: parts.defaultCountry.default(null),
});
export type NewForm = z.input<typeof newForm>;

export const formChange = z
  .strictObject({
    ...parts,
    /** The revision that the change was made from; another one by now is refused. */
    revision: versionNumber,
  })
  .partial();
export type FormChange = z.input<typeof formChange>;
