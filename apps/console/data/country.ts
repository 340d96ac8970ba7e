/** A country by its name in a language; a code that names none stays as it is. */
export function countryName(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}
