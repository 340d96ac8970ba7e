import { caseFolded, normalized } from '@steward/kernel';
import { isOneLine, trimmed } from '../text.ts';

export interface Name {
  /** As given, without white space at its ends. */
  readonly text: string;
  /** What is compared where nothing but the name is known: white space as one space, case folded. */
  readonly key: string;
}

/** Characters at most. */
export const longestName = 200;
/** Of UTF-16, however it is composed; before anything else is looked at. */
const mostUnits = 10 * longestName;

/** Undefined where it is no name: nothing to see, too long, or control characters. */
export function readName(given: string): Name | undefined {
  const seen = trimmed(given);
  if (seen.length > mostUnits) return undefined;
  const text = normalized(seen, 'NFC');
  const key = caseFolded(normalized(text, 'NFKC').replaceAll(/\p{Cf}/gu, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return key !== '' && [...text].length <= longestName && isOneLine(text) && key.length <= 800
    ? { text, key }
    : undefined;
}
