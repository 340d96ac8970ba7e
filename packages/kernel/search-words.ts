import { normalized } from './normalized.ts';

/**
 * One spelling for all cases of a text. Not Unicode's full folding, on purpose: that makes `ı` an `i`, and an address with the
 * one must never lead to the contact of the other.
 */
export const caseFolded = (text: string): string =>
  normalized(normalized(text, 'NFC').toLowerCase().replaceAll('ς', 'σ'), 'NFC');

const mostWords = 24;
/** A long text in a script without spaces would have hundreds. */
const mostTerms = 64;
const longestWord = 64;
/** Scripts that are written without spaces: a word is found by any part of it. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words of a text without marks and case, by which it is searched: `muller` finds Müller. At most 24 of at most 64 characters. */
export function searchWords(text: string): string[] {
  const plain = caseFolded(normalized(text, 'NFKD').replaceAll(/\p{M}/gu, '')).replaceAll('ß', 'ss');
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
    .map((word) => [...word].slice(0, longestWord).join(''))
    .slice(0, mostWords);
}

const suffixes = (word: string): string[] =>
  unspaced.test(word)
    ? Array.from(word)
        .slice(0, mostWords)
        .map((_, index, letters) => letters.slice(index).join(''))
    : [word];

/** What a text is found by: its words, and the ends of those that are written without spaces. Whole words first, so that each is there. */
export const searchTerms = (text: string): string[] => {
  const words = searchWords(text);
  return [...new Set([...words, ...words.flatMap(suffixes)])].slice(0, mostTerms);
};
