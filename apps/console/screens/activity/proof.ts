import {
  eventHash,
  hexOf,
  isHash,
  type Key,
  keysFrom,
  type Kind,
  named,
  ofBase64,
  ofHex,
  readCheckpoint,
  requireTime,
  rowHash,
  sha256,
  timeOf,
  utf8,
  Wrong,
} from './signed.ts';

/** An event and its place in the chain. */
interface Placed {
  readonly tenant: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The canonical text that is hashed. */
  readonly event: string;
  readonly sequence: number;
  readonly receivedAt: string;
  readonly previousHash: string;
  readonly rowHash: string;
  readonly keys: readonly string[];
}

/** That it stands in a sealed day. */
export interface Proof extends Placed {
  readonly format: 'steward-audit-proof/1';
  readonly leafIndex: number;
  readonly treeSize: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

/** That its place was signed before the day was sealed. */
export interface Receipt extends Placed {
  readonly format: 'steward-audit-receipt/1';
  readonly receipt: { readonly format: 'audit-receipt/v1'; readonly keyId: string; readonly signature: string };
}

/** What was computed here, in its order. */
export interface Computed {
  readonly step: 'event' | 'row' | 'signature' | 'root' | 'file';
  /** Hex, or the id of the key. */
  readonly value: string;
}

export type Verdict = {
  readonly computed: readonly Computed[];
  readonly proof?: Proof | Receipt;
} & ({ readonly ok: true } | { readonly ok: false; readonly kind: Kind; readonly detail: string });

/** How many members the objects of a JSON text have: in such a text a quote only begins or ends a string. */
const membersIn = (json: string): number =>
  [...json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g)].filter(([, colon]) => colon !== undefined).length;

function parseProof(text: string): Proof | Receipt {
  let told: Record<string, unknown>;
  let twice: boolean;
  try {
    told = JSON.parse(text) as Record<string, unknown>;
    twice = membersIn(JSON.stringify(told)) !== membersIn(text);
  } catch {
    throw new Wrong('form', 'the proof is no JSON');
  }
  // Other readers take the first of two members of the same name, and would show what was not verified.
  if (twice) throw new Wrong('form', 'a member is there twice');
  const isReceipt = told?.['format'] === 'steward-audit-receipt/1';
  const strings = [
    'tenant',
    'event',
    'receivedAt',
    'previousHash',
    'rowHash',
    ...(isReceipt ? [] : ['day', 'checkpoint']),
  ];
  const numbers = ['sequence', ...(isReceipt ? [] : ['leafIndex', 'treeSize'])];
  const [keys, path] = [told?.['keys'], told?.['path']];
  if (
    !(isReceipt || told?.['format'] === 'steward-audit-proof/1') ||
    strings.some((name) => typeof told[name] !== 'string') ||
    numbers.some((name) => !Number.isSafeInteger(told[name]) || Number(told[name]) < 0) ||
    ![told['previousHash'], told['rowHash']].every(isHash) ||
    (isReceipt ? !isSignature(told['receipt']) : !(Array.isArray(path) && path.every(isHash))) ||
    (keys !== undefined && !(Array.isArray(keys) && keys.every((note) => typeof note === 'string')))
  )
    throw new Wrong('form', 'it is no proof in the form of steward-audit-proof/1 or steward-audit-receipt/1');
  // Whoever reads the file would take them for verified too.
  const own = new Set(['format', 'keys', ...strings, ...numbers, isReceipt ? 'receipt' : 'path']);
  const foreign =
    Object.keys(told).find((name) => !own.has(name)) ??
    Object.keys(isReceipt ? (told['receipt'] as object) : {}).find(
      (name) => !['format', 'keyId', 'signature'].includes(name),
    );
  if (foreign !== undefined)
    throw new Wrong(
      'form',
      `it has a member that no ${isReceipt ? 'receipt' : 'proof'} has: ${JSON.stringify(foreign)}`,
    );
  const day = isReceipt ? String(told['receivedAt']).slice(0, 10) : told['day'];
  return { ...told, day, keys: keys ?? [] } as unknown as Proof | Receipt;
}

