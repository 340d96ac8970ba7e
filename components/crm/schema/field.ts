import type { Fixed } from '@steward/contract';
import { z } from 'zod';

/** `text` is one line, `long_text` many; `number` a decimal of up to 15 digits. */
export const fieldTypes = [
  'text',
  'long_text',
  'number',
  'boolean',
  'date',
  'datetime',
  'select',
  'multiselect',
  'url',
  'email',
  'phone',
] as const;
export type FieldType = (typeof fieldTypes)[number];

const option = z.object({
  value: z.string(),
  label: z.string(),
  /** Contacts keep it; it cannot be given any more. */
  retired: z.boolean(),
});
export type FieldOption = Fixed<z.output<typeof option>>;

/** A custom field of contacts. */
export const contactField = z.object({
  key: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  description: z.string().nullable(),
  /** Of select and multiselect; empty otherwise. */
  options: z.array(option),
  /** Characters of a text; null for other types. */
  maxLength: z.int().nullable(),
  /** Contacts keep their values; new ones are refused. */
  retired: z.boolean(),
});
export type ContactField = Fixed<z.output<typeof contactField>>;

export const contactSchema = z.object({
  /** 1 is what every tenant starts with: the built-in fields alone. */
  version: z.int(),
  /** For phone numbers that do not name their country, where a form says nothing else; ISO 3166. */
  defaultCountry: z.string().nullable(),
  fields: z.array(contactField),
});
export type ContactSchema = Fixed<z.output<typeof contactSchema>>;

export const builtInFields = ['email', 'phone', 'name'] as const;
export type BuiltInField = (typeof builtInFields)[number];

/** Words that mean something else wherever a contact or a submission is written down. */
export const reservedKeys: ReadonlySet<string> = new Set([
  ...builtInFields,
  'id',
  'contactId',
  'contact_id',
  'contactid',
  'custom',
  'custom_fields',
  'marketing_consent',
  'source',
  'version',
  'archived',
  'created_at',
  'updated_at',
  'constructor',
  'prototype',
]);
export const fieldKey = /^[a-z][a-z0-9_]{0,62}$/;
export const mostFields = 200;
export const mostOptions = 500;
/** All fields together, as JSON. */
export const mostSchemaBytes = 524_288;
/** Each is kept. */
export const mostVersions = 2_000;
/** Bytes of one value at most. */
export const longestValue = 65_536;
export const defaultLengths: Readonly<Partial<Record<FieldType, number>>> = { text: 1000, long_text: 20_000 };

export const isBuiltIn = (key: string): key is BuiltInField => (builtInFields as readonly string[]).includes(key);
