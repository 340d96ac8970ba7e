import type pg from 'pg';
import { readKeyNote, keyIdOf } from '@steward/archive/format';
import type { SourceFinding } from '../log/finding.ts';
import type { KeyLink } from './trust.ts';

export interface RegisteredKey {
  readonly number: number;
  readonly keyId: string;
  readonly key: string;
  readonly note: string;
}

/** In the order of their registration. */
export async function registeredKeys(client: pg.Client): Promise<RegisteredKey[]> {
  const { rows } = await client.query<RegisteredKey>(
    `select number, key_id as "keyId", verifier_key as key, note from audit.signing_key order by number`,
  );
  return rows;
}

/**
 * Compares the keys that the database lists with their notes, with one another and with those of the archive: it lists every key that
 * the archive leads to from the first one on.
 * @param links of the archive's notes
 * @param trusted keys that the notes lead to from those that somebody named; undefined where the database itself names them
 */
export function compareKeys(
  keys: readonly RegisteredKey[],
  links: readonly KeyLink[],
  trusted: ReadonlySet<string> | undefined,
): SourceFinding[] {
  if (keys.length === 0 && links.length > 0) return [finding('the database lists no key')];
  const told = keys.flatMap((key, at) => faultOf(key, keys[at - 1]) ?? []);
  const listed = new Set(keys.map(({ key }) => key));
  const led = followed(links, new Set(listed));
  for (const key of led)
    if (!listed.has(key))
      told.push(
        finding(`the archive has the key ${key}, which follows one that the database lists, and it is not listed`),
      );
  // A key that was just made is in no archive yet: what vouches for it is its own note.
  const reached = trusted === undefined ? undefined : followed([...links, ...keys.flatMap(linkOf)], new Set(trusted));
  for (const { key } of keys)
    if (reached?.has(key) === false)
      told.push(finding(`the database lists the key ${key}, to which no trusted key leads`));
  return told;
}

const finding = (detail: string): SourceFinding => ({ tenant: 'platform', kind: 'record', sequence: 0, detail });

function faultOf(
  { number, keyId, key, note }: RegisteredKey,
  before: RegisteredKey | undefined,
): SourceFinding | undefined {
  const wrong = (what: string): SourceFinding => finding(`the key ${number} that the database lists ${what}`);
  try {
    const told = readKeyNote(note);
    if (told.key !== key || keyIdOf(key) !== keyId) return wrong('is not the one of its note');
    if (number !== (before?.number ?? 0) + 1) return wrong('does not follow the one before it');
    // A key that replaced one that was lost names none.
    return told.previous === undefined || before === undefined || told.previous === before.key
      ? undefined
      : wrong('names another key before it');
  } catch {
    return wrong('has a note that is broken');
  }
}

function linkOf({ note }: RegisteredKey): KeyLink[] {
  try {
    const { key, previous } = readKeyNote(note);
    return previous === undefined ? [] : [{ key, previous }];
  } catch {
    return [];
  }
}

/** With all keys that follow, one after another. */
function followed(links: readonly KeyLink[], keys: Set<string>): Set<string> {
  for (let size = -1; size !== keys.size;) {
    size = keys.size;
    for (const { key, previous } of links) if (keys.has(previous)) keys.add(key);
  }
  return keys;
}
