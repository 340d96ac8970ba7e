import { texts } from './texts.ts';

export type ShopCatalogue = Record<keyof typeof texts, string>;
const column = (at: 0 | 1 | 2 | 3): ShopCatalogue =>
  Object.fromEntries(Object.entries(texts).map(([key, row]) => [key, row[at]])) as ShopCatalogue;

/** As it is shipped, a module has English alone, and each other language is a file beside it: `build.ts` puts that in place of this file. */
export const shipped: Record<string, ShopCatalogue> & { en: ShopCatalogue } = {
  en: column(0),
  de: column(1),
  es: column(2),
  ja: column(3),
};

/** SHA-256 in Base64 of files with languages. */
export const digests: Readonly<Record<string, string>> = {};
