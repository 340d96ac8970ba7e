import type { FieldError } from '@steward/kernel';
import { studioFail } from '../errors.ts';
import type { FormDefinition } from './definition.ts';

/** Which fields every contact has; a mapping to anything else names a custom field. */
export const identityFields: ReadonlySet<string> = new Set(['email', 'phone', 'name']);

/**
 * What a form must hold beyond a sound draft: a submission of it can become what it says.
 * @param custom keys of the custom fields of the active contact schema
 * @throws Problem `form_not_publishable` (400) with pointers
 */
export function requirePublishable({ fields, targetEntityType }: FormDefinition, custom: ReadonlySet<string>): void {
  const errors: FieldError[] = [];
  if (fields.length === 0)
    errors.push({ pointer: '/fields', code: 'required', detail: 'A form has at least one field.' });
  const mapped = fields.flatMap(({ mapsTo }, index) => (mapsTo === undefined ? [] : [{ mapsTo, index }]));
  if (mapped.length > 0 && targetEntityType !== 'crm_contact')
    errors.push({
      pointer: '/targetEntityType',
      code: 'invalid_target',
      detail: 'Fields are mapped, so the target entity type must be crm_contact: set it, or remove the mappings.',
    });
  for (const { mapsTo, index } of mapped) {
    if (identityFields.has(mapsTo) || custom.has(mapsTo)) continue;
    errors.push({
      pointer: `/fields/${index}/mapsTo`,
      code: 'unknown_contact_field',
      detail: `The contact schema has no field ${mapsTo}: define it first, or map to email, phone, name${[...custom]
        .slice(0, 20)
        .map((key) => `, ${key}`)
        .join('')}.`,
    });
  }
  if (mapped.length > 0 && !mapped.some(({ mapsTo }) => identityFields.has(mapsTo)))
    errors.push({
      pointer: '/fields',
      code: 'identity_field_required',
      detail: 'Custom contact fields are mapped, so a field must be mapped to email, phone or name too.',
    });
  if (errors.length === 0) return;
  throw studioFail('form_not_publishable', `${errors[0]?.pointer}: ${errors[0]?.detail}`, {
    errors: errors.slice(0, 20),
  });
}
