/** Parts of countries by ISO 3166-2, where addresses need one and taxes ask for it. Whoever lives there knows their letters. */
const regions: Readonly<Record<string, string>> = {
  AU: 'ACT NSW NT QLD SA TAS VIC WA',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY',
};

/** None where an address has no part to choose. */
export const regionsOf = (country: string): string[] =>
  Object.hasOwn(regions, country) ? (regions[country] ?? '').split(' ') : [];

/** Countries with their names in the language, in its order. The browser knows them; groups and codes of its own are none. */
export function countriesIn(language: string, only: string): [string, string][] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = only
    ? only.toUpperCase().split(/[\s,]+/)
    : letters.flatMap((one) => letters.map((other) => one + other));
  return codes
    .flatMap((code): [string, string][] => {
      if (!/^[A-Z]{2}$/.test(code) || /^(AC|CP|CQ|DG|EA|EU|EZ|IC|QO|TA|UN|X[ABK]|ZZ)$/.test(code)) return [];
      const name = names.of(code);
      return name && new Intl.Locale(`und-${code}`).region === code ? [[code, name]] : [];
    })
    .toSorted(([, one], [, other]) => one.localeCompare(other, language));
}

/** Where somebody with this language probably is. */
export function countryOf(language: string): string {
  for (const tag of [language, ...navigator.languages]) {
    const { region } = new Intl.Locale(tag);
    if (region) return region;
  }
  return '';
}
