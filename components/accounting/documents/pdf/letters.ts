import { normalized } from '@steward/kernel';

/** What the standard fonts of PDF show (WinAnsiEncoding, ISO 32000-1 annex D). */
const winAnsi = /^[\n\u0020-\u007E\u00A0-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

/** Composed, and without what only confuses: controls, marks of direction that a reader does not see, lone surrogates. */
export const printable = (text: string): string =>
  normalized(text, 'NFC')
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)[\p{Cc}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '');

export const isWinAnsi = (texts: readonly string[]): boolean => texts.every((text) => winAnsi.test(text));

/** Letters that no font at hand has are named by their code point, so that nothing vanishes: 東 is `[U+6771]`. */
export const named = (text: string, has: (codePoint: number) => boolean): string =>
  Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return letter === '\n' || has(code) ? letter : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  }).join('');
