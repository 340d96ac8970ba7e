import type { FieldError } from '@steward/kernel';
import { studioFail } from '../errors.ts';
import type { ContactFields } from '../deps.ts';
import type { FormDefinition, FormField } from './definition.ts';

/** Which fields every contact has; a mapping to anything else names a custom field. */
export const identityFields: ReadonlySet<string> = new Set(['email', 'phone', 'name']);

/** By it a person agrees to be sent news. */
const consentField = 'marketing_consent';

/**
 * What a form must hold beyond a sound draft: a submission of it can become what it says.
 * @param custom the custom fields of the active contact schema
 * @throws Problem `form_not_publishable` (400) with pointers
 */
export function requirePublishable({ fields, targetEntityType }: FormDefinition, custom: ContactFields): void {
  const errors: FieldError[] = [];
  if (fields.length === 0) errors.push({ pointer: '/fields', code: 'required', detail: 'Add at least one field.' });
  const mapped = fields.flatMap(({ mapsTo }, index) => (mapsTo === undefined ? [] : [{ mapsTo, index }]));
  if (mapped.length > 0 && targetEntityType !== 'crm_contact')
    errors.push({
      pointer: '/targetEntityType',
      code: 'invalid_target',
      detail: 'Fields are mapped, so targetEntityType must be crm_contact: set it, or remove the mappings.',
    });
  for (const { mapsTo, index } of mapped) {
    if (identityFields.has(mapsTo)) continue;
    if (mapsTo === consentField) {
      if (fields[index]?.type !== 'checkbox')
        errors.push({
          pointer: `/fields/${index}/type`,
          code: 'checkbox_required',
          detail: 'Nobody agrees to news but by ticking a box: make the field a checkbox.',
        });
      continue;
    }
    if (custom.has(mapsTo)) {
      const field = fields[index];
      if (field !== undefined) errors.push(...choicesRefused(field, `/fields/${index}`, mapsTo, custom));
      continue;
    }
    errors.push({
      pointer: `/fields/${index}/mapsTo`,
      code: 'unknown_field',
      detail: `The contact schema has no field ${mapsTo}: define it first, or map to email, phone, name, ${consentField}${[
        ...custom.keys(),
      ]
        .slice(0, 20)
        .map((key) => `, ${key}`)
        .join('')}.`,
    });
  }
  if (mapped.length > 0 && !mapped.some(({ mapsTo }) => identityFields.has(mapsTo)))
    errors.push({
      pointer: '/fields',
      code: 'identity_field_required',
      detail:
        'Contact fields are mapped that say nothing of whose they are, so another field must be mapped to email, phone or name: map one.',
    });
  if (errors.length === 0) return;
  throw studioFail('form_not_publishable', `${errors[0]?.pointer}: ${errors[0]?.detail}`, {
    errors: errors.slice(0, 20),
  });
}

/** What a visitor can choose must be what the contact takes: else the form could be shown and never be sent. */
function choicesRefused(
  { type, options = [] }: FormField,
  pointer: string,
  mapsTo: string,
  custom: ContactFields,
): FieldError[] {
  const refused = (value: unknown, at: string): FieldError[] => {
    const fault = custom.fault?.(mapsTo, value);
    if (fault === undefined) return [];
    return [
      {
        pointer: at,
        code: 'contact_field_mismatch',
        detail: `The contact field ${mapsTo} refuses this option: ${fault}`,
      },
    ];
  };
  if (type === 'checkbox') return refused(true, `${pointer}/mapsTo`);
  const each = options.flatMap(({ value }, index) =>
    refused(type === 'multiselect' ? [value] : value, `${pointer}/options/${index}`),
  );
  if (each.length > 0 || type !== 'multiselect' || options.length < 2) return each;
  return refused(
    options.slice(0, 2).map(({ value }) => value),
    `${pointer}/mapsTo`,
  );
}
