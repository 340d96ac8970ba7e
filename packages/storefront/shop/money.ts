import type { Money } from '../client/shop-types.ts';

/** An amount as people of the language write it, with the digits of its currency. The amount stays a text: a number would round it. */
export const written = ({ amount, currency }: Money, language: string): string => {
  const style = { style: 'currency', currency } as const;
  try {
    return new Intl.NumberFormat(language, style).format(amount as `${number}`);
  } catch {
    return `${amount} ${currency}`;
  }
};

export const isNothing = ({ amount }: Money): boolean => Number(amount) === 0;

/** A span of days; one day where both ends are the same. */
export const days = (least: number, most: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' })
    .formatRange(least, most)
    .replace(/^~/, '');
