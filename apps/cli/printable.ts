/** Characters that a terminal obeys or that nobody sees; but for tabs and line feeds. */
const unseen = /(?![\t\n])[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** What may say what strangers wrote, as it may stand on a terminal: the rest is written as JSON escapes, so that JSON stays what it is. */
export const printable = (text: string): string =>
  text.replaceAll(unseen, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** As one line: what it says cannot begin another one that looks like ours. */
export const oneLine = (text: string): string => printable(text).replaceAll('\n', String.raw`\n`);
