// Checks a proof of the audit log in this page, with WebCrypto and by the rule of docs/guides/audit-archive.md, as the stand-alone
// verifier does (components/verification/verifier), which is written for Node: the test beside holds each against the other.

/** What is wrong, in the words of the stand-alone verifier; `foreign`: the proof is not of the log that was asked about. */
export type Kind = 'foreign' | 'form' | 'misplaced' | 'tenant' | 'chain' | 'key' | 'signature' | 'checkpoint' | 'rows';

class Wrong extends Error {
  readonly kind: Kind;
  constructor(kind: Kind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Proof {
  readonly format: 'steward-audit-proof/1';
  readonly tenant: string;
  readonly day: string;
  /** The canonical text that is hashed. */
  readonly event: string;
  readonly sequence: number;
  readonly receivedAt: string;
  readonly previousHash: string;
  readonly rowHash: string;
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
  readonly keys: readonly string[];
}

/** What was computed here, in its order. */
export interface Computed {
  readonly step: 'event' | 'row' | 'signature' | 'root';
  /** Hex, or the id of the key. */
  readonly value: string;
}

export type Verdict = {
  readonly computed: readonly Computed[];
  readonly proof?: Proof;
} & ({ readonly ok: true } | { readonly ok: false; readonly kind: Kind; readonly detail: string });

const utf8 = new TextEncoder();
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const ofHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of bytes) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const sha256 = async (...parts: readonly (Uint8Array | string)[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** Undefined where the text is not the one form of its bytes. */
function ofBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const plain = atob(text);
    return btoa(plain) === text ? Uint8Array.from(plain, (character) => character.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

interface Key {
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

interface Note {
  readonly text: string;
  readonly signedBy: readonly Key[];
  readonly others: readonly string[];
}

async function openNote(note: string, known: readonly Key[]): Promise<Note> {
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
async function keysFrom(notes: readonly string[], given: readonly string[]): Promise<readonly Key[]> {
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

function parseProof(text: string): Proof {
  let told: Record<string, unknown>;
  try {
    told = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Wrong('form', 'the proof is no JSON');
  }
  const strings = ['tenant', 'day', 'event', 'receivedAt', 'previousHash', 'rowHash', 'checkpoint'];
  const numbers = ['sequence', 'leafIndex', 'treeSize'];
  const keys = told?.['keys'];
  if (
    told?.['format'] !== 'steward-audit-proof/1' ||
    strings.some((name) => typeof told[name] !== 'string') ||
    numbers.some((name) => !Number.isSafeInteger(told[name]) || Number(told[name]) < 0) ||
    ![told['previousHash'], told['rowHash']].every(isHash) ||
    !Array.isArray(told['path']) ||
    !told['path'].every(isHash) ||
    (keys !== undefined && !(Array.isArray(keys) && keys.every((note) => typeof note === 'string')))
  )
    throw new Wrong('form', 'the proof is not in the form of steward-audit-proof/1');
  return { ...(told as unknown as Proof), keys: (keys as string[] | undefined) ?? [] };
}

/** RFC 9162 section 2.1.3.2. */
async function rootAlong(
  data: Uint8Array,
  index: number,
  size: number,
  path: readonly string[],
): Promise<string | undefined> {
  let node = await sha256(Uint8Array.of(0), data);
  let at = index;
  let last = size - 1;
  for (const step of path) {
    if (last === 0) return undefined;
    const sibling = ofHex(step);
    if (at % 2 === 1 || at === last) {
      node = await sha256(Uint8Array.of(1), sibling, node);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    } else {
      node = await sha256(Uint8Array.of(1), node, sibling);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hexOf(node) : undefined;
}

const checkpointForm =
  /^steward\/audit\/([0-9a-f-]{36}|platform)\/(\d{4}-\d\d-\d\d)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\nmanifest ([0-9a-f]{64})\n$/;

async function prove(told: Proof, trusted: readonly Key[], computed: Computed[]): Promise<void> {
  const { tenant, day, event, sequence, receivedAt, previousHash, rowHash, leafIndex, treeSize, path } = told;
  const time = Date.parse(receivedAt);
  if (Number.isNaN(time) || new Date(time).toISOString() !== receivedAt)
    throw new Wrong('form', 'receivedAt is no time');
  if (!receivedAt.startsWith(`${day}T`)) throw new Wrong('misplaced', 'the event was received on another day');
  let named: unknown;
  try {
    named = (JSON.parse(event) as { readonly tenantId?: unknown } | null)?.tenantId;
  } catch {
    throw new Wrong('form', 'the event is no JSON');
  }
  if (named !== tenant) throw new Wrong('tenant', 'the event names another tenant');
  const eventHash = await sha256('audit-event/v1\n', event);
  computed.push({ step: 'event', value: hexOf(eventHash) });
  const row = hexOf(
    await sha256('audit-row/v1\n', ofHex(previousHash), bigEndian(sequence), bigEndian(time), eventHash),
  );
  if (row !== rowHash) throw new Wrong('chain', 'event, number, time and previous hash do not make the row hash');
  computed.push({ step: 'row', value: row });
  const { text, signedBy, others } = await openNote(told.checkpoint, trusted);
  if (signedBy.length === 0)
    throw new Wrong('signature', `the checkpoint is signed by ${others.join(', ')}, and no trusted key leads there`);
  const late = signedBy.find(({ from = '', through = '9' }) => day < from || day >= through);
  if (late !== undefined)
    throw new Wrong(
      'signature',
      `key ${late.keyId} signs nothing of this day: its time is ${late.from ?? 'ever'} to ${late.through ?? 'now'}`,
    );
  const [, owner = '', of = '', count, encoded = ''] = checkpointForm.exec(text) ?? [];
  const root = ofBase64(encoded);
  if (count === undefined || root === undefined) throw new Wrong('checkpoint', 'its text is no checkpoint of a day');
  if (owner !== tenant || of !== day) throw new Wrong('misplaced', `the checkpoint is that of ${owner} on ${of}`);
  if (Number(count) !== treeSize || leafIndex >= treeSize)
    throw new Wrong('checkpoint', 'it signs another number of rows');
  computed.push({ step: 'signature', value: signedBy.map(({ keyId }) => keyId).join(', ') });
  const along = await rootAlong(ofHex(rowHash), leafIndex, treeSize, path);
  if (along !== hexOf(root)) throw new Wrong('rows', 'the path does not lead from the row to the root that was signed');
  computed.push({ step: 'root', value: along });
}

export interface About {
  readonly tenant: string;
  readonly id?: string;
}

/**
 * Computes everything of a proof anew.
 * @param given public keys that are trusted, `steward/audit+…`
 * @param about whose log the proof must be of, and which event where one was asked for: the logs of all organizations are signed by one
 * key, so that it does not tell them apart
 */
export async function verifyProof(text: string, given: readonly string[], about?: About): Promise<Verdict> {
  const computed: Computed[] = [];
  let proof: Proof | undefined;
  try {
    proof = parseProof(text);
    if (about !== undefined && proof.tenant !== about.tenant)
      throw new Wrong('foreign', `the proof is of the log of ${proof.tenant}`);
    await prove(proof, await keysFrom(proof.keys, given), computed);
    const { id } = JSON.parse(proof.event) as { readonly id?: unknown };
    if (about?.id !== undefined && id !== about.id) throw new Wrong('misplaced', 'the proof is that of another event');
    return { ok: true, computed, proof };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { kind, message: detail } = error;
    return { ok: false, kind, detail, computed, ...(proof === undefined ? {} : { proof }) };
  }
}

/** The keys that a proof names by itself, the first one's first: who trusts none of them from elsewhere knows only that it agrees with itself. */
export const ownKeys = ({ keys }: Pick<Proof, 'keys'>): readonly string[] =>
  keys.map((note) => note.split('\n')[1] ?? '').filter((line) => line !== '');
