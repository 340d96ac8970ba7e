import { exponentOf, type Money } from '@steward/kernel';

export const languages = ['en', 'de', 'es', 'ja'] as const;
export type Language = (typeof languages)[number];

/** How a reader is written to: in which words, and how figures and days look to them. */
export interface Manner {
  readonly language: Language;
  money(amount: Money): string;
  count(number: number): string;
  /** With its per cent sign. */
  percentage(percentage: string): string;
  moment(at: string): string;
  /** @param day ISO */
  day(day: string): string;
  country(code: string): string;
}

/** Of a language that we have no words in, and of a locale that is none, everything is English: figures in another manner would mislead. */
export function mannerOf(locale: string | null): Manner {
  const tag = known(locale);
  const language = languages.find((one) => one === tag.split('-')[0]) ?? 'en';
  const countries = new Intl.DisplayNames(tag, { type: 'region', fallback: 'code' });
  const ofDay = {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  } as const;
  const days = new Intl.DateTimeFormat(tag, ofDay);
  const moments = new Intl.DateTimeFormat(tag, { ...ofDay, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  return {
    language,
    money: ({ amount, currency }) => {
      // The digits are those of ISO 4217, which are not everywhere those that people usually write.
      const digits = exponentOf(currency);
      return new Intl.NumberFormat(tag, {
        style: 'currency',
        currency,
        numberingSystem: 'latn',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(amount as Intl.StringNumericLiteral);
    },
    count: (number) => new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).format(number),
    percentage: (percentage) =>
      new Intl.NumberFormat(tag, { style: 'percent', numberingSystem: 'latn', maximumFractionDigits: 6 }).format(
        Number(percentage) / 100,
      ),
    moment: (at) => moments.format(new Date(at)),
    day: (day) => days.format(new Date(day)),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}

function known(locale: string | null): string {
  try {
    const { language, region } = new Intl.Locale(locale ?? 'en');
    const ours = languages.find((one) => one === language);
    if (ours === undefined) return 'en';
    return region === undefined ? ours : `${ours}-${region}`;
  } catch {
    return 'en';
  }
}
