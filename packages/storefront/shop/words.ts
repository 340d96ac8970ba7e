import { type ShopCatalogue, shipped } from './languages.ts';

export { digests, type ShopCatalogue } from './languages.ts';
/** `english`: for want of the place's own language. */
export type Words = ShopCatalogue & { readonly english: boolean; readonly spoken: string };

/** By lower-case language tag. Add one, or change a text, before the elements are drawn: `shopCatalogues.fr = { ...shopCatalogues.en, … }`. */
export const shopCatalogues: Record<string, ShopCatalogue> & { en: ShopCatalogue } = shipped;

/** What is said in a language: by its exact tag, else its language, else in English. */
export function wordsOf(tag: string): Words {
  const name = tag.toLowerCase();
  const found = [name, name.replace(/[-_].*/, '')].find((one) => Object.hasOwn(shopCatalogues, one));
  return {
    ...shopCatalogues[found ?? 'en'],
    english: !found,
    spoken: (found && wellFormed(tag)) || found || 'en',
  } as Words;
}

/** What `Intl` takes; pages write `de_DE`, too. */
function wellFormed(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** Puts values into a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
