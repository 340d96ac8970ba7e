import { trimEnd, trimStart } from '@steward/kernel';

/** Whether a text can be kept and shown as one line: no half letters, no control characters, none that turn the line's direction. */
export const isOneLine = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(text);

/** As `isOneLine`, with line feeds and tabs. */
export const isProse = (text: string): boolean => isOneLine(text.replaceAll(/[\n\t\u2028\u2029]/g, ''));

/** White space, and what nobody sees of what was pasted along, at both ends. */
const blanks =
  ' \t\n\v\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\u200B\u2060\uFEFF';
export const trimmed = (text: string): string => trimEnd(trimStart(text, blanks), blanks);
