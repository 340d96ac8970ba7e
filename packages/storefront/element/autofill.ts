import type { FormField } from '../client/schema.ts';

/** Autofill tokens of HTML, by what a field is mapped to, is called, or is. */
const tokens: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'name',
    firstname: 'given-name',
    lastname: 'family-name',
    surname: 'family-name',
    email: 'email',
    phone: 'tel',
    tel: 'tel',
    company: 'organization',
    organization: 'organization',
    street: 'address-line1',
    city: 'address-level2',
    state: 'address-level1',
    postcode: 'postal-code',
    postalcode: 'postal-code',
    country: 'country-name',
    website: 'url',
    url: 'url',
  }),
);

/** The value of `autocomplete` (WCAG 1.3.5), or undefined where nothing is known of what the field asks for. */
export function autofillToken({ mapsTo = '', name, type }: FormField): string | undefined {
  return [mapsTo, name, type].map((word) => tokens.get(word.toLowerCase().replace(/[_-]/g, ''))).find(Boolean);
}
