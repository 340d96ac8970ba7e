import { createHash } from 'node:crypto';
import { addressDigest } from '../addresses/address.ts';

export interface Email {
  /** One address, of somebody whom the tenant itself named: never one that a stranger typed into a form. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Same key, same tenant: one email. While that one waits for its `notBefore`, it takes the newer words. */
  readonly key: string;
  /** Not sent before; at once by default. */
  readonly notBefore?: Date;
}

/** What is stored of a key, which may hold an address. Hex. */
export const keyDigest = (key: string): string => createHash('sha256').update(key.toWellFormed()).digest('hex');

/** Characters at most, of UTF-16. A longer text is cut; of a longer HTML part only the text is left. */
const most = { subject: 200, text: 100_000, html: 200_000 };

/** What is stored, with nothing in it that could end a header line or that the database would refuse. */
export function sealed({ to, subject, text, html, key, notBefore }: Email) {
  const addressed = isAddress(to);
  return {
    key: keyDigest(key),
    ...(addressed
      ? {
          recipient: to,
          address: addressDigest(to),
          ...wordsOf({ subject, text }),
          html: pageOf(html),
        }
      : {}),
    reason: addressed ? null : 'bad_address',
    at: notBefore?.toISOString() ?? null,
  };
}

/** The HTML part, or null where there is none that can be sent. */
export function pageOf(html: string | undefined): string | null {
  const page = html?.toWellFormed().replaceAll('\0', '');
  return page === undefined || page.length > most.html ? null : page;
}

/** With nothing in it that could end a header line. */
export const wordsOf = ({ subject, text }: Pick<Email, 'subject' | 'text'>) => ({
  subject: oneLine(subject, most.subject),
  text: lines(text, most.text),
});

/**
 * One mailbox of the common form, and nothing that an address list, a header or a display name could hide in.
 * Local part and domain may be of any script (RFC 6531).
 */
export const isAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[^\s@,;:<>()[\]\\"\p{C}]{1,64}@[^\s@,;:<>()[\]\\"\p{C}.-]([^\s@,;:<>()[\]\\"\p{C}]*[^\s@,;:<>()[\]\\"\p{C}.-])?$/u.test(
    text,
  );

/** One line of at most `length` characters: neither control characters nor such as turn the reading direction around. */
export const oneLine = (text: string, length: number): string =>
  cut(
    upright(text)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim(),
    length,
  );

/**
 * The same for text of a stranger in a letter to somebody else: mail programs make links of whatever looks like one, and what others typed must not
 * lead its reader anywhere.
 */
export const unlinked = (text: string, length = 120): string =>
  oneLine(text, length)
    .replace(/[:：]\/\//gu, '[:]//')
    .replace(/[@＠﹫]/gu, '[at]')
    .replace(/[.。．｡․](?=[\p{L}\p{N}])/gu, '[.]');

/** As `oneLine` for text of several lines, whatever ends them. */
export const lines = (text: string, length: number): string =>
  cut(
    upright(text)
      .replace(/\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu, '\n')
      .replace(/[^\P{Cc}\n\t]/gu, ' '),
    length,
  );

/** Embeddings, overrides and isolates are dropped: an address could read backwards. The plain marks of a script stay. */
const upright = (text: string): string => text.toWellFormed().replace(/[\u202A-\u202E\u2066-\u2069]/g, '');

/** Half a character is never left over. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
