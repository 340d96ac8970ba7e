import type { FieldError } from '@steward/kernel';
import { jsonPointer } from '@steward/kernel';
import { isBuiltIn, longestValue, type ContactSchema } from '../schema/field.ts';
import { isBlank, readValue, type Value } from '../schema/value.ts';
import { isTold, told, type Said, type ToldKey } from './contact.ts';

export interface MappedOptions {
  /** Of phone numbers that do not name theirs; ISO 3166. The schema's where it is not given. */
  readonly defaultCountry?: string | undefined;
  /** The place of a value in the body of the caller's request; `/<key>` if it is not given. */
  readonly pointer?: ((key: string) => string) | undefined;
}

/** Reads values by key of the contact (`email`, `phone`, `name`, or a custom field) and says all that is wrong with them. */
export function readMapped(
  schema: ContactSchema,
  mapped: Readonly<Record<string, unknown>>,
  options: MappedOptions = {},
): { readonly said: Said; readonly errors: FieldError[] } {
  const country = options.defaultCountry ?? schema.defaultCountry ?? undefined;
  const errors: FieldError[] = [];
  const said: { -readonly [K in keyof Said]: Said[K] } & { custom: Record<string, Value> } = { custom: {} };
  const wrong = (key: string, code: string, detail: string): void => {
    errors.push({
      pointer: options.pointer?.(key) ?? jsonPointer([key]),
      code,
      detail,
    });
  };
  const fields = new Map(schema.fields.map((field) => [field.key, field]));
  for (const [key, given] of Object.entries(mapped)) {
    if (isBlank(given)) continue;
    if (isTold(key)) {
      const fault = readTold(said, key, given, country);
      if (fault !== undefined) wrong(key, 'invalid_value', fault);
      continue;
    }
    const field = fields.get(key);
    if (field === undefined) wrong(key, 'unknown_field', unknownField(schema));
    else if (field.retired) wrong(key, 'retired_field', 'This field is retired and takes no new values: leave it out.');
    else {
      const { value, fault } = readValue(field, given, country);
      if (value === undefined) wrong(key, 'invalid_value', fault ?? 'The value does not match the type of the field.');
      else if (typeof value === 'string' && Buffer.byteLength(value) > longestValue)
        wrong(key, 'invalid_value', `Give a value of up to ${longestValue} bytes.`);
      else said.custom[key] = value;
    }
  }
  return { said, errors };
}

/**
 * What is wrong with values that are mapped to a contact, by the active schema: unknown or retired fields, values that are not
 * of their type, and custom values with nothing that says whose they are. Empty where all is well; blank values say nothing.
 */
export function checkMapped(
  schema: ContactSchema,
  mapped: Readonly<Record<string, unknown>>,
  options: MappedOptions = {},
): FieldError[] {
  const { errors } = readMapped(schema, mapped, options);
  const given = Object.keys(mapped).filter((key) => !isBlank(mapped[key]));
  const custom = given.find((key) => !isBuiltIn(key));
  if (custom !== undefined && !given.some(isBuiltIn))
    errors.push({
      pointer: options.pointer?.(custom) ?? `/${custom}`,
      code: 'identity_required',
      detail: 'Nothing says whose value this is: also give an e-mail address, a phone or a name.',
    });
  return errors;
}

/** @returns what is wrong with it */
function readTold(said: object, key: ToldKey, given: unknown, country: string | undefined): string | undefined {
  const text = typeof given === 'number' && Number.isFinite(given) && key !== 'email' ? String(given) : given;
  if (typeof text !== 'string') return 'Give a text.';
  const value = told[key].read(text, country);
  if (value === undefined) return told[key].fault(text, country);
  Object.assign(said, { [key]: value });
  return undefined;
}

function unknownField({ fields }: ContactSchema): string {
  const known = fields.filter(({ retired }) => !retired).map(({ key }) => key);
  const shown = `${known.slice(0, 30).join(', ')}${known.length > 30 ? ', …' : ''}`;
  return known.length === 0
    ? 'Contacts have no custom fields yet: define this field first.'
    : `Contacts have no such field. The fields are ${shown}.`;
}
