import type { Words } from './words.ts';

export const languages = { en: 'English', de: 'Deutsch', es: 'Español', ja: '日本語' } as const;
export type Language = keyof typeof languages;

const kept = 'language';
const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(languages, text);

const load: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  ja: async () => (await import('./ja.ts')).ja,
};

let words: Words | undefined;
let language: Language = 'en';

/** The language that was chosen here, else the first of the browser's that there is. */
export async function loadWords(): Promise<void> {
  const chosen = localStorage.getItem(kept);
  const asked = navigator.languages.map((tag) => tag.split('-')[0]);
  language = isLanguage(chosen) ? chosen : (asked.find(isLanguage) ?? 'en');
  words = await load[language]();
  document.documentElement.lang = language;
}

/** The page begins anew in it. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(kept, next);
  location.reload();
}

/** A language is chosen before anything is shown, and stays while the page does. */
export function useWords(): Words {
  if (words === undefined) throw new Error('no language is loaded');
  return words;
}

export const useLanguage = (): Language => language;

/** For numbers and dates: the browser's own form of the language, such as `de-AT`, where it has one. */
export function useLocale(): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}
