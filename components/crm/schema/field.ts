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

export interface FieldOption {
  readonly value: string;
  readonly label: string;
  /** Contacts keep it; it cannot be given any more. */
  readonly retired: boolean;
}

/** A custom field of contacts. */
export interface ContactField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly description: string | null;
  /** Of select and multiselect; empty otherwise. */
  readonly options: readonly FieldOption[];
  /** Characters of a text; null for other types. */
  readonly maxLength: number | null;
  /** Contacts keep their values; new ones are refused. */
  readonly retired: boolean;
}

export interface ContactSchema {
  /** 1 is what every tenant starts with: the built-in fields alone. */
  readonly version: number;
  /** For phone numbers that do not name their country, where a form says nothing else; ISO 3166. */
  readonly defaultCountry: string | null;
  readonly fields: readonly ContactField[];
}

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
