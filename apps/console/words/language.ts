import type { Words } from './words.ts';

export const languages = { en: 'English', de: 'Deutsch', es: 'Español', ja: '日本語' } as const;
export type Language = keyof typeof languages;

const kept = 'language';
const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(languages, text);

/** A chunk for each area of the pages in each language: nobody loads the words of screens that they do not open. What people decide about is called with `deciding`. */
const files = import.meta.glob<Partial<Words>>([
  './{en,de,es,ja}/*.ts',
  '!./*/{approvals,events,home,labels,parts,shell,tools}.ts',
]);

/** What every page says, and the screens that people come to from elsewhere, is one: each further one is a request before anything is seen. */
const firsts = import.meta.glob<Pick<Words, 'approvals' | 'events' | 'home' | 'parts' | 'shell' | 'tools'>>(
  './first/*.ts',
);

export type Area = keyof Words;

let language: Language = 'en';
const loaded: Partial<Record<Area, Words[Area]>> = {};

let first: Promise<void> | undefined;

/** The language that was chosen here, else the first of the browser's that there is. */
export async function loadWords(): Promise<void> {
  const chosen = localStorage.getItem(kept);
  const asked = navigator.languages.map((tag) => tag.split('-')[0]);
  language = isLanguage(chosen) ? chosen : (asked.find(isLanguage) ?? 'en');
  document.documentElement.lang = language;
  first = firsts[`./first/${language}.ts`]?.().then((found) => void Object.assign(loaded, found));
  return first;
}

/** The words of an area, before anything of it is shown. */
export async function loadArea(area: Area): Promise<void> {
  const load = files[`./${language}/${area}.ts`];
  if (load === undefined) return first;
  if (loaded[area] === undefined) Object.assign(loaded, await load());
}

/** The page begins anew in it. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(kept, next);
  location.reload();
}

/** A screen finds the words of its own area there, of the shell and of the parts (screens/routes.ts loads them with it). */
export const useWords = (): Words => loaded as Words;

export const useLanguage = (): Language => language;

/** For numbers and dates: the browser's own form of the language, such as `de-AT`, where it has one. */
export function useLocale(): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}
