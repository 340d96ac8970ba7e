import { type Catalogue, shipped } from './languages.ts';

export { digests, type Catalogue, type MessageKey } from './languages.ts';
/** `english`: for want of the place's own language. */
export type Words = Catalogue & { readonly english: boolean };

/** By lower-case language tag. Add one, or change a text, before forms are drawn: `catalogues.fr = { ...catalogues.en, … }`. */
export const catalogues: Record<string, Catalogue> & { en: Catalogue } = shipped;

const known = (name: string): Catalogue | undefined => (Object.hasOwn(catalogues, name) ? catalogues[name] : undefined);

/** The catalogue of a language tag: exact, else its language's; undefined where nobody has written one. */
export function catalogueOf(tag: string): Catalogue | undefined {
  const name = tag.toLowerCase();
  return known(name) ?? known(name.replace(/[-_].*/, ''));
}
