import type { PostalAddress } from '../client/shop-types.ts';
import { make } from '../element/dom.ts';
import { field, type Field, type FieldMade } from './field.ts';
import { regionsOf } from './places.ts';
import type { Words } from './words.ts';

type Member = keyof PostalAddress;

/** The lines of an address. */
export interface AddressForm {
  readonly root: HTMLElement;
  readonly fields: readonly Field[];
  /** Undefined as long as it is no address. */
  read(): PostalAddress | undefined;
  write(address: PostalAddress): void;
}

export function addressForm(
  words: Words,
  kind: 'shipping' | 'billing',
  legend: HTMLElement,
  countries: readonly [string, string][],
  country: string,
): AddressForm {
  const line = (member: Member, autocomplete: string, more: Partial<FieldMade> = {}): Field =>
    field(words, {
      pointer: `/${kind}Address/${member}`,
      label: words[member],
      autocomplete: `${kind} ${autocomplete}`,
      ...more,
    });
  const fields = {
    country: line('country', 'country', { options: [['', words.choose], ...countries] }),
    name: line('name', 'name'),
    line1: line('line1', 'address-line1'),
    line2: line('line2', 'address-line2', { spare: true }),
    postcode: line('postcode', 'postal-code', { part: 'field short' }),
    city: line('city', 'address-level2', { part: 'field long' }),
    region: line('region', 'address-level1', { options: [['', words.choose]] }),
    phone: line('phone', 'tel', { type: 'tel', spare: true }),
  } satisfies Partial<Record<Member, Field>>;
  const all = Object.values(fields);

  const regions = (): void => {
    const known = regionsOf(fields.country.value());
    fields.region.root.hidden = !known.length;
    fields.region.input.replaceChildren(
      make('option', { value: '' }, words.choose),
      ...known.map((value) => make('option', { value }, value)),
    );
  };
  fields.country.input.value = countries.length === 1 ? (countries[0]?.[0] ?? '') : country;
  fields.country.input.addEventListener('input', regions);
  regions();

  return {
    root: make('fieldset', { part: 'group' }, make('legend', {}, legend), ...all.map(({ root }) => root)),
    fields: all,
    read: () => {
      const entries = all.map(({ pointer, value }) => [pointer.split('/')[2], value() || null]);
      const address = Object.fromEntries(entries) as PostalAddress;
      const whole = all.every((one) => one.root.hidden || !one.fault());
      return whole ? address : undefined;
    },
    write: (address) => {
      for (const member of ['country', 'region', 'name', 'line1', 'line2', 'postcode', 'city', 'phone'] as const) {
        const { input } = fields[member];
        input.value = address[member] ?? '';
        if (member === 'country') regions();
      }
    },
  };
}
