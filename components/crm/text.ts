/** Whether a text can be kept and shown as one line: no half letters, no control characters, none that turn the line's direction. */
export const isOneLine = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(text);

/** As `isOneLine`, with line feeds and tabs. */
export const isProse = (text: string): boolean => isOneLine(text.replaceAll(/[\n\t\u2028\u2029]/g, ''));

/** White space, and what nobody sees of what was pasted along, at both ends. */
export const trimmed = (text: string): string =>
  text.replaceAll(/^[\s\u200B\u2060\uFEFF]+|[\s\u200B\u2060\uFEFF]+$/g, '');

/**
 * One spelling for all cases of a text. Not Unicode's full folding, on purpose: that makes `ı` an `i`, and an address with the
 * one must never lead to the contact of the other.
 */
export const folded = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
