import { keyIdOf, openNote, signNote, type SigningKey, verifierKey } from './note.ts';

const form =
  /^steward\/audit\/key\n([^\n]+)\n(?:from (\d{4}-\d\d-\d\d)\n)?(?:previous ([^\n]+)\n(?:through (\d{4}-\d\d-\d\d)\n)?)?\n/;

/** A key, and the one before it that vouches for it. Both as `verifierKey` writes them. */
export interface KeyNote {
  readonly keyId: string;
  readonly key: string;
  /** The first day that it signs, `YYYY-MM-DD`; before it there was no key, where none is `previous`. */
  readonly from?: string;
  /** Absent for the first key. */
  readonly previous?: string;
  /** The day on which `previous` was retired: it signs no day that was not over by then. */
  readonly through?: string;
}

/** The key before, and when it was retired. */
export interface Retired {
  readonly key: SigningKey;
  readonly through: string;
}

/** Signed by the key itself and by the one before it. @param from the first day that it signs */
export function writeKeyNote(key: SigningKey, from: string, previous?: Retired): string {
  const text = `steward/audit/key\n${verifierKey(key.publicKey)}\nfrom ${from}\n`;
  if (previous === undefined) return signNote(text, [key]);
  const { key: before, through } = previous;
  return signNote(`${text}previous ${verifierKey(before.publicKey)}\nthrough ${through}\n`, [key, before]);
}

/**
 * Says nothing about trust: a reader who trusts one of the two keys may now trust the other.
 * @throws Error where the note is malformed or one of its keys did not sign it
 */
export function readKeyNote(note: string): KeyNote {
  const [, key = '', from, previous, through] = form.exec(note) ?? [];
  const told = previous === undefined ? [key] : [key, previous];
  const { signedBy } = openNote(note, told);
  if (told.some((one) => !signedBy.includes(one))) throw new Error('A key of this note did not sign it.');
  const known = Object.entries({ from, previous, through }).filter(([, value]) => value !== undefined);
  return { keyId: keyIdOf(key), key, ...Object.fromEntries(known) };
}
