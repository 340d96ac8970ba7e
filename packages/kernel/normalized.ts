/** Thirty marks with a next one: no script needs more (UAX #15 §13, the stream-safe text format). */
const longRun = /[\p{M}--\u034F]{30}(?=[\p{M}--\u034F])/gv;
const cut = (text: string): string => text.replaceAll(longRun, '$&\u034F');

/**
 * `text.normalize(form)` in time that grows with the text: ICU sorts each run of combining marks by insertion, so that 64 KiB of them
 * take seconds. Longer runs are cut by U+034F, before and, since some marks stand for two, after. What was normalized stays as it is.
 */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  cut(cut(text).normalize(form));
