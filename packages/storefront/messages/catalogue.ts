import { texts } from './texts.ts';

export type MessageKey = keyof typeof texts;
export type Catalogue = Record<MessageKey, string>;

const column = (at: 0 | 1 | 2 | 3): Catalogue =>
  Object.fromEntries(Object.entries(texts).map(([key, row]) => [key, row[at]])) as Catalogue;

/** By lower-case language tag. Add one, or change a text, before forms are drawn: `catalogues.fr = { ...catalogues.en, … }`. */
export const catalogues: Record<string, Catalogue> & { en: Catalogue } = {
  en: column(0),
  de: column(1),
  es: column(2),
  ja: column(3),
};

/** The catalogue of a language tag: exact, else its language's, else English. */
export function catalogueOf(tag: string): Catalogue {
  const found = [tag.toLowerCase(), tag.toLowerCase().replace(/[-_].*/, '')].find((name) =>
    Object.hasOwn(catalogues, name),
  );
  return catalogues[found ?? 'en'] ?? catalogues.en;
}
