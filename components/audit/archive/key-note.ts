import { keyIdOf, openNote, signNote, type SigningKey, verifierKey } from './note.ts';

/** A key, and the one before it that vouches for it. Both as `verifierKey` writes them. */
export interface KeyNote {
  readonly keyId: string;
  readonly key: string;
  /** Absent for the first key. */
  readonly previous?: string;
}

/** Signed by the key itself and by the one before it. */
export function writeKeyNote(key: SigningKey, previous?: SigningKey): string {
  const text = `steward/audit/key\n${verifierKey(key.publicKey)}\n`;
  if (previous === undefined) return signNote(text, [key]);
  return signNote(`${text}previous ${verifierKey(previous.publicKey)}\n`, [key, previous]);
}

/**
 * Says nothing about trust: whoever trusts one of the two keys may now trust the other.
 * @throws Error where the note is malformed or one of its keys did not sign it
 */
export function readKeyNote(note: string): KeyNote {
  const [, key = '', previous] = /^steward\/audit\/key\n([^\n]+)\n(?:previous ([^\n]+)\n)?\n/.exec(note) ?? [];
  const told = previous === undefined ? [key] : [key, previous];
  const { signedBy } = openNote(note, told);
  if (told.some((one) => !signedBy.includes(one))) throw new Error('A key of this note did not sign it.');
  return { keyId: keyIdOf(key), key, ...(previous === undefined ? {} : { previous }) };
}