function isSignature(value: unknown): value is Receipt['receipt'] {
  const { format, keyId, signature } = (value ?? {}) as Record<string, unknown>;
  return (
    format === 'audit-receipt/v1' &&
    /^[0-9a-f]{16}$/.test(String(keyId)) &&
    /^[A-Za-z0-9_-]{86}$/.test(String(signature))
  );
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

async function prove(told: Proof | Receipt, trusted: readonly Key[], computed: Computed[]): Promise<void> {
  const { tenant, day, event, sequence, receivedAt, previousHash, rowHash: stated } = told;
  const time = timeOf(receivedAt);
  if (!receivedAt.startsWith(`${day}T`)) throw new Wrong('misplaced', 'the event was received on another day');
  let said: { readonly tenantId?: unknown; readonly id?: unknown } | null;
  try {
    said = JSON.parse(event) as typeof said;
  } catch {
    throw new Wrong('form', 'the event is no JSON');
  }
  if (!event.isWellFormed()) throw new Wrong('form', 'the event has a lone surrogate, which no text of the log has');
  if (said?.tenantId !== tenant) throw new Wrong('tenant', 'the event names another tenant');
  const hashed = await eventHash(event);
  computed.push({ step: 'event', value: hexOf(hashed) });
  const row = await rowHash(previousHash, sequence, time, hashed);
  if (row !== stated) throw new Wrong('chain', 'event, number, time and previous hash do not make the row hash');
  computed.push({ step: 'row', value: row });
  await (told.format === 'steward-audit-receipt/1'
    ? checkSignature(told, said.id, trusted, computed)
    : checkInclusion(told, trusted, computed));
}

async function checkSignature(
  { tenant, day, sequence, receivedAt, rowHash: stated, receipt }: Receipt,
  id: unknown,
  trusted: readonly Key[],
  computed: Computed[],
): Promise<void> {
  const key = trusted.find(({ keyId }) => keyId === receipt.keyId);
  if (key === undefined)
    throw new Wrong('signature', `the receipt is signed by ${receipt.keyId}, and no trusted key leads there`);
  requireTime([key], day, false);
  // In the order and spelling of RFC 8785.
  const signed = `audit-receipt/v1\n${JSON.stringify({ id, receivedAt, rowHash: stated, sequence, tenantId: tenant })}`;
  const bytes = ofBase64(`${receipt.signature.replaceAll('-', '+').replaceAll('_', '/')}==`);
  if (bytes === undefined || !(await crypto.subtle.verify('Ed25519', key.public, bytes, utf8.encode(signed))))
    throw new Wrong('signature', `the signature of ${key.keyId} is false`);
  computed.push({ step: 'signature', value: named([key]) });
}

async function checkInclusion(told: Proof, trusted: readonly Key[], computed: Computed[]): Promise<void> {
  const { rowHash: stated, leafIndex, treeSize, path } = told;
  const { count, root, signedBy } = await readCheckpoint(told.checkpoint, trusted, told);
  if (count !== treeSize || leafIndex >= treeSize) throw new Wrong('checkpoint', 'it signs another number of rows');
  computed.push({ step: 'signature', value: named(signedBy) });
  const along = await rootAlong(ofHex(stated), leafIndex, treeSize, path);
  if (along !== root) throw new Wrong('rows', 'the path does not lead from the row to the root that was signed');
  computed.push({ step: 'root', value: along });
}

export interface About {
  readonly tenant: string;
  readonly id?: string;
}

/**
 * Computes everything of a proof or receipt anew.
 * @param given public keys that are trusted, `steward/audit+…`
 * @param about whose log the proof must be of, and which event where one was asked for: the logs of all organizations are signed by one
 * key, so that it does not tell them apart
 */
export async function verifyProof(text: string, given: readonly string[], about?: About): Promise<Verdict> {
  const computed: Computed[] = [];
  let proof: Proof | Receipt | undefined;
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
