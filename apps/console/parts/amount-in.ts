import { amountIn, hasComma } from '../data/decimal.ts';
import { useLocale } from '../words/language.ts';

/** Reads an amount that is still being typed, as `amountIn` does: what is shown of a form goes by it. */
export function useAmountIn(): (text: string) => string | undefined {
  const comma = hasComma(useLocale());
  return (text) => amountIn(text, comma);
}

/** Those that are amounts. */
export const amountsIn = (texts: readonly string[], read: (text: string) => string | undefined): readonly string[] =>
  texts.map(read).filter((amount) => amount !== undefined);
