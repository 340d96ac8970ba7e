// Hashes, keys and signed notes of the audit log, with WebCrypto and by the rule of docs/guides/audit-archive.md, as the stand-alone
// verifier reads them (components/verification/verifier), which is written for Node: the tests beside hold each against the other.

/** What is wrong, in the words of the stand-alone verifier; `foreign`: the proof is not of the log that was asked about. */
export type Kind =
  | 'foreign'
  | 'form'
  | 'misplaced'
  | 'tenant'
  | 'chain'
  | 'key'
  | 'signature'
  | 'checkpoint'
  | 'rows'
  | 'line'
  | 'order'
  | 'genesis'
  | 'gap'
  | 'tail'
  | 'manifest';

export class Wrong extends Error {
  readonly kind: Kind;
  constructor(kind: Kind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const utf8 = new TextEncoder();
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
export const ofHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const sha256 = async (...parts: readonly (Uint8Array | string)[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));

export function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** Undefined where the text is not the one form of its bytes. */
export function ofBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const plain = atob(text);
    return btoa(plain) === text ? Uint8Array.from(plain, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

export interface Key {
  readonly line: string;
  readonly name: string;
  /** 8 hex digits. */
  readonly hashed: string;
  readonly keyId: string;
  readonly public: CryptoKey;
  from?: string | undefined;
  through?: string | undefined;
}

/** @throws Error for what is no key line: `steward/audit+{8 hex digits}+{base64}` */
export async function readKey(line: string): Promise<Key> {
  const [, name = '', hashed = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(line) ?? [];
  const bytes = ofBase64(encoded) ?? new Uint8Array();
  const raw = bytes.slice(1);
  if (bytes[0] !== 1 || hexOf(await sha256(`${name}\n`, bytes)).slice(0, 8) !== hashed)
    throw new Error('This is no key: a key is written steward/audit+{8 hex digits}+{base64}.');
  return {
    line,
    name,
    hashed,
    keyId: hexOf(await sha256(raw)).slice(0, 16),
    public: await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']),
  };
}

/** As the beginning of their lines, by which a reader knows the pinned one again. */
export const named = (keys: readonly Key[]): string => keys.map(({ name, hashed }) => `${name}+${hashed}`).join(', ');

interface Note {
  readonly text: string;
  readonly signedBy: readonly Key[];
  readonly others: readonly string[];
}

export async function openNote(note: string, known: readonly Key[]): Promise<Note> {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new Wrong('checkpoint', 'it is no signed note');
  const text = note.slice(0, end + 1);
  const signedBy: Key[] = [];
  const others: string[] = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = ofBase64(encoded);
    if (name === undefined || bytes === undefined || bytes.length < 5)
      throw new Wrong('checkpoint', 'a signature line is malformed');
    const hashed = hexOf(bytes.subarray(0, 4));
    const key = known.find((one) => one.name === name && one.hashed === hashed);
    if (key === undefined) others.push(`${name}+${hashed}`);
    else if (await crypto.subtle.verify('Ed25519', key.public, bytes.slice(4), utf8.encode(text))) signedBy.push(key);
    else throw new Wrong('signature', `the signature of ${name}+${hashed} is false`);
  }
  return { text, signedBy, others };
}

interface Link {
  readonly key: Key;
  readonly from: string | undefined;
  readonly previous: Key | undefined;
  readonly through: string | undefined;
}

const keyForm =
  /^steward\/audit\/key\n([^\n]+)\n(?:from (\d{4}-\d\d-\d\d)\n)?(?:previous ([^\n]+)\n(?:through (\d{4}-\d\d-\d\d)\n)?)?\n/;

async function readKeyNote(note: string): Promise<Link> {
  const [, line = '', from, before, through] = keyForm.exec(note) ?? [];
  const key = await readKey(line);
  const previous = before === undefined ? undefined : await readKey(before);
  const wanted = previous === undefined ? [key] : [key, previous];
  const { signedBy } = await openNote(note, wanted);
  if (wanted.some((one) => !signedBy.includes(one)) || signedBy.length !== wanted.length)
    throw new Error('it is not signed by both its keys');
  return { key, from, previous, through };
}

/** The keys that the notes in the proof lead to from those that are trusted, forwards and backwards, each with its time. */
export async function keysFrom(notes: readonly string[], given: readonly string[]): Promise<readonly Key[]> {
  const links: Link[] = [];
  for (const note of notes) {
    try {
      links.push(await readKeyNote(note));
    } catch (error) {
      throw new Wrong('key', `the note of a key: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const before = links.map(({ previous }) => previous?.line).filter((line) => line !== undefined);
  if (new Set(before).size !== before.length) throw new Wrong('key', 'two keys say that they follow the same one');
  const trusted = new Map<string, Key>();
  for (const line of given) trusted.set(line, await readKey(line));
  for (let grown = true; grown;) {
    grown = false;
    for (const { key, previous } of links) {
      if (previous === undefined || trusted.has(key.line) === trusted.has(previous.line)) continue;
      grown = true;
      trusted.set(key.line, key);
      trusted.set(previous.line, previous);
    }
  }
  for (const { key, from, previous, through } of links) {
    const own = trusted.get(key.line);
    const older = previous && trusted.get(previous.line);
    if (own !== undefined && previous !== undefined) own.from = from;
    if (older !== undefined && through !== undefined && through < (older.through ?? '9')) older.through = through;
  }
  return [...trusted.values()];
}

/** `audit-row/v1`, hex. `at`: milliseconds. */
export async function rowHash(
  previousHash: string,
  sequence: number,
  at: number,
  eventHash: Uint8Array,
): Promise<string> {
  return hexOf(await sha256('audit-row/v1\n', ofHex(previousHash), bigEndian(sequence), bigEndian(at), eventHash));
}

export const eventHash = async (event: string): Promise<Uint8Array> => sha256('audit-event/v1\n', event);

/** In milliseconds. @throws Wrong where it is not written as the log writes times */
export function timeOf(receivedAt: string, kind: Kind = 'form'): number {
  const time = Date.parse(receivedAt);
  if (!(time >= 0) || new Date(time).toISOString() !== receivedAt) throw new Wrong(kind, 'receivedAt is no time');
  return time;
}

/** @throws Wrong where one of those who signed had no time on that day: what is signed `over` it is signed once it is over */
export function requireTime(signedBy: readonly Key[], day: string, over: boolean): void {
  const late = signedBy.find(({ from = '', through = '9' }) => day < from || (over ? day >= through : day > through));
  if (late !== undefined)
    throw new Wrong(
      'signature',
      `key ${late.keyId} signs nothing of this day: its time is ${late.from ?? 'ever'} to ${late.through ?? 'now'}`,
    );
}

export interface Checkpoint {
  readonly count: number;
  /** Hex. */
  readonly root: string;
  /** SHA-256 of the manifest, hex. */
  readonly manifest: string;
  readonly signedBy: readonly Key[];
}

const checkpointForm =
  /^steward\/audit\/([0-9a-f-]{36}|platform)\/(\d{4}-\d\d-\d\d)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\nmanifest ([0-9a-f]{64})\n$/;

/** The checkpoint of a day of a tenant, signed by a trusted key in its time. @throws Wrong */
export async function readCheckpoint(
  note: string,
  trusted: readonly Key[],
  { tenant, day }: { readonly tenant: string; readonly day: string },
): Promise<Checkpoint> {
  const { text, signedBy, others } = await openNote(note, trusted);
  if (signedBy.length === 0)
    throw new Wrong('signature', `the checkpoint is signed by ${others.join(', ')}, and no trusted key leads there`);
  requireTime(signedBy, day, true);
  const [, owner = '', of = '', count, encoded = '', manifest = ''] = checkpointForm.exec(text) ?? [];
  const root = ofBase64(encoded);
  if (count === undefined || root === undefined) throw new Wrong('checkpoint', 'its text is no checkpoint of a day');
  if (owner !== tenant || of !== day) throw new Wrong('misplaced', `the checkpoint is that of ${owner} on ${of}`);
  return { count: Number(count), root: hexOf(root), manifest, signedBy };
}

export const genesis = async (tenant: string): Promise<string> => hexOf(await sha256(`audit-genesis/v1\n${tenant}`));

/** RFC 6962, over row hashes in hex. */
export async function treeHash(leaves: readonly string[]): Promise<string> {
  let level = await Promise.all(leaves.map(async (leaf) => sha256(Uint8Array.of(0), ofHex(leaf))));
  if (level.length === 0) return hexOf(await sha256(''));
  // The last of an odd number goes up as it is, which is the split at the largest power of two.
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => level.slice(2 * at, 2 * at + 2));
    level = await Promise.all(
      pairs.map(async ([left, right]) =>
        right === undefined ? (left as Uint8Array) : sha256(Uint8Array.of(1), left as Uint8Array, right),
      ),
    );
  }
  return hexOf(level[0] as Uint8Array);
}
