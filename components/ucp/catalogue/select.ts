import type { PublishedProduct } from '@steward/catalogue';
import type { Priced } from './show.ts';

export type Selected = readonly { readonly name: string; readonly label: string }[];

const has = ({ variant }: Priced, { name, label }: Selected[number]): boolean => variant.options[name] === label;
const meets = (one: Priced, selected: Selected): boolean => selected.every((choice) => has(one, choice));

/** One that can be bought comes first. */
const featured = (priced: readonly Priced[]): Priced | undefined =>
  priced.find(({ variant }) => variant.available) ?? priced[0];

export const choicesOf = ({ variant }: Priced): Selected =>
  Object.entries(variant.options)
    .filter(([, label]) => label !== '')
    .map(([name, label]) => ({ name, label }));

/**
 * Which variants are shown of a product, and by which choices. Where none meets all that was chosen, choices are given up: those that `preferences`
 * does not name first, then from its end on.
 * @param exact the variant that was asked for, which decides all
 */
export function selectVariants(
  { options }: PublishedProduct,
  priced: readonly Priced[],
  {
    exact,
    selected = [],
    preferences = [],
  }: { readonly exact?: Priced | undefined; readonly selected?: Selected; readonly preferences?: readonly string[] },
): { readonly selected: Selected; readonly variants: readonly Priced[] } {
  if (exact !== undefined) return { selected: choicesOf(exact), variants: [exact] };
  const names = new Set(options.map(({ name }) => name));
  const rank = new Map(preferences.map((name, at) => [name, at]));
  let choices = [
    ...new Map(selected.filter(({ name }) => names.has(name)).map((one) => [one.name, one])).values(),
  ].toSorted((a, b) => (rank.get(a.name) ?? Infinity) - (rank.get(b.name) ?? Infinity));
  while (choices.length > 0 && !priced.some((one) => meets(one, choices))) choices = choices.slice(0, -1);
  if (choices.length === 0) {
    const first = featured(priced);
    return first === undefined
      ? { selected: [], variants: [] }
      : {
          selected: selected.length === 0 ? choicesOf(first) : [],
          variants: first === undefined ? [] : [first, ...priced.filter((one) => one !== first)],
        };
  }
  const met = priced.filter((one) => meets(one, choices));
  const first = featured(met);
  return { selected: choices, variants: first === undefined ? [] : [first, ...met.filter((one) => one !== first)] };
}

/** Of each value of each option, whether a variant with it and the other choices exists, and can be bought. */
export const detailOptions = ({ options }: PublishedProduct, priced: readonly Priced[], selected: Selected) =>
  options.map(({ name, values }) => {
    const others = selected.filter((one) => one.name !== name);
    return {
      name,
      values: values.map((label) => {
        const met = priced.filter((one) => meets(one, [...others, { name, label }]));
        return { label, available: met.some(({ variant }) => variant.available), exists: met.length > 0 };
      }),
    };
  });
