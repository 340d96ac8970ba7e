import type { FieldError } from '@steward/kernel';
import { commerceFail } from '../errors.ts';
import type { FormField, PublishedForm } from '@steward/studio';
import { errors as crmFail } from '@steward/crm';
import { step, type Data } from './body.ts';

/** Nothing to see: white space of any script, and characters that draw nothing. */
const blank = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]*$/u;

/** Why a value is as good as not given; undefined for one that is. `0` and `false` are given. */
export function absence(value: unknown): 'required' | 'blank' | 'empty' | undefined {
  if (value === undefined || value === null) return 'required';
  if (typeof value === 'string' && blank.test(value)) return 'blank';
  if (Array.isArray(value) && value.length === 0) return 'empty';
  return undefined;
}

/** Own members only: a field may be named like something every object has. */
export const valueOf = (data: Data, name: string): unknown => (Object.hasOwn(data, name) ? data[name] : undefined);

const said = {
  required: 'This field is required.',
  blank: 'This field is required and may not be blank.',
  empty: 'This field is required: choose at least one.',
} as const;

/**
 * Of a form's rules only `required` is enforced here (interface document). The page checks formats, and the contact schema checks
 * mapped values.
 * @throws Problem `required_fields_missing` (400) naming every field
 */
export function checkRequired(form: PublishedForm, data: Data): void {
  const errors: FieldError[] = [];
  for (const name of requiredFields(form)) {
    const missing = absence(valueOf(data, name));
    if (missing !== undefined) errors.push({ pointer: `/data${step(name)}`, code: missing, detail: said[missing] });
  }
  if (errors.length > 0)
    throw commerceFail('required_fields_missing', 'Fill in the fields named in errors.', { errors });
}

function requiredFields({ fields, validationRules }: PublishedForm): Set<string> {
  const flagged = fields.filter(({ required }) => required).map(({ name }) => name);
  const ruled = validationRules.filter(({ rule }) => rule === 'required').map(({ field }) => field);
  return new Set([...flagged, ...ruled]);
}

/** What a submission says about a contact. */
export interface Mapping {
  /** By contact field: `email`, `phone`, `name`, else the key of a custom one. */
  readonly values: ReadonlyMap<string, unknown>;
  /** The form's field that each came from. */
  readonly fieldOf: ReadonlyMap<string, string>;
  /** The box was ticked by which a person agrees to be sent news. */
  readonly agreed: boolean;
}

const consent = 'marketing_consent';
const identities: ReadonlySet<string> = new Set(['email', 'phone', 'name']);

/**
 * The values that a form maps to its contact; undefined where none was given. Blank values say nothing about anybody, nor does a box that is not ticked.
 * @throws Problem `unsupported_mapping_target`, `contact_identity_required`, `invalid_contact_values` (400)
 */
export function mapContact({ fields, targetEntityType }: PublishedForm, data: Data): Mapping | undefined {
  const mapped = fields.filter((field): field is MappedField => field.mapsTo !== undefined);
  if (mapped.length === 0) return undefined;
  if (targetEntityType !== 'crm_contact') {
    throw commerceFail(
      'unsupported_mapping_target',
      'This form maps fields to something other than a contact. Its owner must publish it with the target crm_contact, or without mappings.',
      {
        errors: mapped.slice(0, 20).map(({ name }) => ({
          pointer: `/data${step(name)}`,
          code: 'unsupported_mapping_target',
          detail: 'This field is mapped to a target that cannot be written.',
        })),
      },
    );
  }
  const values = new Map<string, unknown>();
  const fieldOf = new Map<string, string>();
  let agreed = false;
  for (const { name, mapsTo } of mapped) {
    const value = valueOf(data, name);
    if (absence(value) !== undefined || values.has(mapsTo)) continue;
    if (mapsTo === consent) agreed = isTicked(name, value);
    else values.set(mapsTo, value);
    fieldOf.set(mapsTo, name);
  }
  if (values.size === 0 && !agreed) return undefined;
  if (![...values.keys()].some((key) => identities.has(key))) {
    throw crmFail(
      'contact_identity_required',
      'The values for a contact lack an e-mail address, a phone number or a name: fill in one of these fields.',
      {
        errors: unidentified(mapped, fieldOf),
      },
    );
  }
  return { values, fieldOf, agreed };
}

/** Nobody agrees to anything by words that may mean it. */
function isTicked(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw commerceFail('invalid_contact_values', undefined, {
    errors: [
      {
        pointer: `/data${step(name)}`,
        code: 'invalid_type',
        detail: 'Send true where the box is ticked, and false where it is not.',
      },
    ],
  });
}

type MappedField = FormField & { readonly mapsTo: string };

/** The fields that would say whose the values are; where the form has none, those that say it of nobody. */
function unidentified(mapped: readonly MappedField[], fieldOf: ReadonlyMap<string, string>): FieldError[] {
  const identifying = mapped.filter(({ mapsTo }) => identities.has(mapsTo)).map(({ name }) => name);
  const detail =
    identifying.length > 0
      ? 'Fill in the e-mail address, the phone number or the name.'
      : 'The form has no field for an e-mail address, a phone number or a name: its owner must add one.';
  return (identifying.length > 0 ? identifying : [...fieldOf.values()])
    .slice(0, 20)
    .map((name) => ({ pointer: `/data${step(name)}`, code: 'identity_required', detail }));
}
