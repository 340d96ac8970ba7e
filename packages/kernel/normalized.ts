/** Thirty marks with a next one: no script needs more (UAX #15 §13, the stream-safe text format). */
const longRun = /[\p{M}--\u034F]{30}(?=[\p{M}--\u034F])/gv;
const cut = (text: string): string => text.replaceAll(longRun, '$&\u034F');

/**
 * `text.normalize(form)` in time that grows with the text: ICU sorts each run of combining marks by insertion, so 64 KiB of them
 * take seconds. U+034F cuts longer runs, before normalization and, since some marks become two, after. Normalized text does not change.
 */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  cut(cut(text).normalize(form));
