import { texts } from './texts.ts';

export type MessageKey = keyof typeof texts;
export type Catalogue = Record<MessageKey, string>;
/** `english`: for want of the place's own language. */
export type Words = Catalogue & { readonly english: boolean };

const column = (at: 0 | 1 | 2 | 3): Catalogue =>
  Object.fromEntries(Object.entries(texts).map(([key, row]) => [key, row[at]])) as Catalogue;

/** By lower-case language tag. Add one, or change a text, before forms are drawn: `catalogues.fr = { ...catalogues.en, … }`. */
export const catalogues: Record<string, Catalogue> & { en: Catalogue } = {
  en: column(0),
  de: column(1),
  es: column(2),
  ja: column(3),
};

const written = (name: string): Catalogue | undefined =>
  Object.hasOwn(catalogues, name) ? catalogues[name] : undefined;

/** The catalogue of a language tag: exact, else its language's; undefined where nobody has written one. */
export function catalogueOf(tag: string): Catalogue | undefined {
  const name = tag.toLowerCase();
  return written(name) ?? written(name.replace(/[-_].*/, ''));
}
