import { folded, isOneLine, trimmed } from '../text.ts';

export interface Name {
  /** As given, without white space at its ends. */
  readonly text: string;
  /** What is compared where nothing but the name is known: white space as one space, case folded. */
  readonly key: string;
}

/** Characters at most. */
export const longestName = 200;

/** Undefined where it is no name: nothing to see, too long, or control characters. */
export function readName(given: string): Name | undefined {
  const text = trimmed(given).normalize('NFC');
  const key = folded(text.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return key !== '' && [...text].length <= longestName && isOneLine(text) && key.length <= 800
    ? { text, key }
    : undefined;
}
