#!/usr/bin/env node
// @ts-check
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
// Verifies what Steward's audit log left outside its database: an archive, one event's proof, an export. One file,
// no dependencies, Node 20 or newer; nothing is trusted but the public key that you give it. The rule it follows is
// docs/guides/audit-archive.md; a second implementation, in Python, is conformance/audit/verify_archive.py.
import { constants } from 'node:fs';
import crypto from 'node:crypto';
import { open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * Where an archive is read from. Paths are relative, with `/` between their parts.
 * @typedef {object} Reader
 * @property {(prefix: string) => AsyncIterable<string>} list every path that begins with the prefix, plain files or not
 * @property {(path: string, most: number) => Promise<AsyncIterable<Uint8Array> | undefined>} read at most so many bytes;
 *   undefined where nothing is there; throws `Irregular`, before it reads, where that is larger or no plain file
 * @property {string} [folder] set where it is a folder of this machine, so that workers can read it too
 */
/**
 * Whether what is there is what was signed; whether all that was signed is there; whether it goes on to this day.
 * @typedef {'integrity' | 'completeness' | 'freshness'} Aspect
 */
/**
 * @typedef {object} Finding
 * @property {Aspect} aspect
 * @property {Kind} kind
 * @property {string} tenant a tenant's id, `platform`, or empty where the archive as a whole is meant
 * @property {string} [day] `YYYY-MM-DD`
 * @property {string} [throughDay] the last of a run of days
 * @property {number} [sequence] the first bad one
 * @property {number} [through] the last of a run of them
 * @property {string} detail
 */
/**
 * What an archive's manifests, checkpoints and rows come to.
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {'ok' | 'broken' | 'unknown'} integrity
 * @property {'ok' | 'broken' | 'unknown'} completeness
 * @property {'ok' | 'stale' | 'unknown'} freshness
 * @property {number} tenants
 * @property {number} days days of tenants
 * @property {number} rows
 * @property {number} bytes of the rows' files
 * @property {string} [newestDay] the newest day that is sealed for everybody
 * @property {readonly Finding[]} findings
 * @property {readonly string[]} notes what is worth knowing and wrong in no way
 * @property {boolean} truncated more is wrong than is listed
 */
/**
 * @typedef {object} Options
 * @property {readonly string[]} keys public keys that are trusted, `steward/audit+…`
 * @property {string} [tenant] only this one
 * @property {number} [acceptIncarnation] restored backups up to this number are known and no finding
 * @property {number} [freshWithinDays] how old the newest sealed day may be, 3
 * @property {Date} [now]
 * @property {boolean} [canonical] also that every event is RFC 8785 text
 * @property {number} [workers] threads for large days of a folder; 1 for none, as many as there are processors
 * @property {(progress: { rows: number, bytes: number }) => void} [onProgress]
 */

/** @satisfies {Record<string, Aspect>} */
const aspects = {
  /** a line or document is not in the one form it may have */ form: 'integrity',
  /** a row does not follow from the row before it */ chain: 'integrity',
  /** a sequence or time goes backwards, or leaves the day */ order: 'integrity',
  /** rows are missing in a day's middle */ gap: 'integrity',
  /** rows are missing at a day's end */ tail: 'integrity',
  /** rows hang together, but are not those that were signed */ rows: 'integrity',
  /** an event names another tenant */ tenant: 'integrity',
  /** an event is not canonical JSON */ canonical: 'integrity',
  /** the manifest is not the one that was signed */ manifest: 'integrity',
  /** the checkpoint does not fit */ checkpoint: 'integrity',
  /** no trusted key signed, or the signature is false */ signature: 'integrity',
  /** it belongs to another tenant or day */ misplaced: 'integrity',
  /** a day does not follow from the day before it */ link: 'integrity',
  /** a chain that does not begin at its genesis */ genesis: 'integrity',
  /** a restored chain that goes on from no row of the archive */ fork: 'integrity',
  /** the platform's day lists another manifest */ platform: 'integrity',
  /** the note of a key is forged or broken */ key: 'integrity',
  /** an hourly checkpoint is broken, or the rows are not those it has seen */ hour: 'integrity',
  /** no plain file, or larger than it may be: it is not read */ irregular: 'integrity',
  /** a file of a day that is not over: it would keep the day from being sealed */ early: 'integrity',
  /** a file, a day, or a tenant is missing */ missing: 'completeness',
  /** a tenant that the platform's days list no longer */ dropped: 'completeness',
  /** a backup was restored and rows behind it were lost */ restored: 'completeness',
  /** nothing was sealed lately */ stale: 'freshness',
};
/** @typedef {keyof typeof aspects} Kind */

const most = 1_000;

class Findings {
  /** @type {Finding[]} */
  list = [];
  truncated = false;
  /** @type {Map<string, Finding>} */
  #runs = new Map();

  /** @param {Omit<Finding, 'aspect'>} told */
  add(told) {
    const { tenant, kind, day, detail, sequence, through } = told;
    const key = `${tenant} ${kind} ${detail}`;
    const run = this.#runs.get(key);
    if (run?.day !== undefined && day !== undefined && dayNumber(run.throughDay ?? run.day) + 1 === dayNumber(day)) {
      run.throughDay = day;
      if (through !== undefined || sequence !== undefined) run.through = through ?? sequence;
    } else if (this.list.length < most) {
      const finding = { aspect: aspects[kind], ...told };
      this.#runs.set(key, finding);
      this.list.push(finding);
    } else {
      this.truncated = true;
    }
  }

  /** @param {Aspect} aspect */
  has(aspect) {
    return this.list.some((finding) => finding.aspect === aspect);
  }

  sorted() {
    return this.list.toSorted(
      (a, b) =>
        a.tenant.localeCompare(b.tenant) ||
        (a.day ?? '').localeCompare(b.day ?? '') ||
        (a.sequence ?? 0) - (b.sequence ?? 0),
    );
  }
}

// --- Hashes. Into strings, one character a byte: that costs a third of hashing into buffers.

/** @type {(bytes: string | Uint8Array, encoding: 'hex' | 'binary') => string} */
const sha256 =
  typeof crypto.hash === 'function'
    ? (bytes, encoding) => crypto.hash('sha256', bytes, encoding)
    : (bytes, encoding) => crypto.createHash('sha256').update(bytes).digest(encoding); // Node before 20.12
/** @param {string | Uint8Array} bytes */
const hex = (bytes) => sha256(bytes, 'hex');
/** @param {Uint8Array} bytes */
const binary = (bytes) => sha256(bytes, 'binary');
/** @param {string} tenant */
const genesis = (tenant) => hex(`audit-genesis/v1\n${tenant}`);

const children = Buffer.alloc(65, 1);

/** @param {string} left @param {string} right */
function parent(left, right) {
  children.write(left, 1, 'binary');
  children.write(right, 33, 'binary');
  return binary(children);
}

/** RFC 6962, leaf by leaf. */
class Tree {
  size = 0;
  /** @type {string[]} */
  #full = [];

  /** @param {string} leaf the leaf's hash */
  add(leaf) {
    let node = leaf;
    let level = 0;
    for (let block = this.size; block % 2 === 1; block = (block - 1) / 2) {
      node = parent(this.#full[level] ?? '', node);
      level += 1;
    }
    this.#full[level] = node;
    this.size += 1;
  }

  root() {
    /** @type {string | undefined} */
    let right;
    for (let level = 0, rest = this.size; rest > 0; level += 1, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) right = right === undefined ? this.#full[level] : parent(this.#full[level] ?? '', right);
    }
    return right === undefined ? hex('') : Buffer.from(right, 'binary').toString('hex');
  }
}

/**
 * RFC 9162 section 2.1.3.2.
 * @param {Uint8Array} data @param {number} index @param {number} size @param {readonly string[]} path hex
 */
function rootAlong(data, index, size, path) {
  let node = binary(Buffer.concat([Buffer.of(0), data]));
  let at = index;
  let last = size - 1;
  for (const step of path) {
    if (last === 0) return undefined;
    const sibling = Buffer.from(step, 'hex').toString('binary');
    if (at % 2 === 1 || at === last) {
      node = parent(sibling, node);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    } else {
      node = parent(node, sibling);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? Buffer.from(node, 'binary').toString('hex') : undefined;
}

/** RFC 8785. Not by recursion: an event may be nested deeper than a stack. @param {unknown} value */
function canonical(value) {
  /** @type {{ value: unknown, text?: string }[]} */
  const todo = [{ value }];
  let out = '';
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    out += next.text ?? '';
    const one = next.value;
    if (typeof one === 'string' && !one.isWellFormed()) throw new Error('a lone surrogate');
    if (one === undefined) continue;
    if (typeof one !== 'object' || one === null) {
      if (typeof one === 'number' && !Number.isFinite(one)) throw new Error('no JSON number');
      out += JSON.stringify(one);
      continue;
    }
    const list = Array.isArray(one);
    // By UTF-16 code units, which is what sort does by itself.
    const members = list
      ? one.map((item) => /** @type {[string, unknown]} */ (['', item]))
      : Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1));
    todo.push({ value: undefined, text: list ? ']' : '}' });
    for (let at = members.length - 1; at >= 0; at -= 1) {
      const [name, item] = /** @type {[string, unknown]} */ (members[at]);
      if (!name.isWellFormed()) throw new Error('a lone surrogate');
      todo.push({ value: item, text: (at === 0 ? '' : ',') + (list ? '' : `${JSON.stringify(name)}:`) });
    }
    out += list ? '[' : '{';
  }
  return out;
}

// --- Days.

const aDay = 86_400_000;
/** No log is older: a file under such a day must not make every day since be looked for. */
const eldest = Date.parse('2000-01-01') / aDay;
/** Milliseconds; undefined where it is no time of the form `…sssZ`, or one before 1970, which no row has. @param {string} text */
function timeOf(text) {
  const time = Date.parse(text);
  return time >= 0 && new Date(time).toISOString() === text ? time : undefined;
}

/** @param {string} day */
const dayNumber = (day) => Date.parse(day) / aDay;
/** @param {number} number */
const dayOf = (number) => new Date(number * aDay).toISOString().slice(0, 10);
/** @param {string} owner @param {string} day */
const stem = (owner, day) => `${owner}/${day.replaceAll('-', '/')}`;

// --- Signed notes, in the form of C2SP, and the keys that sign them.

/** What is wrong with a document, in a word and in words. */
class Wrong extends Error {
  /** @param {Kind} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** What stands there cannot be what was sealed, and is not read. */
export class Irregular extends Wrong {
  /** @param {string} message */
  constructor(message) {
    super('irregular', message);
  }
}

/** @param {number} bytes @param {number} most @throws Irregular */
function demandSize(bytes, most) {
  if (bytes > most) throw new Irregular(`it has ${bytes} bytes, and at most ${most} can be right`);
}

/** @typedef {{ line: string, name: string, hashed: string, raw: Buffer, keyId: string, public: crypto.KeyObject, from?: string | undefined, through?: string | undefined }} Key */

/**
 * @param {string} line `{name}+{key hash}+{base64}`
 * @returns {Key}
 */
function readKey(line) {
  const [, name = '', hashed = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const raw = bytes.subarray(1);
  if (bytes[0] !== 1 || hex(Buffer.concat([Buffer.from(`${name}\n`), bytes])).slice(0, 8) !== hashed)
    throw new Error(`${JSON.stringify(line)} is no key: a key is written steward/audit+{8 hex digits}+{base64}.`);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
  const keyObject = crypto.createPublicKey({ format: 'jwk', key: jwk });
  return { line, name, hashed, raw, keyId: hex(raw).slice(0, 16), public: keyObject };
}

/**
 * The text, and the keys that signed it. Throws where it is no note, or a signature in the name of a known key is
 * false; signatures of others say nothing.
 * @param {string} note @param {Iterable<Key>} known
 */
function openNote(note, known) {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new Wrong('checkpoint', 'it is no signed note');
  const text = note.slice(0, end + 1);
  /** @type {Key[]} */
  const signedBy = [];
  /** @type {string[]} */
  const others = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded = ''] = /^— ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    if (name === undefined || bytes.length < 5 || bytes.toString('base64') !== encoded)
      throw new Wrong('checkpoint', 'a signature line is malformed');
    const hashed = bytes.toString('hex', 0, 4);
    const key = [...known].find((one) => one.name === name && one.hashed === hashed);
    if (key === undefined) others.push(`${name}+${hashed}`);
    else if (crypto.verify(null, Buffer.from(text), key.public, bytes.subarray(4))) signedBy.push(key);
    else throw new Wrong('signature', `the signature of ${name}+${hashed} is false`);
  }
  return { text, signedBy, others };
}

/** @typedef {{ key: Key, from: string | undefined, previous: Key | undefined, through: string | undefined }} Link */

const keyForm =
  /^steward\/audit\/key\n([^\n]+)\n(?:from (\d{4}-\d\d-\d\d)\n)?(?:previous ([^\n]+)\n(?:through (\d{4}-\d\d-\d\d)\n)?)?\n/;

/** @param {string} note @returns {Link} */
function readKeyNote(note) {
  const [, line = '', from, before, through] = keyForm.exec(note) ?? [];
  const key = readKey(line);
  const previous = before === undefined ? undefined : readKey(before);
  const wanted = previous === undefined ? [key] : [key, previous];
  const { signedBy } = openNote(note, wanted);
  if (wanted.some((one) => !signedBy.includes(one)) || signedBy.length !== wanted.length)
    throw new Error('it is not signed by both its keys');
  return { key, from, previous, through };
}

/**
 * All keys that notes lead to from those that are trusted, forwards and backwards, each with its time: the first one from
 * ever, all others from the day that their note says, and to the day on which the next one's says that they were retired.
 * @param {readonly Link[]} links @param {readonly string[]} given @returns {Map<string, Key>}
 */
function followKeys(links, given) {
  const trusted = new Map(given.map((line) => [line, readKey(line)]));
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
    const before = previous && trusted.get(previous.line);
    if (own !== undefined && previous !== undefined) own.from = from;
    if (before !== undefined && through !== undefined && through < (before.through ?? '9')) before.through = through;
  }
  return trusted;
}

/** Of keys that signed what was made on a day, or tells of it, the first whose time that is not. @param {readonly Key[]} keys @param {string} day @param {boolean} over whether it was made after the day */
function outOfTime(keys, day, over) {
  const key = keys.find(({ from = '', through = '9' }) => day < from || (over ? day >= through : day > through));
  return (
    key && `key ${key.keyId} signs nothing of this day: its time is ${key.from ?? 'ever'} to ${key.through ?? 'now'}`
  );
}

/**
 * All keys that the archive's notes lead to from those that are trusted.
 * @param {Reader} reader @param {readonly string[]} given @param {Findings} findings @param {string[]} notes
 */
async function trustedKeys(reader, given, findings, notes) {
  /** @type {Link[]} */
  const links = [];
  for await (const path of reader.list('platform/keys/')) {
    if (!/^platform\/keys\/[^/]+\.note$/.test(path)) continue;
    try {
      const link = readKeyNote((await small(reader, path))?.toString() ?? '');
      if (path !== `platform/keys/${link.key.keyId}.note`) throw new Error('it stands under the name of another key');
      const other = link.previous && links.find(({ previous }) => previous?.line === link.previous?.line);
      if (other !== undefined)
        throw new Error(`key ${other.key.keyId} follows the same one: a retired key vouches for none`);
      links.push(link);
    } catch (error) {
      findings.add({ kind: 'key', tenant: 'platform', detail: `${path}: ${messageOf(error)}` });
    }
  }
  const trusted = followKeys(links, given);
  const noted = new Set(links.map(({ key }) => key.line));
  for (const { key, previous } of links) {
    if (!trusted.has(key.line)) notes.push(`platform/keys/${key.keyId}.note is of a key that no trusted key leads to`);
    else if (previous !== undefined && !noted.has(previous.line)) {
      noted.add(previous.line);
      const detail = `platform/keys/${previous.keyId}.note is missing`;
      findings.add({ kind: 'missing', tenant: 'platform', detail });
    }
  }
  return { trusted: [...trusted.values()], noted };
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** A manifest, a checkpoint or a note, which nobody needs to write larger than this. */
const smallest = 1 << 20;

/** @param {Reader} reader @param {string} path @throws Irregular */
async function small(reader, path, most = smallest) {
  const stream = await reader.read(path, most);
  if (stream === undefined) return undefined;
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    demandSize(bytes, most);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** @param {string} text */
function readCheckpoint(text) {
  const form =
    /^steward\/audit\/([0-9a-f-]{36}|platform)\/(\d{4}-\d\d-\d\d)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\nmanifest ([0-9a-f]{64})\n$/;
  const [, owner = '', day = '', count, encoded = '', manifest = ''] = form.exec(text) ?? [];
  const root = Buffer.from(encoded, 'base64');
  if (count === undefined || root.toString('base64') !== encoded)
    throw new Wrong('checkpoint', 'its text is no checkpoint of a day');
  return { owner, day, count: Number(count), root: root.toString('hex'), manifest };
}

/**
 * @typedef {object} Manifest
 * @property {string} tenant `platform` for the platform's
 * @property {string} day
 * @property {number} incarnation
 * @property {number} count
 * @property {number} bytes
 * @property {string} sha256
 * @property {string} root
 * @property {{ day: string, manifestSha256: string } | undefined} previous
 * @property {number} firstSequence
 * @property {number} lastSequence
 * @property {string} firstPreviousHash
 * @property {string} lastRowHash
 */

/** @param {Buffer} bytes @returns {Manifest} */
function readManifest(bytes) {
  const told = JSON.parse(bytes.toString());
  if (`${canonical(told)}\n` !== bytes.toString()) throw new Error('it is not canonical JSON and one line feed');
  const tenants = told.format === 'steward-audit-day/1';
  if (!tenants && told.format !== 'steward-audit-platform-day/1') throw new Error('its format is not known');
  const hashes = ['sha256', 'root', ...(tenants ? ['firstPreviousHash', 'lastRowHash'] : [])];
  const numbers = ['incarnation', 'count', 'bytes', ...(tenants ? ['firstSequence', 'lastSequence'] : [])];
  const { previous } = told;
  const wrong = [
    ...hashes.filter((name) => !isHash(told[name])),
    ...numbers.filter((name) => !Number.isSafeInteger(told[name]) || told[name] < 0),
    ...['day', ...(tenants ? ['tenant'] : [])].filter((name) => typeof told[name] !== 'string'),
    ...(previous === undefined || (typeof previous?.day === 'string' && isHash(previous.manifestSha256))
      ? []
      : ['previous']),
    ...(tenants && told.lastSequence !== told.firstSequence + told.count - 1 ? ['lastSequence'] : []),
  ];
  if (wrong.length > 0) throw new Error(`its ${wrong.join(', ')} cannot be`);
  return tenants ? told : { ...told, tenant: 'platform' };
}

/** @param {unknown} value */
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

// --- Rows.

/**
 * What a file of rows must be, as far as something signed says so.
 * @typedef {object} Expected
 * @property {string} path
 * @property {string | undefined} tenant undefined in an export: that of its first row
 * @property {string | undefined} day undefined in an export
 * @property {number | undefined} firstSequence
 * @property {string | undefined} firstPreviousHash
 * @property {number | undefined} count
 * @property {number | undefined} bytes
 * @property {string | undefined} sha256
 * @property {string | undefined} root
 * @property {string | undefined} lastRowHash
 * @property {boolean} canonical
 * @property {number | undefined} wanted the sequence of a row whose hash is asked for
 * @property {readonly { sequence: number, rowHash: string }[]} [heads] rows that hourly checkpoints have seen, in order
 * @property {number} [most] how many bytes may be read where nothing that is signed says so
 */
/** @typedef {{ kind: Kind, detail: string, sequence?: number, through?: number }} Fault */
/**
 * @typedef {object} Walked
 * @property {boolean} missing
 * @property {Fault[]} faults
 * @property {number} rows
 * @property {number} bytes
 * @property {string | undefined} tenant
 * @property {number} first
 * @property {number} last
 * @property {number} holes runs of sequences that an export leaves out
 * @property {string | undefined} wantedHash
 * @property {readonly number[]} differing which of `heads` are other rows: their places in it, for two may tell of one sequence
 * @property {{ number: number, sequence: number } | undefined} claim the last claim of the archive that a row names
 */

const eventPrefix = Buffer.from('audit-event/v1\n');
const rowPrefix = Buffer.from('audit-row/v1\n');
const lineStart = Buffer.from('{"event":{');
const received = ',"receivedAt":"';
const stored = '","rowHash":"';
const numbered = '","sequence":';
/** From the end of the event to the first digit of the sequence. */
const tailBytes = received.length + 24 + stored.length + 64 + numbered.length;
/** The end of an event that names a claim of the archive; no producer but the server may record one. */
const claimEnd = '","type":"audit.archive.claimed"}';
const preceded = ',"prevHash":"';
const precededBytes = preceded.length + 64 + 1;
/** So much of an event's end is looked at for its tenant; a longer type is parsed. */
const glance = 180;
const mostFaults = 100;

/** @param {Buffer} buffer @param {number} at @param {Buffer} wanted */
function begins(buffer, at, wanted) {
  for (let index = 0; index < wanted.length; index += 1) if (buffer[at + index] !== wanted[index]) return false;
  return true;
}

/** Follows rows line by line. A bad row is named once; its neighbours are judged by what is stored. */
class RowWalk {
  /** @type {Fault[]} */
  faults = [];
  tree = new Tree();
  rows = 0;
  first = 0;
  last = 0;
  holes = 0;
  /** @type {string | undefined} */
  tenant;
  /** @type {string | undefined} */
  wantedHash;
  /** @type {number[]} */
  differing = [];
  /** @type {{ number: number, sequence: number } | undefined} */
  claim;
  #head = 0;
  #nextHead;
  #expected;
  #exported;
  #dayPrefix;
  #dayStart;
  #ofTenant = '';
  #time = -Infinity;
  /** What the next row may follow: the stored hash and, where it is not the right one, that too. @type {string[]} */
  #previous;
  /** What a row hash is made of; the byte before the previous hash is set to 0 to make a leaf of it. */
  #bytes = Buffer.concat([rowPrefix, Buffer.alloc(80)]);
  #leaf = this.#bytes.subarray(rowPrefix.length - 1, rowPrefix.length + 32);
  /** Which hash `#bytes` holds as the previous one. */
  #loaded = '';

  /** @param {Expected} expected */
  constructor(expected) {
    const { day, firstPreviousHash, firstSequence, tenant } = expected;
    this.#expected = expected;
    this.#nextHead = expected.heads?.[0]?.sequence ?? Infinity;
    this.#exported = day === undefined;
    this.#dayPrefix = `${day}T`;
    this.#dayStart = day === undefined ? 0 : Date.parse(day);
    this.#previous = firstPreviousHash === undefined ? [] : [firstPreviousHash];
    if (firstSequence !== undefined) this.last = firstSequence - 1;
    if (tenant !== undefined) this.#setTenant(tenant);
  }

  /**
   * One line without its LF. Its bytes, and 16 before them, may be overwritten.
   * @param {Buffer} buffer @param {number} start @param {number} lineEnd
   */
  line(buffer, start, lineEnd) {
    this.rows += 1;
    let end = lineEnd;
    if (buffer[end - 1] === 13) {
      end -= 1;
      this.#fault('form', 'lines end with CR LF instead of LF', this.last + 1);
    }
    let at = end - 2;
    let sequence = 0;
    for (let unit = 1; at > start && unit <= 1e15; unit *= 10, at -= 1) {
      const digit = (buffer[at] ?? 0) - 48;
      if (digit < 0 || digit > 9) break;
      sequence += digit * unit;
    }
    const tailAt = at + 1 - tailBytes;
    const eventEnd = this.#exported ? tailAt - precededBytes : tailAt;
    if (eventEnd <= start + lineStart.length) return this.#unreadable();
    const from = Math.max(start, eventEnd - glance);
    const text = buffer.toString('latin1', from, end);
    const tail = tailAt - from;
    const time = this.#timeOf(text, tail + received.length);
    if (
      time === undefined ||
      sequence < 1 ||
      buffer[at + 1] === 48 ||
      buffer[end - 1] !== 125 ||
      !begins(buffer, start, lineStart) ||
      !text.startsWith(received, tail) ||
      !text.startsWith(stored, tail + received.length + 24) ||
      !text.startsWith(numbered, tail + tailBytes - numbered.length) ||
      (this.#exported && !(text.startsWith(preceded, eventEnd - from) && text[tail - 1] === '"'))
    )
      return this.#unreadable();
    const eventStart = start + lineStart.length - 1;
    const known = this.#knowsTenant(text, eventEnd - from);
    if (!known || this.#expected.canonical) this.#look(buffer.toString('utf8', eventStart, eventEnd), sequence, known);
    if (text.startsWith(claimEnd, eventEnd - from - claimEnd.length))
      this.#claimed(buffer.toString('utf8', eventStart, eventEnd), sequence);
    if (this.#exported) this.#neighbour(sequence, text.substr(eventEnd - from + preceded.length, 64));
    // The prefix goes before the event, in place: both are hashed at once without copying the event.
    buffer.set(eventPrefix, eventStart - eventPrefix.length);
    const event = binary(buffer.subarray(eventStart - eventPrefix.length, eventEnd));
    this.#bytes.write(event, rowPrefix.length + 48, 'binary');
    this.#bytes.writeUInt32BE(Math.floor(time / 2 ** 32), rowPrefix.length + 40);
    this.#bytes.writeUInt32BE(time % 2 ** 32, rowPrefix.length + 44);
    this.#row(sequence, time, text.substr(tail + tailBytes - numbered.length - 64, 64));
  }

  /** The last line has no LF: either that alone is missing, or the end of the file. @param {Buffer} buffer @param {number} start @param {number} end */
  unended(buffer, start, end) {
    const before = this.faults.length;
    const { rows, last } = this;
    this.line(buffer, start, end);
    if (this.faults.slice(before).some(({ kind }) => kind === 'form')) {
      this.faults.length = before;
      this.rows = rows;
      this.last = last;
      this.#fault('tail', 'the file ends in the middle of a row', last + 1);
    } else this.#fault('form', 'the last line does not end with a line feed', this.last);
  }

  /** @param {string} sha256 @param {number} bytes of the whole file */
  end(sha256, bytes) {
    const { firstSequence, count, sha256: signed, root, lastRowHash, bytes: long } = this.#expected;
    const end = firstSequence === undefined || count === undefined ? this.last : firstSequence + count - 1;
    const torn = this.faults.find(({ kind }) => kind === 'tail');
    if (torn !== undefined) torn.through = Math.max(end, this.last + 1);
    else if (this.last < end) this.#fault('tail', 'rows are missing at the end of the day', this.last + 1, end);
    else if (this.last > end) this.#fault('rows', 'rows stand behind the last one that was signed', end + 1, this.last);
    const told = [
      signed === undefined || signed === sha256,
      long === undefined || long === bytes,
      count === undefined || count === this.tree.size,
      root === undefined || root === this.tree.root(),
      lastRowHash === undefined || this.tree.size === 0 || lastRowHash === this.#previous[0],
    ];
    if (this.faults.length === 0 && told.includes(false))
      this.#fault('rows', 'the rows hang together, but they are not those that were signed', this.first, this.last);
  }

  #unreadable() {
    this.#fault('form', 'a line is not in the form of a row', this.last + 1);
    this.last += 1;
    this.#previous = [];
  }

  /** Event and time stand in `#bytes`. @param {number} sequence @param {number} time @param {string} hashed */
  #row(sequence, time, hashed) {
    const next = this.last + 1;
    let number = sequence;
    if (sequence !== next && !this.#exported && (this.rows > 1 || this.#expected.firstSequence !== undefined)) {
      if (this.#follows(next, hashed)) {
        this.#fault('order', `the number of the row was changed to ${sequence}`, next);
        number = next;
      } else if (sequence < next) return this.#fault('order', 'a row stands behind a later one', sequence);
      else {
        this.#fault('gap', 'rows are missing', next, sequence - 1);
        this.#previous = [];
      }
    }
    if (this.rows === 1) this.first = number;
    this.last = number;
    if (number === this.#expected.wanted) this.wantedHash = hashed;
    if (number >= this.#nextHead) this.#meet(number, hashed);
    const [before] = this.#previous;
    if (before === undefined && !isHash(hashed)) this.#fault('form', 'a row hash is no hash', number);
    if (before === undefined || this.#follows(number, hashed)) {
      this.#previous = [hashed];
      if (time < this.#time && number >= next)
        this.#fault('order', 'a row was received before the one before it', number);
      this.#time = time;
      if (!this.#exported && (time < this.#dayStart || time >= this.#dayStart + aDay))
        this.#fault('order', 'a row was received on another day', number);
    } else {
      this.#fault(
        'chain',
        'a row does not follow from the one before: event, time, number or hash was changed',
        number,
      );
      this.#previous = [hashed, this.#hash(before, number)];
      // In an export a wrong number says nothing about where the next row must stand.
      if (this.#exported) this.last = next;
    }
    this.#load(hashed);
    const bytes = this.#bytes;
    bytes[rowPrefix.length - 1] = 0;
    this.tree.add(binary(this.#leaf));
    bytes[rowPrefix.length - 1] = 10;
  }

  /** A row that was seen before, or rows between which it must stand. @param {number} sequence @param {string} hashed */
  #meet(sequence, hashed) {
    const { heads = [] } = this.#expected;
    for (let head = heads[this.#head]; head !== undefined && head.sequence <= sequence; head = heads[this.#head]) {
      if (head.sequence === sequence && head.rowHash !== hashed) this.differing.push(this.#head);
      this.#head += 1;
    }
    this.#nextHead = heads[this.#head]?.sequence ?? Infinity;
  }

  /** @param {number} sequence @param {string} hashed */
  #follows(sequence, hashed) {
    for (const previous of this.#previous) if (this.#hash(previous, sequence) === hashed) return true;
    return false;
  }

  /** @param {string} previous @param {number} sequence */
  #hash(previous, sequence) {
    this.#load(previous);
    this.#bytes.writeUInt32BE(Math.floor(sequence / 2 ** 32), rowPrefix.length + 32);
    this.#bytes.writeUInt32BE(sequence % 2 ** 32, rowPrefix.length + 36);
    return hex(this.#bytes);
  }

  /** @param {string} previous */
  #load(previous) {
    if (this.#loaded !== previous) this.#bytes.write(previous, rowPrefix.length, 'hex');
    this.#loaded = previous;
  }

  /** In an export every row tells the hash before it. @param {number} sequence @param {string} previous */
  #neighbour(sequence, previous) {
    if (this.rows > 1 && sequence <= this.last) this.#fault('order', 'a row stands behind a later one', sequence);
    else if (this.rows > 1 && sequence > this.last + 1) this.holes += 1;
    else if (this.#previous.length > 0 && !this.#previous.includes(previous))
      this.#fault('chain', 'a row names another hash before it than that of the row before it', sequence);
    if (sequence === 1 && this.tenant !== undefined && previous !== genesis(this.tenant))
      this.#fault('genesis', 'the first row does not follow from the genesis of its tenant', sequence);
    this.#previous = [previous];
  }

  /** Milliseconds; undefined where it is no time of the form `…sssZ`. @param {string} text @param {number} at */
  #timeOf(text, at) {
    if (!text.startsWith(this.#dayPrefix, at)) {
      const told = text.slice(at, at + 24);
      return timeOf(told);
    }
    /** @param {number} from */
    const two = (from) => (text.charCodeAt(at + from) - 48) * 10 + text.charCodeAt(at + from + 1) - 48;
    const time = ((two(11) * 60 + two(14)) * 60 + two(17)) * 1000 + two(20) * 10 + text.charCodeAt(at + 22) - 48;
    // Once for every row: no Date, but what it would write for this number must be what stands there.
    const digits = /^\d\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;
    return time >= 0 && time < aDay && digits.test(text.substr(at + 11, 13)) ? this.#dayStart + time : undefined;
  }

  /** Without parsing: in canonical JSON `tenantId` and `type` are the last two members. @param {string} text @param {number} end */
  #knowsTenant(text, end) {
    let quote = end - 3;
    while (quote >= 0 && text.charCodeAt(quote) !== 34) quote -= 1;
    const needle = this.#ofTenant;
    return needle !== '' && text.startsWith('"}', end - 2) && text.startsWith(needle, quote + 1 - needle.length);
  }

  /** @param {string} event @param {number} sequence @param {boolean} known that the tenant is the right one */
  #look(event, sequence, known) {
    let parsed;
    try {
      parsed = JSON.parse(event);
      if (this.#expected.canonical && canonical(parsed) !== event) throw new Error('other text');
    } catch {
      this.#fault('canonical', 'an event is not canonical JSON', sequence);
    }
    if (known || parsed === undefined) return;
    if (this.tenant === undefined && typeof parsed.tenantId === 'string') this.#setTenant(parsed.tenantId);
    if (parsed.tenantId !== this.tenant) this.#fault('tenant', 'an event names another tenant', sequence);
  }

  /** @param {string} event @param {number} sequence */
  #claimed(event, sequence) {
    try {
      const { number } = JSON.parse(event).payload;
      if (Number.isSafeInteger(number) && number > (this.claim?.number ?? 0)) this.claim = { number, sequence };
    } catch {
      // Whether the row is what was signed, its hashes say.
    }
  }

  /** @param {string} tenant */
  #setTenant(tenant) {
    this.tenant = tenant;
    this.#ofTenant = `,"tenantId":"${tenant}","type":"`;
  }

  /** @param {Kind} kind @param {string} detail @param {number} sequence */
  #fault(kind, detail, sequence, through = sequence) {
    const last = this.faults.at(-1);
    if (last?.kind === kind && last.through === sequence) return;
    const run = this.faults.findLast((fault) => fault.kind === kind && fault.detail === detail);
    if (run !== undefined && (run.through ?? 0) + 1 === sequence) run.through = through;
    else if (this.faults.length < mostFaults) this.faults.push({ kind, detail, sequence, through });
  }
}

const headroom = 16;
const longestLine = 16 << 20;
/** Of rows that nothing signed vouches for, and beyond the end that was signed: enough to name the first bad one. */
const unvouched = 16 << 20;

/** However many rows there are. */
const mostOfRows = 2 ** 40;

/** How large a file of rows may be to be looked at. @param {Pick<Expected, 'bytes' | 'count' | 'most'>} expected */
const mostOf = ({ bytes, count, most }) =>
  most ?? (bytes ?? Math.min((count ?? 0) * longestLine, mostOfRows)) + unvouched;

/**
 * Reads a file of rows once, in chunks; memory does not grow with it.
 * @param {Reader} reader @param {Expected} expected @param {(rows: number, bytes: number) => void} [onProgress]
 * @returns {Promise<Walked>}
 */
async function walkRows(reader, expected, onProgress) {
  const walk = new RowWalk(expected);
  const stream = await reader.read(expected.path, mostOf(expected));
  const sum = crypto.createHash('sha256');
  let work = Buffer.allocUnsafe(headroom + (256 << 10));
  let filled = headroom;
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    sum.update(chunk);
    bytes += chunk.length;
    const rowsBefore = walk.rows;
    if (filled + chunk.length > work.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * work.length, filled + chunk.length));
      work.copy(larger, 0, 0, filled);
      work = larger;
    }
    work.set(chunk, filled);
    filled += chunk.length;
    const view = work.subarray(0, filled);
    let start = headroom;
    for (let end = view.indexOf(10, start); end >= 0; end = view.indexOf(10, start)) {
      walk.line(view, start, end);
      start = end + 1;
    }
    work.copyWithin(headroom, start, filled);
    filled -= start - headroom;
    if (filled > longestLine) {
      walk.line(work, headroom, headroom);
      filled = headroom;
      break;
    }
    onProgress?.(walk.rows - rowsBefore, chunk.length);
  }
  if (filled > headroom) walk.unended(work, headroom, filled);
  if (stream !== undefined) walk.end(sum.digest('hex'), bytes);
  const { faults, rows, tenant, first, last, holes, wantedHash, differing, claim } = walk;
  return {
    missing: stream === undefined,
    faults,
    rows,
    bytes,
    tenant,
    first,
    last,
    holes,
    wantedHash,
    differing,
    claim,
  };
}

// --- An archive.

/** Walks several files of rows at once, one of them on this thread. This file is its own worker. */
class Pool {
  /** @type {Worker[]} */
  #workers = [];
  /** Who has nothing to do; undefined is this thread. @type {(Worker | undefined)[]} */
  #idle = [undefined];
  /** @type {((one: Worker | undefined) => void)[]} */
  #waiting = [];
  #reader;
  #size;
  #onProgress;

  /** @param {Reader} reader of a folder @param {number} size threads @param {(rows: number, bytes: number) => void} onProgress */
  constructor(reader, size, onProgress) {
    this.#reader = reader;
    this.#size = size;
    this.#onProgress = onProgress;
  }

  /** @param {Expected} expected @returns {Promise<Walked>} */
  async walk(expected) {
    const one = await this.#take();
    try {
      return one === undefined
        ? await walkRows(this.#reader, expected, this.#onProgress)
        : await this.#ask(one, expected);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(one);
      else next(one);
    }
  }

  /** @param {Worker} worker @param {Expected} expected @returns {Promise<Walked>} */
  async #ask(worker, expected) {
    return new Promise((resolve, reject) => {
      worker.removeAllListeners();
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('a worker ended before it had an answer')));
      worker.on(
        'message',
        (/** @type {{ walked?: Walked, irregular?: string, error?: string, rows: number, bytes: number }} */ told) => {
          if (told.walked !== undefined) resolve(told.walked);
          else if (told.irregular !== undefined) reject(new Irregular(told.irregular));
          else if (told.error !== undefined) reject(new Error(told.error));
          else this.#onProgress(told.rows, told.bytes);
        },
      );
      worker.postMessage(expected);
    });
  }

  /** @returns {Promise<Worker | undefined>} */
  async #take() {
    if (this.#idle.length > 0) return this.#idle.pop();
    if (this.#workers.length + 1 >= this.#size) return new Promise((resolve) => void this.#waiting.push(resolve));
    const worker = new Worker(new URL(import.meta.url), { workerData: { stewardAuditFolder: this.#reader.folder } });
    this.#workers.push(worker);
    return worker;
  }

  async stop() {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

if (!isMainThread && typeof workerData?.stewardAuditFolder === 'string') {
  const reader = folderReader(workerData.stewardAuditFolder);
  const answer = async (/** @type {Expected} */ expected) => {
    try {
      const walked = await walkRows(reader, expected, (rows, bytes) => parentPort?.postMessage({ rows, bytes }));
      parentPort?.postMessage({ walked });
    } catch (error) {
      parentPort?.postMessage({ [error instanceof Irregular ? 'irregular' : 'error']: messageOf(error) });
    }
  };
  parentPort?.on('message', (expected) => void answer(expected));
}

/** Smaller files of rows are walked where they are met: that is cheaper than asking another thread. */
const worthWorker = 1 << 20;
const daysAtOnce = 16;
/** Of the platform's day: a tenant's id and the hash of a manifest, and more than stands around them. */
const mostOfLine = 256;

// --- What hourly checkpoints have seen, and what claims of the archive say.

/** @typedef {{ sequence: number, rowHash: string, incarnation: number, day: number, seen: string }} Head */

/** A line for each of some 600 000 tenants. */
const mostOfHour = 64 << 20;
const hourTop =
  /^steward\/audit\/hour\n([1-9]\d{0,8})\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nincarnation ([1-9]\d{0,8})\n(?:previous ([0-9a-f]{64})\n)?/;
const hourLine = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}) ([1-9]\d{0,15}) ([0-9a-f]{64})\n/y;

const claimForm =
  /^steward\/audit\/claim\n([1-9]\d{0,8})\ninstallation [0-9a-f-]{36}\ndatabase [\w-]{1,100}\nincarnation ([1-9]\d{0,8})\n(?:previous ([0-9a-f]{64})\ntaken \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\nhours (?:0|[1-9]\d{0,8})\nreason [^\n]{1,500}\n)?(?:lost [0-9a-f-]{36} \d{1,16} [0-9a-f]{64}\n)*$/;

/** Reads the checkpoints of hours as the days go by, so that no more than those of a day are held. */
class Hours {
  #reader;
  /** @type {readonly Key[]} */
  #keys;
  #findings;
  /** @type {number[]} */
  #numbers = [];
  #next = 0;
  /** The note that was read last. */
  #sha256 = '';
  /** @type {readonly Key[]} */
  #signers = [];
  /** Of the last one that could be read, as a day's number. */
  #day = -Infinity;
  /** @type {Map<string, Head[]>} */
  #heads = new Map();
  /** The last row that was seen of each tenant in each incarnation. @type {Map<string, Map<number, Head>>} */
  #last = new Map();
  /** @type {Map<string, { incarnation: number, sequence: number }[]>} */
  #cuts = new Map();
  /** The number of the last claim. */
  claims = 0;
  /** The highest of a claim. */
  incarnation = 1;
  /** The highest of a checkpoint. */
  seen = 1;

  /** @param {Reader} reader @param {readonly Key[]} keys @param {Findings} findings */
  constructor(reader, keys, findings) {
    this.#reader = reader;
    this.#keys = keys;
    this.#findings = findings;
  }

  async list() {
    for await (const path of this.#reader.list('platform/hours/')) {
      const [, number] = /^platform\/hours\/(\d{9})\.note$/.exec(path) ?? [];
      if (Number(number) > 0) this.#numbers.push(Number(number));
    }
    await this.#readClaims();
    if (this.claims === 0 && this.#numbers.length > 0) this.#find('missing', 'the claim of the archive is missing');
  }

  /** Each has its number and names the one before it: none can be exchanged, left out or put there twice. */
  async #readClaims() {
    /** Of the claim before; undefined where it could not be read, which is told. @type {string | undefined} */
    let before = hex('');
    for await (const path of this.#reader.list('platform/claims/')) {
      const number = Number(/^platform\/claims\/(\d{9})\.note$/.exec(path)?.[1] ?? 0);
      if (number === 0) continue;
      if (number !== this.claims + 1) {
        this.#find('missing', `claims of the archive are missing before number ${number}`);
        before = undefined;
      }
      this.claims = number;
      const read = await this.#open(path);
      const [whole, told, incarnation, previous = number === 1 ? hex('') : undefined] =
        claimForm.exec(read?.text ?? '') ?? [];
      const follows = before;
      before = undefined;
      if (read === undefined) continue;
      if (whole === undefined) this.#find('hour', `${path}: it is no claim of an archive`);
      else if (Number(told) !== number) this.#find('misplaced', `${path}: it is the claim of number ${told}`);
      else {
        before = read.sha256;
        // Of nothing: whoever took the archive over could not read the claim before.
        if (follows !== undefined && previous !== follows && previous !== hex(''))
          this.#find('link', `${path}: it names another claim before it than the one that is there`);
        this.incarnation = Math.max(this.incarnation, Number(incarnation));
        for (const [, tenant = '', sequence] of whole.matchAll(/^lost ([0-9a-f-]{36}) (\d{1,16}) [0-9a-f]{64}$/gm))
          this.#cuts.set(tenant, [
            ...(this.#cuts.get(tenant) ?? []),
            { incarnation: Number(incarnation), sequence: Number(sequence) },
          ]);
      }
    }
  }

  /** Reads on up to those of a day. @param {number} day */
  async through(day) {
    while (this.#next < this.#numbers.length && this.#day <= day) {
      const number = /** @type {number} */ (this.#numbers[this.#next]);
      const before = this.#numbers[this.#next - 1] ?? number - 1;
      this.#next += 1;
      if (before !== number - 1)
        this.#find('missing', `hourly checkpoints are missing: ${before + 1} to ${number - 1}`);
      await this.#read(number, before === number - 1);
    }
  }

  /** What was seen of a tenant up to the day that was read last; once. @param {string} tenant @param {number} day */
  take(tenant, day) {
    const heads = this.#heads.get(tenant) ?? [];
    this.#heads.set(
      tenant,
      heads.filter((head) => head.day > day),
    );
    return heads.filter((head) => head.day <= day).toSorted((a, b) => a.sequence - b.sequence);
  }

  /** The incarnation that gave a row up, as a signed claim says. @param {string} tenant @param {Head} head */
  lost(tenant, head) {
    const cuts = this.#cuts.get(tenant) ?? [];
    return cuts.find((cut) => cut.incarnation > head.incarnation && cut.sequence < head.sequence)?.incarnation;
  }

  /**
   * A row after the one from which a restored chain goes on, where no claim gives rows of the tenant up: the server does not go on without.
   * @param {string} tenant @param {number} incarnation that began @param {number} sequence
   */
  unclaimed(tenant, incarnation, sequence) {
    const cuts = this.#cuts.get(tenant) ?? [];
    for (const head of this.#last.get(tenant)?.values() ?? [])
      if (head.incarnation < incarnation && head.sequence > sequence)
        if (!cuts.some((cut) => cut.incarnation > head.incarnation)) return head;
    return undefined;
  }

  /** @param {number} number @param {boolean} near that the one before it was read */
  async #read(number, near) {
    const path = `platform/hours/${String(number).padStart(9, '0')}.note`;
    const { text } = (await this.#open(path, near)) ?? {};
    if (text === undefined) return;
    const [whole = '', told, time = '', incarnation] = hourTop.exec(text) ?? [];
    hourLine.lastIndex = whole.length;
    if (Number(told) !== number) return this.#find('hour', `${path}: it is no checkpoint of that hour`);
    const day = Math.floor(Date.parse(time) / aDay);
    this.#day = day;
    const late = outOfTime(this.#signers, time.slice(0, 10), false);
    if (late !== undefined) return this.#find('signature', `${path}: ${late}`);
    this.seen = Math.max(this.seen, Number(incarnation));
    for (let last = ''; hourLine.lastIndex < text.length;) {
      const [, tenant = '', sequence, rowHash = ''] = hourLine.exec(text) ?? [];
      if (tenant <= last) return this.#find('hour', `${path}: a line is malformed or out of order`);
      last = tenant;
      const heads = this.#heads.get(tenant) ?? [];
      this.#heads.set(tenant, heads);
      const seen = `the hourly checkpoint ${number} of ${time}`;
      const head = { sequence: Number(sequence), rowHash, incarnation: Number(incarnation), day, seen };
      heads.push(head);
      this.#last.set(tenant, (this.#last.get(tenant) ?? new Map()).set(head.incarnation, head));
    }
  }

  /**
   * The text, where a trusted key signed it, and the hash of all its bytes.
   * @param {string} path @param {boolean} [near] whether it must name the last one
   */
  async #open(path, near = false) {
    try {
      const bytes = await small(this.#reader, path, mostOfHour);
      const sha256 = hex(bytes ?? '');
      const before = this.#sha256;
      this.#sha256 = path.startsWith('platform/hours/') ? sha256 : before;
      const { text, signedBy, others } = openNote(bytes?.toString() ?? '', this.#keys);
      if (signedBy.length === 0)
        throw new Wrong('signature', `it is signed by ${others.join(', ')}, and no trusted key leads there`);
      this.#signers = signedBy;
      const previous = hourTop.exec(text)?.[4];
      if (near && before !== '' && previous !== before)
        throw new Wrong('link', 'it names another checkpoint before it than the one that is there');
      return { text, sha256 };
    } catch (error) {
      if (!(error instanceof Wrong) && !(error instanceof Irregular)) throw error;
      this.#find(error.kind === 'checkpoint' ? 'hour' : error.kind, `${path}: ${error.message}`);
      return undefined;
    }
  }

  /** @param {Kind} kind @param {string} detail */
  #find(kind, detail) {
    this.#findings.add({ kind, tenant: 'platform', detail });
  }
}

/** Which of its files a day has. */
const parts = { '.jsonl': 1, '.manifest.json': 2, '.checkpoint': 4, '.expired': 8 };
const allParts = 7;
/** What a day has that is being sealed: rows are written first, then the manifest, then the checkpoint. */
const begun = [0, 1, 3];
const dayFile =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|platform)\/(\d{4})\/(\d\d)\/(\d\d)(\.jsonl|\.manifest\.json|\.checkpoint|\.expired)$/;

/**
 * The manifest of each tenant in the rows of a day of the platform.
 * @param {Buffer} file @param {(kind: Kind, detail: string) => undefined} find
 */
function linesOf(file, find) {
  const lines = file.toString().split('\n');
  if (lines.pop() !== '') return find('form', 'the last line does not end with a line feed');
  const tree = new Tree();
  /** @type {Map<string, string>} */
  const told = new Map();
  let before = '';
  for (const line of lines) {
    const [, manifestHash, tenant = ''] =
      /^\{"manifest":"([0-9a-f]{64})","tenant":"([0-9a-f-]{36})"\}$/.exec(line) ?? [];
    if (manifestHash === undefined) return find('form', 'a line is not in the form of a tenant');
    if (tenant <= before) return find('order', 'the tenants are not in order');
    before = tenant;
    told.set(tenant, manifestHash);
    tree.add(binary(Buffer.from(`\0${line}`)));
  }
  return { told, tree };
}

/**
 * The last day of an owner that was judged.
 * @typedef {object} State
 * @property {number} number
 * @property {Manifest | undefined} manifest where something signed vouches for it
 * @property {string | undefined} sha256 of the manifest, by what was signed
 */

class ArchiveWalk {
  findings = new Findings();
  /** @type {string[]} */
  notes = [];
  rows = 0;
  bytes = 0;
  days = 0;
  #reader;
  #options;
  #accepted;
  #today;
  /** @type {Pool | undefined} */
  #pool;
  /** @type {Key[]} */
  #keys = [];
  /** @type {Set<string>} keys that have a note */
  #noted = new Set();
  /** @type {Map<string, { first: number, parts: number[] }>} */
  #owners = new Map();
  /** @type {Map<string, State>} */
  #states = new Map();
  /** Tenants that a day of the platform listed. @type {Set<string>} */
  #listed = new Set();
  /** @type {Set<Promise<void>>} */
  #running = new Set();
  /** Days whose rows are gone and whose notes say that we removed them. */
  #gone = 0;
  /** @type {unknown} */
  #failure;
  /** @type {Hours | undefined} */
  #hours;
  /** The highest of a day. */
  #incarnation = 1;
  /** The last claim of the archive that a row names. @type {{ number: number, tenant: string, day: string, sequence: number } | undefined} */
  #claim;

  /** @param {Reader} reader @param {Options} options */
  constructor(reader, options) {
    this.#reader = reader;
    this.#options = options;
    this.#accepted = options.acceptIncarnation ?? 1;
    this.#today = Math.floor((options.now ?? new Date()).getTime() / aDay);
    const size = options.workers ?? availableParallelism();
    if (reader.folder !== undefined && size > 1)
      this.#pool = new Pool(reader, size, (rows, bytes) => this.#progress(rows, bytes));
  }

  /** @returns {Promise<Verdict>} */
  async run() {
    const { tenant: only } = this.#options;
    const { trusted, noted } = await trustedKeys(this.#reader, this.#options.keys, this.findings, this.notes);
    this.#keys = trusted;
    this.#noted = noted;
    this.#hours = new Hours(this.#reader, trusted, this.findings);
    await this.#hours.list();
    const numbers = await this.#list();
    const platform = this.#owners.get('platform');
    const lastPlatform = platform === undefined ? -Infinity : platform.first + platform.parts.length - 1;
    try {
      for (const number of numbers) {
        const before = this.#states.get('platform')?.manifest;
        const lines = number > lastPlatform ? undefined : await this.#platformDay(number);
        const owners = new Set(lines?.keys());
        for (const [owner] of this.#owners)
          if (owner !== 'platform' && this.#parts(owner, number) > 0) owners.add(owner);
        // What is not signed yet may still be of a restored backup that did not know a tenant.
        if (lines !== undefined && this.#states.get('platform')?.number === number)
          this.#missed(number, lines, owners, before);
        const todo = [...owners].filter((owner) => only === undefined || owner === only);
        await this.#hours.through(number < this.#today - 1 ? number : Infinity);
        for (let at = 0; at < todo.length; at += daysAtOnce)
          await Promise.all(
            todo.slice(at, at + daysAtOnce).map((owner) => this.#tenantDay(owner, number, lines?.get(owner))),
          );
      }
      await this.#hours.through(Infinity);
      await Promise.all(this.#running);
      if (this.#failure !== undefined) throw this.#failure;
    } finally {
      await this.#pool?.stop();
    }
    return this.#verdict(lastPlatform);
  }

  /** @param {number} lastPlatform @returns {Verdict} */
  #verdict(lastPlatform) {
    const { tenant: only, freshWithinDays = 3 } = this.#options;
    this.#demandClaims();
    const anchored = this.#states.get('platform');
    let last = -Infinity;
    for (const [owner, { number }] of this.#states) if (owner !== 'platform') last = Math.max(last, number);
    const unanchored = Math.min(last, this.#today - 2);
    if (this.#states.size === 0)
      this.findings.add({ kind: 'missing', tenant: only ?? '', detail: 'no sealed day is there at all' });
    else if (anchored === undefined && only === undefined)
      this.findings.add({ kind: 'missing', tenant: 'platform', detail: 'no day of the platform is there' });
    else if (only !== undefined && !this.#states.has(only) && !this.#listed.has(only))
      this.findings.add({ kind: 'missing', tenant: only, detail: 'the archive knows no such tenant' });
    else if (anchored !== undefined && unanchored > lastPlatform)
      this.findings.add({
        kind: 'missing',
        tenant: 'platform',
        day: dayOf(lastPlatform + 1),
        throughDay: dayOf(unanchored),
        detail: 'the day is missing',
      });
    if (this.#gone > 0)
      this.notes.push(`the rows of ${this.#gone} days were removed after their retention, as signed notes say`);
    if (only !== undefined && anchored === undefined)
      this.notes.push(
        'without the days of the platform nobody can say whether the last days of the tenant are missing',
      );
    const newest = anchored?.number ?? last;
    if (newest > -Infinity && this.#today - newest > freshWithinDays)
      this.findings.add({
        kind: 'stale',
        tenant: anchored === undefined ? (only ?? '') : 'platform',
        day: dayOf(newest),
        detail: `the newest sealed day is ${this.#today - newest} days old`,
      });
    const { findings } = this;
    const empty = this.#states.size === 0;
    const judged = anchored === undefined ? 'unknown' : 'ok';
    return {
      ok: findings.list.length === 0,
      integrity: findings.has('integrity') ? 'broken' : empty ? 'unknown' : 'ok',
      completeness: findings.has('completeness') ? 'broken' : judged,
      freshness: findings.has('freshness') ? 'stale' : empty ? 'unknown' : 'ok',
      tenants: this.#states.size - (anchored === undefined ? 0 : 1),
      days: this.days,
      rows: this.rows,
      bytes: this.bytes,
      ...(empty ? {} : { newestDay: dayOf(newest) }),
      findings: findings.sorted(),
      notes: this.notes,
      truncated: findings.truncated,
    };
  }

  /** Every day that some owner has a file of, in order. */
  async #list() {
    const { tenant: only } = this.#options;
    /** @type {Set<number>} */
    const numbers = new Set();
    let strange = '';
    for (const prefix of only === undefined ? [''] : [`${only}/`, 'platform/']) {
      for await (const path of this.#reader.list(prefix)) {
        const [, owner = '', year = '', month = '', date = '', part = ''] = dayFile.exec(path) ?? [];
        const number = dayNumber(`${year}-${month}-${date}`);
        if (Number.isNaN(number) || stem(owner, dayOf(number)) + part !== path) {
          if (!/^platform\/(?:claims|hours|keys)\//.test(path))
            this.#note(`${path} is no file of an archive and was passed over`);
          continue;
        }
        if (number > this.#today || number < eldest) {
          if (`${owner} ${number}` !== strange) this.#strange(owner, number);
          strange = `${owner} ${number}`;
          continue;
        }
        numbers.add(number);
        const days = this.#owners.get(owner) ?? { first: number, parts: [] };
        this.#owners.set(owner, days);
        for (; days.first > number; days.first -= 1) days.parts.unshift(0);
        while (days.parts.length <= number - days.first) days.parts.push(0);
        const bit = parts[/** @type {keyof typeof parts} */ (part)];
        days.parts[number - days.first] = (days.parts[number - days.first] ?? 0) | bit;
      }
    }
    return [...numbers].toSorted((a, b) => a - b);
  }

  /** @param {string} owner @param {number} number */
  #parts(owner, number) {
    const days = this.#owners.get(owner);
    return days?.parts[number - days.first] ?? 0;
  }

  /** Rows and hours that came after a claim name it, or its incarnation. */
  #demandClaims() {
    const { claims = 0, incarnation = 1, seen = 1 } = this.#hours ?? {};
    /** @param {string} detail */
    const find = (detail) => this.findings.add({ kind: 'missing', tenant: 'platform', detail });
    if (this.#claim !== undefined && this.#claim.number > claims) {
      const { number, tenant, day, sequence } = this.#claim;
      find(`the claim of number ${number} is missing, which row ${sequence} of ${tenant} on ${day} names`);
    } else if (seen > Math.max(incarnation, this.#incarnation))
      find(`a claim is missing: hourly checkpoints name the incarnation ${seen}, and neither a claim nor a day does`);
  }

  /**
   * Sealing may be at work on a day that ended less than a day ago, the platform's after those of all tenants. Whatever else is there of
   * it was sealed, and something was taken away.
   * @param {string} owner @param {number} number
   */
  #pending(owner, number) {
    const there = this.#parts(owner, number);
    const day = dayOf(number);
    if (number >= this.#today) {
      const early = (there & allParts) !== allParts;
      if (early) this.#strange(owner, number);
      return early;
    }
    const next = owner === 'platform' ? 0 : this.#parts('platform', number);
    const pending = number === this.#today - 1 && begun.includes(there) && next === 0;
    if (pending) this.#note(`${owner} ${day} is not sealed yet`);
    return pending;
  }

  /** A day that cannot have been sealed. @param {string} tenant @param {number} number */
  #strange(tenant, number) {
    const day = dayOf(number);
    const detail =
      number < eldest ? 'a file stands under a day before this log' : 'a file stands under a day that is not over';
    this.findings.add({ kind: 'early', tenant, day, detail });
  }

  /** @param {string} note */
  #note(note) {
    if (this.notes.length < mostFaults) this.notes.push(note);
  }

  /** @param {number} rows @param {number} bytes */
  #progress(rows, bytes) {
    this.rows += rows;
    this.bytes += bytes;
    this.#options.onProgress?.({ rows: this.rows, bytes: this.bytes });
  }

  /**
   * Tenants that this day should list. One that a known restored backup did not know yet is forgiven.
   * @param {number} number @param {Map<string, string>} lines @param {Set<string>} owners @param {Manifest | undefined} before of the platform
   */
  #missed(number, lines, owners, before) {
    const day = dayOf(number);
    const incarnation = this.#states.get('platform')?.manifest?.incarnation ?? 1;
    const known = before !== undefined && incarnation > before.incarnation && incarnation <= this.#accepted;
    for (const tenant of new Set([...this.#listed, ...owners])) {
      if (lines.has(tenant) || (this.#options.tenant ?? tenant) !== tenant) continue;
      if (known && !owners.has(tenant)) {
        this.#listed.delete(tenant);
        this.#note(`${tenant} ${day}: a backup was restored that did not know the tenant`);
      } else this.findings.add({ kind: 'dropped', tenant, day, detail: "the platform's day does not list the tenant" });
    }
    for (const tenant of lines.keys()) this.#listed.add(tenant);
  }

  /** @param {number} number @returns {Promise<Map<string, string> | undefined>} the manifest of each tenant, where they can be told */
  async #platformDay(number) {
    const owner = 'platform';
    const day = dayOf(number);
    /** @param {Kind} kind @param {string} detail */
    const find = (kind, detail) => {
      this.findings.add({ kind, tenant: owner, day, detail });
      return undefined;
    };
    const path = `${stem(owner, day)}.jsonl`;
    if (this.#parts(owner, number) === 0) return undefined;
    if (this.#pending(owner, number)) {
      const file = number < this.#today ? await this.#small(path, mostOfHour, find) : undefined;
      return file ? linesOf(file, find)?.told : undefined;
    }
    const { manifest, checkpoint, follows } = await this.#day(owner, number, undefined);
    await follows();
    const { count, root } = manifest ?? checkpoint ?? {};
    const most = Math.min(manifest?.bytes ?? (count ?? 0) * mostOfLine, 1 << 30) + smallest;
    const file = await this.#small(path, most, find);
    if (file === null) return undefined;
    if (file === undefined) return find('missing', 'the file of the rows is missing');
    const lines = linesOf(file, find);
    if (lines === undefined) return undefined;
    const { told, tree } = lines;
    if (
      (count !== undefined && (count !== tree.size || root !== tree.root())) ||
      (manifest !== undefined && (manifest.sha256 !== hex(file) || manifest.bytes !== file.length))
    )
      return find('rows', 'the rows are not those that were signed');
    return count === undefined ? undefined : told;
  }

  /** @param {string} owner @param {number} number @param {string | undefined} listed the manifest, as the platform's day tells it */
  async #tenantDay(owner, number, listed) {
    const day = dayOf(number);
    if (listed === undefined && this.#pending(owner, number)) return this.#begunDay(owner, number);
    if (this.#parts(owner, number) === 0) {
      const detail = this.#owners.has(owner) ? 'the day is missing' : 'every file of the tenant is missing';
      this.findings.add({ kind: 'missing', tenant: owner, day, detail });
      this.#states.set(owner, { number, manifest: undefined, sha256: listed });
      return;
    }
    const before = this.#states.get(owner);
    const { manifest, checkpoint, sha256, follows } = await this.#day(owner, number, listed);
    await follows();
    this.days += 1;
    const near = before?.number === number - 1 ? before.manifest : undefined;
    /** @type {Expected} */
    const expected = {
      path: `${stem(owner, day)}.jsonl`,
      tenant: owner,
      day,
      firstSequence: manifest?.firstSequence ?? (near && near.lastSequence + 1),
      firstPreviousHash: manifest?.firstPreviousHash ?? near?.lastRowHash,
      count: manifest?.count ?? checkpoint?.count,
      root: manifest?.root ?? checkpoint?.root,
      bytes: manifest?.bytes,
      sha256: manifest?.sha256,
      lastRowHash: manifest?.lastRowHash,
      canonical: this.#options.canonical === true,
      wanted: undefined,
      heads: [],
    };
    const heads = manifest === undefined ? [] : this.#seen(owner, number, manifest);
    expected.heads = heads;
    const expired = manifest !== undefined && (await this.#expired(owner, number, sha256));
    if (this.#pool === undefined || (expected.bytes ?? 0) < worthWorker)
      return this.#walk(expected, owner, day, expired, heads);
    while (this.#running.size >= daysAtOnce) await Promise.race(this.#running);
    const running = this.#walk(expected, owner, day, expired, heads)
      .catch((error) => void (this.#failure ??= error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /**
   * Rows that nobody signed yet: they must follow from each other and from the day before all the same, and be those that hours have seen.
   * @param {string} tenant @param {number} number
   */
  async #begunDay(tenant, number) {
    if (number >= this.#today || this.#parts(tenant, number) === 0) return;
    const day = dayOf(number);
    const before = this.#states.get(tenant);
    const last = before?.number === number - 1 ? before.manifest : undefined;
    const heads = this.#hours?.take(tenant, Infinity) ?? [];
    const none = undefined;
    /** @type {Expected} */
    const alone = {
      path: `${stem(tenant, day)}.jsonl`,
      tenant,
      day,
      firstSequence: none,
      firstPreviousHash: none,
      count: none,
      root: none,
      bytes: none,
      sha256: none,
      lastRowHash: none,
      canonical: this.#options.canonical === true,
      wanted: none,
      heads,
      most: mostOfRows,
    };
    const next = last && { firstSequence: last.lastSequence + 1, firstPreviousHash: last.lastRowHash };
    let walked = await this.#walked({ ...alone, ...next }, false);
    if (last !== undefined && walked.faults.length > 0) {
      // The chain may go on from an earlier row, after a backup was restored: its manifest says so once it is signed.
      const restored = await this.#walked(alone, false);
      if (restored.faults.length === 0 && restored.first <= last.lastSequence) walked = restored;
    }
    for (const fault of walked.faults) this.findings.add({ tenant, day, ...fault });
    const end = walked.rows > 0 ? walked.last : (last?.lastSequence ?? Infinity);
    for (const [at, head] of heads.entries())
      if (walked.differing.includes(at) || (head.day <= number && head.sequence > end)) this.#unlike(tenant, day, head);
  }

  /** @param {Expected} expected @returns {Promise<Walked>} */
  async #walked(expected, counted = true) {
    try {
      return this.#pool !== undefined && (expected.bytes ?? 0) >= worthWorker
        ? await this.#pool.walk(expected)
        : await walkRows(this.#reader, expected, counted ? (rows, bytes) => this.#progress(rows, bytes) : undefined);
    } catch (error) {
      if (!(error instanceof Irregular)) throw error;
      const faults = [{ kind: error.kind, detail: `the file of the rows: ${error.message}` }];
      const nothing = { rows: 0, bytes: 0, tenant: undefined, first: 0, last: 0, holes: 0, wantedHash: undefined };
      return { missing: false, faults, differing: [], claim: undefined, ...nothing };
    }
  }

  /**
   * What hourly checkpoints have seen of a tenant up to the end of a day: those rows must be in it, or before it.
   * @param {string} tenant @param {number} number @param {Manifest} manifest @returns {Head[]} those that are rows of the day
   */
  #seen(tenant, number, manifest) {
    const { firstSequence, firstPreviousHash, lastSequence } = manifest;
    const heads = this.#hours?.take(tenant, number) ?? [];
    for (const head of heads) {
      const before = head.sequence === firstSequence - 1 && head.rowHash !== firstPreviousHash;
      if (before || head.sequence > lastSequence) this.#unlike(tenant, dayOf(number), head);
    }
    return heads.filter(({ sequence }) => sequence >= firstSequence && sequence <= lastSequence);
  }

  /** @param {string} tenant @param {string} day @param {Head} head */
  #unlike(tenant, day, head) {
    const { sequence, seen } = head;
    const lost = this.#hours?.lost(tenant, head);
    if (lost === undefined)
      this.findings.add({
        kind: 'hour',
        tenant,
        day,
        sequence,
        detail: `the rows are not those that ${seen} has seen`,
      });
    else if (lost > this.#accepted)
      this.findings.add({ kind: 'restored', tenant, day, sequence, detail: `${seen} has seen rows that were lost` });
    else this.#note(`${tenant} ${day}: ${seen} has seen rows that were lost, which is known`);
  }

  /**
   * @param {Expected} expected @param {string} tenant @param {string} day @param {boolean} expired that its rows may be gone
   * @param {readonly Head[]} heads that are rows of the day
   */
  async #walk(expected, tenant, day, expired, heads) {
    const walked = await this.#walked(expected);
    const { firstSequence: first, count } = expected;
    if (walked.missing && expired) this.#gone += 1;
    else if (walked.missing) {
      const range = first === undefined || !count ? {} : { sequence: first, through: first + count - 1 };
      this.findings.add({ kind: 'missing', tenant, day, detail: 'the file of the rows is missing', ...range });
    }
    for (const fault of walked.faults) this.findings.add({ tenant, day, ...fault });
    for (const [at, head] of heads.entries()) if (walked.differing.includes(at)) this.#unlike(tenant, day, head);
    if (walked.claim !== undefined && walked.claim.number > (this.#claim?.number ?? 0))
      this.#claim = { ...walked.claim, tenant, day };
  }

  /**
   * Whether a signed note says that the rows of this day were removed because their time was over.
   * @param {string} owner @param {number} number @param {string | undefined} manifest
   */
  async #expired(owner, number, manifest) {
    if ((this.#parts(owner, number) & parts['.expired']) === 0) return false;
    const day = dayOf(number);
    try {
      const note = await small(this.#reader, `${stem(owner, day)}.expired`); // Irregular is a Wrong as well.
      const { text, signedBy } = openNote(note?.toString() ?? '', this.#keys);
      if (signedBy.length === 0) throw new Wrong('signature', 'no trusted key signed it');
      if (text !== `steward/audit/expired\n${owner}\n${day}\n${manifest}\n`)
        throw new Wrong('misplaced', 'it is of another tenant, day or manifest');
      return true;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      this.findings.add({ kind: error.kind, tenant: owner, day, detail: `the note of its expiry: ${error.message}` });
      return false;
    }
  }

  /**
   * Reads and judges what is signed of a day. `follows` judges its place behind the day before.
   * @param {string} owner @param {number} number @param {string | undefined} listed
   */
  async #day(owner, number, listed) {
    const day = dayOf(number);
    /** @param {Kind} kind @param {string} detail */
    const find = (kind, detail) => this.findings.add({ kind, tenant: owner, day, detail });
    const [bytes, note] = await Promise.all([
      this.#small(`${stem(owner, day)}.manifest.json`, smallest, find),
      this.#small(`${stem(owner, day)}.checkpoint`, smallest, find),
    ]);
    const checkpoint = note === null ? undefined : this.#checkpoint(note, owner, day, find);
    const sha256 = checkpoint?.manifest ?? listed;
    if (checkpoint !== undefined && listed !== undefined && checkpoint.manifest !== listed)
      find('platform', "the platform's day lists another manifest than the one that the checkpoint signs");
    /** @type {Manifest | undefined} */
    let manifest;
    if (bytes === undefined) find('missing', 'the manifest is missing');
    else if (bytes === null) manifest = undefined;
    else if (sha256 !== undefined && hex(bytes) !== sha256)
      find('manifest', 'the manifest is not the one that was signed');
    else if (sha256 !== undefined) {
      try {
        const told = readManifest(bytes);
        if (told.tenant !== owner || told.day !== day)
          find('misplaced', `the manifest is that of ${told.tenant} on ${told.day}`);
        else manifest = told;
        this.#incarnation = Math.max(this.#incarnation, manifest?.incarnation ?? 1);
      } catch (error) {
        find('manifest', `the manifest: ${messageOf(error)}`);
      }
    }
    if (manifest !== undefined && checkpoint !== undefined) {
      const { count, root } = checkpoint;
      if (count !== manifest.count || root !== manifest.root)
        find('checkpoint', 'it signs another count or root than the manifest');
    }
    const before = this.#states.get(owner);
    this.#states.set(owner, { number, manifest, sha256 });
    return { manifest, checkpoint, sha256, follows: () => this.#follows(owner, number, manifest, before) };
  }

  /**
   * A small file, undefined where it is missing, null where it is irregular, which is told.
   * @param {string} path @param {number} most @param {(kind: Kind, detail: string) => unknown} find
   */
  async #small(path, most, find) {
    try {
      return await small(this.#reader, path, most);
    } catch (error) {
      if (!(error instanceof Irregular)) throw error;
      find(error.kind, `${path}: ${error.message}`);
      return null;
    }
  }

  /** @param {Buffer | undefined} note @param {string} owner @param {string} day @param {(kind: Kind, detail: string) => void} find */
  #checkpoint(note, owner, day, find) {
    try {
      if (note === undefined) throw new Wrong('missing', 'it is missing');
      const { text, signedBy, others } = openNote(note.toString(), this.#keys);
      if (signedBy.length === 0)
        throw new Wrong('signature', `it is signed by ${others.join(', ')}, and no trusted key leads there`);
      const checkpoint = readCheckpoint(text);
      if (checkpoint.owner !== owner || checkpoint.day !== day)
        throw new Wrong('misplaced', `it is that of ${checkpoint.owner} on ${checkpoint.day}`);
      const late = outOfTime(signedBy, day, true);
      if (late !== undefined) throw new Wrong('signature', late);
      for (const { line, keyId } of signedBy) {
        if (this.#noted.has(line) || this.#options.tenant !== undefined) continue;
        this.#noted.add(line);
        this.findings.add({ kind: 'missing', tenant: 'platform', detail: `platform/keys/${keyId}.note is missing` });
      }
      return checkpoint;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      find(error.kind, `the checkpoint: ${error.message}`);
      return undefined;
    }
  }

  /** @param {string} owner @param {number} number @param {Manifest | undefined} manifest @param {State | undefined} before */
  async #follows(owner, number, manifest, before) {
    const day = dayOf(number);
    const tenants = owner !== 'platform';
    /** @param {Kind} kind @param {string} detail @param {object} [more] */
    const find = (kind, detail, more) => this.findings.add({ kind, tenant: owner, day, detail, ...more });
    if (before === undefined) {
      if (manifest?.previous !== undefined)
        find('missing', 'the day is missing, and all before it', { day: manifest.previous.day });
      else if (tenants && manifest !== undefined)
        if (manifest.firstSequence !== 1 || manifest.firstPreviousHash !== genesis(owner))
          find('genesis', 'the first day does not begin at the genesis of the tenant', {
            sequence: manifest.firstSequence,
          });
      return;
    }
    const near = before.number === number - 1;
    if (!near) find('missing', 'the day is missing', { day: dayOf(before.number + 1), throughDay: dayOf(number - 1) });
    if (manifest === undefined) return;
    if (near) {
      const { previous } = manifest;
      if (
        previous?.day !== dayOf(before.number) ||
        (before.sha256 !== undefined && previous.manifestSha256 !== before.sha256)
      )
        find('link', 'the manifest names another day before it than the one that is there');
    }
    const last = before.manifest;
    if (last === undefined) return;
    const { incarnation, firstSequence, firstPreviousHash } = manifest;
    if (incarnation < last.incarnation) find('link', 'the number of the incarnation goes back');
    if (incarnation > last.incarnation) return this.#restored(owner, number, manifest, last, near);
    if (!tenants) return;
    if (near && (firstSequence !== last.lastSequence + 1 || firstPreviousHash !== last.lastRowHash))
      find('link', 'the rows of the day do not follow from those of the day before', { sequence: firstSequence });
    else if (firstSequence <= last.lastSequence)
      find('link', 'the rows of the day begin before the end of an earlier one', { sequence: firstSequence });
  }

  /** @param {string} tenant @param {number} number @param {Manifest} manifest @param {Manifest} last @param {boolean} near */
  async #restored(tenant, number, manifest, last, near) {
    const { incarnation, firstSequence } = manifest;
    const day = dayOf(number);
    /** @param {string} detail @param {object} [more] */
    const tell = (detail, more) => {
      if (incarnation <= this.#accepted) this.#note(`${tenant} ${day}: ${detail}`);
      else this.findings.add({ kind: 'restored', tenant, day, detail, ...more });
    };
    if (tenant === 'platform') return tell(`a backup was restored: incarnation ${incarnation} begins`);
    const head = this.#hours?.unclaimed(tenant, incarnation, firstSequence - 1);
    if (head !== undefined)
      this.findings.add({
        kind: 'missing',
        tenant: 'platform',
        detail: `a claim is missing: ${tenant} goes on from row ${firstSequence - 1} on ${day}, and nothing gives up what ${head.seen} has seen`,
      });
    const range = { sequence: firstSequence, through: last.lastSequence };
    if (firstSequence > last.lastSequence + 1) {
      if (near)
        this.findings.add({
          kind: 'link',
          tenant,
          day,
          detail: 'rows before the day are missing',
          sequence: last.lastSequence + 1,
        });
    } else if (!(await this.#holds(tenant, number, firstSequence - 1, manifest.firstPreviousHash)))
      this.findings.add({
        kind: 'fork',
        tenant,
        day,
        detail: 'the restored chain goes on from no row of the archive',
        sequence: firstSequence,
      });
    else if (firstSequence <= last.lastSequence)
      tell(
        `a backup was restored: of incarnation ${last.incarnation} rows of the archive were lost in the source`,
        range,
      );
  }

  /** Whether a day before this one has the row, by the chain. @param {string} tenant @param {number} number @param {number} sequence @param {string} rowHash */
  async #holds(tenant, number, sequence, rowHash) {
    if (sequence === 0) return rowHash === genesis(tenant);
    for (let at = number - 1; at >= (this.#owners.get(tenant)?.first ?? number); at -= 1) {
      if ((this.#parts(tenant, at) & parts['.manifest.json']) === 0) continue;
      const path = stem(tenant, dayOf(at));
      let bytes;
      let told;
      try {
        bytes = await small(this.#reader, `${path}.manifest.json`);
        told = readManifest(bytes ?? Buffer.alloc(0));
      } catch {
        continue;
      }
      if (told.lastSequence === sequence && told.lastRowHash === rowHash) return true;
      if (told.firstSequence - 1 === sequence && told.firstPreviousHash === rowHash) return true;
      if (told.firstSequence > sequence || told.lastSequence < sequence) continue;
      const walked = await this.#walked({ ...told, path: `${path}.jsonl`, canonical: false, wanted: sequence });
      if (walked.wantedHash === rowHash) return true;
      if (walked.missing && (await this.#expired(tenant, at, hex(bytes ?? ''))))
        return (
          this.#note(`${tenant} ${dayOf(number)} goes on from row ${sequence}, which expired: its hash is not known`) ??
          true
        );
    }
    return false;
  }
}

/**
 * Verifies a whole archive, or one tenant of it.
 * @param {Reader} reader @param {Options} options
 * @returns {Promise<Verdict>}
 */
export async function verifyArchive(reader, options) {
  return new ArchiveWalk(reader, options).run();
}

// --- One event's proof, and an export.

/**
 * @typedef {object} ProofVerdict
 * @property {boolean} ok
 * @property {readonly Finding[]} findings
 * @property {readonly string[]} notes
 * @property {{ tenant: string, day: string, sequence: number, receivedAt: string, event: string }} [proved] what the
 *   proof shows, where it holds
 */

const promised =
  'a receipt: the place of the event in the chain was signed before its day was sealed; the chain must say the same ever after';

/**
 * Verifies that one event stands in a signed day, or that its place in the chain was signed before.
 * @param {string} proof the document's text, a proof's or a receipt's
 * @param {{ keys: readonly string[], reader?: Reader }} options a reader, where the notes of its keys may be followed
 * @returns {Promise<ProofVerdict>}
 */
export async function verifyProof(proof, { keys, reader }) {
  const findings = new Findings();
  /** @type {string[]} */
  const notes = [];
  let tenant = '';
  try {
    const told = parseProof(proof);
    const near = reader === undefined ? [] : (await trustedKeys(reader, keys, new Findings(), notes)).trusted;
    const trusted = keysOfProof(told.keys ?? [], keys, near);
    tenant = told.tenant;
    proveEvent(told, trusted);
    const { day, sequence, receivedAt, event } = told;
    if ('receipt' in told) notes.push(promised);
    return { ok: true, findings: [], notes, proved: { tenant, day, sequence, receivedAt, event } };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    findings.add({ kind: error.kind, tenant, detail: error.message });
    return { ok: false, findings: findings.list, notes };
  }
}

/**
 * Those that are given, those that an archive leads to, and those that the notes in the proof lead to.
 * @param {readonly string[]} notes @param {readonly string[]} given @param {readonly Key[]} near
 */
function keysOfProof(notes, given, near) {
  const links = notes.map((note) => {
    try {
      return readKeyNote(note);
    } catch (error) {
      throw new Wrong('key', `the note of a key: ${messageOf(error)}`);
    }
  });
  const before = links.map(({ previous }) => previous?.line).filter((line) => line !== undefined);
  if (new Set(before).size !== before.length) throw new Wrong('key', 'two keys say that they follow the same one');
  const keys = followKeys(links, given);
  for (const key of near) if (keys.get(key.line)?.through === undefined) keys.set(key.line, key);
  return [...keys.values()];
}

/**
 * @typedef {object} Placed an event and its place in the chain
 * @property {string} tenant @property {string} day @property {string} event @property {string} receivedAt
 * @property {string} previousHash @property {string} rowHash @property {number} sequence @property {string[]} [keys]
 */
/**
 * @typedef {Placed & { checkpoint: string, leafIndex: number, treeSize: number, path: string[] }} Proof
 * @typedef {Placed & { receipt: { format: 'audit-receipt/v1', keyId: string, signature: string } }} Receipt
 */

/** How many members the objects of a JSON text have: in such a text a quote only begins or ends a string. @param {string} json */
function membersIn(json) {
  let members = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g)) if (colon !== undefined) members += 1;
  return members;
}

/** @param {string} text @returns {Proof | Receipt} */
function parseProof(text) {
  let told;
  let twice;
  try {
    told = JSON.parse(text);
    twice = membersIn(canonical(told)) !== membersIn(text);
  } catch {
    throw new Wrong('form', 'the proof is no JSON');
  }
  // Other readers take the first of two members of the same name, and would show what was not verified.
  if (twice) throw new Wrong('form', 'a member is there twice');
  const isReceipt = told?.format === 'steward-audit-receipt/1';
  const strings = [
    'tenant',
    'event',
    'receivedAt',
    'previousHash',
    'rowHash',
    ...(isReceipt ? [] : ['day', 'checkpoint']),
  ];
  const numbers = ['sequence', ...(isReceipt ? [] : ['leafIndex', 'treeSize'])];
  if (
    !(isReceipt || told?.format === 'steward-audit-proof/1') ||
    strings.some((name) => typeof told[name] !== 'string') ||
    numbers.some((name) => !Number.isSafeInteger(told[name]) || told[name] < 0) ||
    ![told.previousHash, told.rowHash].every(isHash) ||
    (isReceipt ? !isSignature(told.receipt) : !(Array.isArray(told.path) && told.path.every(isHash))) ||
    (told.keys !== undefined &&
      !(Array.isArray(told.keys) && told.keys.every((/** @type {unknown} */ note) => typeof note === 'string')))
  )
    throw new Wrong('form', 'it is no proof in the form of steward-audit-proof/1 or steward-audit-receipt/1');
  // Whoever reads the file would take them for verified too.
  const foreign =
    Object.keys(told).find(
      (name) => !['format', 'keys', ...strings, ...numbers, isReceipt ? 'receipt' : 'path'].includes(name),
    ) ?? Object.keys(isReceipt ? told.receipt : {}).find((name) => !['format', 'keyId', 'signature'].includes(name));
  if (foreign !== undefined)
    throw new Wrong(
      'form',
      `it has a member that no ${isReceipt ? 'receipt' : 'proof'} has: ${JSON.stringify(foreign)}`,
    );
  return isReceipt ? { ...told, day: told.receivedAt.slice(0, 10) } : told;
}

/** @param {any} receipt */
const isSignature = (receipt) =>
  receipt?.format === 'audit-receipt/v1' &&
  /^[0-9a-f]{16}$/.test(receipt.keyId) &&
  /^[A-Za-z0-9_-]{86}$/.test(receipt.signature);

/** @param {Proof | Receipt} told @param {readonly Key[]} trusted */
function proveEvent(told, trusted) {
  const { tenant, day, event, sequence, receivedAt, previousHash, rowHash } = told;
  const time = timeOf(receivedAt);
  if (time === undefined) throw new Wrong('form', 'receivedAt is no time');
  if (!receivedAt.startsWith(`${day}T`)) throw new Wrong('misplaced', 'the event was received on another day');
  let named;
  let id;
  try {
    ({ tenantId: named, id } = JSON.parse(event) ?? {});
  } catch {
    throw new Wrong('form', 'the event is no JSON');
  }
  if (!event.isWellFormed()) throw new Wrong('form', 'the event has a lone surrogate, which no text of the log has');
  if (named !== tenant) throw new Wrong('tenant', 'the event names another tenant');
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64BE(BigInt(sequence));
  numbers.writeBigUInt64BE(BigInt(time), 8);
  const eventHash = Buffer.from(hex(`audit-event/v1\n${event}`), 'hex');
  const row = hex(Buffer.concat([rowPrefix, Buffer.from(previousHash, 'hex'), numbers, eventHash]));
  if (row !== rowHash) throw new Wrong('chain', 'event, number, time and previous hash do not make the row hash');
  if ('receipt' in told) checkSignature(told, id, trusted);
  else checkInclusion(told, trusted);
}

/** @param {Receipt} told @param {unknown} id @param {readonly Key[]} trusted */
function checkSignature({ tenant, day, sequence, receivedAt, rowHash, receipt }, id, trusted) {
  const key = trusted.find(({ keyId }) => keyId === receipt.keyId);
  if (key === undefined)
    throw new Wrong('signature', `the receipt is signed by ${receipt.keyId}, and no trusted key leads there`);
  const late = outOfTime([key], day, false);
  if (late !== undefined) throw new Wrong('signature', late);
  const signed = `audit-receipt/v1\n${canonical({ id, receivedAt, rowHash, sequence, tenantId: tenant })}`;
  const signature = Buffer.from(receipt.signature, 'base64url');
  if (
    signature.toString('base64url') !== receipt.signature ||
    !crypto.verify(null, Buffer.from(signed), key.public, signature)
  )
    throw new Wrong('signature', `the signature of ${key.keyId} is false`);
}

/** @param {Proof} told @param {readonly Key[]} trusted */
function checkInclusion({ tenant, day, rowHash, leafIndex, treeSize, path, checkpoint: note }, trusted) {
  const { text, signedBy, others } = openNote(note, trusted);
  if (signedBy.length === 0)
    throw new Wrong('signature', `the checkpoint is signed by ${others.join(', ')}, and no trusted key leads there`);
  const late = outOfTime(signedBy, day, true);
  if (late !== undefined) throw new Wrong('signature', late);
  const checkpoint = readCheckpoint(text);
  if (checkpoint.owner !== tenant || checkpoint.day !== day)
    throw new Wrong('misplaced', `the checkpoint is that of ${checkpoint.owner} on ${checkpoint.day}`);
  if (checkpoint.count !== treeSize || leafIndex >= treeSize)
    throw new Wrong('checkpoint', 'it signs another number of rows');
  if (rootAlong(Buffer.from(rowHash, 'hex'), leafIndex, treeSize, path) !== checkpoint.root)
    throw new Wrong('rows', 'the path does not lead from the row to the root that was signed');
}

/**
 * @typedef {object} ExportVerdict
 * @property {boolean} ok
 * @property {string} [tenant]
 * @property {number} rows
 * @property {number} bytes
 * @property {number} first the first sequence, 0 where there is none
 * @property {number} last
 * @property {number} holes runs of sequences that are not in the export, between the first and the last
 * @property {readonly Finding[]} findings
 * @property {readonly string[]} notes
 */

/**
 * Verifies that each row of an export (JSON Lines) is what its hashes say, and follows from the row before it where
 * that is there too. Nothing is signed in an export: whether the last hash is the log's own, the archive says.
 * @param {AsyncIterable<Uint8Array>} rows
 * @param {{ canonical?: boolean, onProgress?: (progress: { rows: number, bytes: number }) => void }} [options]
 * @returns {Promise<ExportVerdict>}
 */
export async function verifyExport(rows, { canonical: also = false, onProgress } = {}) {
  const none = undefined;
  const ends = { firstSequence: none, firstPreviousHash: none, count: none, bytes: none, sha256: none, root: none };
  const expected = { path: '', tenant: none, day: none, ...ends, lastRowHash: none, canonical: also, wanted: none };
  const done = { rows: 0, bytes: 0 };
  const reader = { read: async () => rows, list: async function* () {} };
  const { tenant, faults, bytes, first, last, holes, ...walked } = await walkRows(reader, expected, (more, long) => {
    done.rows += more;
    done.bytes += long;
    onProgress?.(done);
  });
  const findings = new Findings();
  for (const fault of faults) findings.add({ tenant: tenant ?? '', ...fault });
  const notes = ['an export is not signed: proofs and the archive say whether its rows are those of the log'];
  if (holes > 0 || first > 1) notes.push('rows are left out, as a filter does');
  const ok = findings.list.length === 0;
  return {
    ok,
    ...(tenant === undefined ? {} : { tenant }),
    rows: walked.rows,
    bytes,
    first,
    last,
    holes,
    findings: findings.list,
    notes,
  };
}

// --- A folder.

/**
 * An archive in a folder of this machine. Symbolic links are not followed.
 * @param {string} folder
 * @returns {Reader}
 */
export function folderReader(folder) {
  /** @param {string} under @returns {AsyncGenerator<string>} */
  async function* walk(under) {
    const entries = await readdir(join(folder, under), { withFileTypes: true }).catch(absent);
    // As whole paths compare: a folder's name goes on with a slash.
    const named = (entries ?? []).map((entry) => ({
      entry,
      name: entry.isDirectory() ? `${entry.name}/` : entry.name,
    }));
    for (const { entry, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory() && !fileName.test(entry.name)) yield* walk(under + name);
      else yield under + entry.name;
    }
  }
  return {
    folder,
    list: async function* (prefix) {
      for await (const path of walk(prefix.slice(0, prefix.lastIndexOf('/') + 1)))
        if (path.startsWith(prefix)) yield path;
    },
    read: async (path, most) => {
      const file = await open(join(folder, path), plainly).catch(absent);
      if (file === undefined) return undefined;
      try {
        const { size } = await plain(file);
        demandSize(size, most);
      } catch (error) {
        await file.close();
        throw error;
      }
      return chunksOf(file, most);
    },
  };
}

/** A folder of this name stands where a file belongs. */
const fileName = /\.(?:jsonl|manifest\.json|checkpoint|expired|note)$/;

/** @param {import('node:fs/promises').FileHandle} file */
async function plain(file) {
  const told = await file.stat();
  if (!told.isFile()) throw new Irregular('it is no plain file');
  return told;
}

/** What is sealed is a plain file: a link leads who knows where, and a pipe would never end. */
const plainly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @param {NodeJS.ErrnoException} error */
function absent(error) {
  const { code = '' } = error;
  if (['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR'].includes(code)) throw new Irregular('it is no plain file');
  if (!['ENOENT', 'ENOTDIR'].includes(code)) throw error;
}

/**
 * The next chunk is read while the last one is looked at.
 * @param {import('node:fs/promises').FileHandle} file @param {number} [most] it may have grown since it was measured
 */
async function* chunksOf(file, most = Infinity) {
  const long = Math.min((await file.stat()).size + 1, 256 << 10);
  const [one, other] = [Buffer.allocUnsafe(long), Buffer.allocUnsafe(long)];
  let reading = file.read(one, 0, long);
  let total = 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await reading;
      if (bytesRead === 0) return;
      total += bytesRead;
      demandSize(total, most);
      const next = buffer === one ? other : one;
      reading = file.read(next, 0, long);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await reading.catch(() => undefined);
    await file.close();
  }
}

// --- The command.

const usage = `Verifies Steward's audit archive, one event's proof or receipt, or an export. Nothing is trusted but the key.

  node steward-audit-verify.mjs --archive DIR --key KEY [--tenant ID]
  node steward-audit-verify.mjs --proof FILE --key KEY [--archive DIR]
  node steward-audit-verify.mjs --export FILE

  --key KEY               steward/audit+…, or a file that holds such a line; more than once for more keys
  --accept-incarnation N  restored backups up to this number are known
  --fresh-within DAYS     how old the newest sealed day may be (3)
  --canonical             also that every event is RFC 8785 text
  --workers N             threads (as many as there are processors)
  --json                  the verdict as JSON

Exit 0: verified, or of an export consistent: whoever changes one can make its hashes anew. 1: findings. 2: it was not called rightly, or could not read.
`;

/** @param {readonly string[]} words */
async function main(words) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      archive: { type: 'string' },
      proof: { type: 'string' },
      export: { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      tenant: { type: 'string' },
      'accept-incarnation': { type: 'string', default: '1' },
      'fresh-within': { type: 'string', default: '3' },
      workers: { type: 'string', default: String(availableParallelism()) },
      canonical: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { archive, proof, tenant, canonical: also, json } = values;
  const [acceptIncarnation, freshWithinDays, workers] = [
    values['accept-incarnation'],
    values['fresh-within'],
    values.workers,
  ].map((told) => {
    if (!/^\d{1,6}$/.test(told)) throw new Error(`${told} is no whole number.`);
    return Number(told);
  });
  if ((archive ?? proof ?? values.export) === undefined) throw new Error('Nothing was named that could be verified.');
  if (values.export !== undefined && (archive ?? proof) !== undefined)
    throw new Error('An export is compared with nothing else: verify the archive, or the proof, by itself.');
  if (values.export !== undefined && values.key.length > 0)
    throw new Error('An export is not signed, so no key says anything of it: leave --key out.');
  const keys = (await Promise.all(values.key.map(keysOf))).flat();
  if (values.export === undefined && keys.length === 0) throw new Error('Name the public key with --key.');
  for (const key of keys) readKey(key);
  const reader = archive === undefined ? undefined : folderReader(archive);
  const onProgress = process.stderr.isTTY ? progress() : undefined;
  /** @type {Verdict | ProofVerdict | ExportVerdict} */
  let verdict;
  if (proof !== undefined)
    verdict = await verifyProof(await readFile(proof, 'utf8'), { keys, ...(reader && { reader }) });
  else if (values.export !== undefined)
    verdict = await verifyExport(chunksOf(await open(values.export)), {
      canonical: also,
      ...(onProgress && { onProgress }),
    });
  else {
    if (!(await stat(archive ?? '')).isDirectory()) throw new Error(`${archive} is no folder.`);
    verdict = await verifyArchive(/** @type {Reader} */ (reader), {
      keys,
      acceptIncarnation: acceptIncarnation ?? 1,
      freshWithinDays: freshWithinDays ?? 3,
      workers: workers ?? 1,
      canonical: also,
      ...(tenant === undefined ? {} : { tenant }),
      ...(onProgress && { onProgress }),
    });
  }
  if (onProgress !== undefined) process.stderr.write('\r\x1b[K');
  process.stdout.write(json ? `${JSON.stringify(verdict)}\n` : report(verdict));
  return verdict.ok ? 0 : 1;
}

/** @param {string} told @returns {Promise<string[]>} */
async function keysOf(told) {
  if (/^[^\s+]+\+[0-9a-f]{8}\+/.test(told)) return [told];
  const lines = (await readFile(told, 'utf8')).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => /^[^\s+]+\+[0-9a-f]{8}\+/.test(line));
  if (keys.length === 0) throw new Error(`${told} holds no line of the form steward/audit+….`);
  return keys;
}

function progress() {
  const start = performance.now();
  let shown = start;
  return (/** @type {{ rows: number, bytes: number }} */ { rows, bytes }) => {
    const now = performance.now();
    if (now - shown < 200) return;
    shown = now;
    const rate = Math.round((rows / (now - start)) * 1000);
    process.stderr.write(`\r\x1b[K${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, ${rate} rows/s`);
  };
}

/** What a document says, as a terminal may have it: it obeys none of it, and no line of ours is begun by it. @param {string} text */
const oneLine = (text) =>
  text.replaceAll(
    /[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** @param {Verdict | ProofVerdict | ExportVerdict} verdict */
function report(verdict) {
  // Whoever makes an export anew makes its hashes anew as well: that they agree is all that can be said of it.
  const sound =
    'holes' in verdict ? 'consistent: its hashes agree with its rows; not signed, so it proves no origin' : 'verified';
  const lines = [verdict.ok ? sound : 'NOT verified'];
  if ('integrity' in verdict) {
    const { integrity, completeness, freshness, newestDay = 'none', tenants, days, rows, bytes } = verdict;
    lines.push(
      `integrity ${integrity}, completeness ${completeness}, freshness ${freshness}: newest sealed day ${newestDay}`,
    );
    lines.push(`${tenants} tenants, ${days} days, ${rows} rows, ${bytes} bytes`);
  } else if ('proved' in verdict && verdict.proved !== undefined) {
    const { tenant, day, sequence, receivedAt, event } = verdict.proved;
    lines.push(`tenant ${tenant}, day ${day}, sequence ${sequence}, received ${receivedAt}`, event);
  } else if ('holes' in verdict) {
    const { tenant = 'no tenant', rows, first, last, holes } = verdict;
    lines.push(`${tenant}: ${rows} rows, sequences ${first} to ${last}, ${holes} times some are left out between`);
  }
  for (const { aspect, kind, tenant, day, throughDay, sequence, through, detail } of verdict.findings) {
    const days = throughDay === undefined || throughDay === day ? (day ?? '') : `${day} to ${throughDay}`;
    const run = through === undefined || through === sequence ? '' : ` to ${through}`;
    const place = [tenant, days, sequence === undefined ? '' : `sequence ${sequence}${run}`].filter(
      (one) => one !== '',
    );
    lines.push(`${[...place, `${kind} (${aspect})`].join(', ')}: ${detail}`);
  }
  if ('truncated' in verdict && verdict.truncated) lines.push('there is more that is not listed');
  return `${[...lines, ...verdict.notes.map((note) => `note: ${note}`)].map(oneLine).join('\n')}\n`;
}

/** Not awaited: whoever imports this file would have to be evaluated asynchronously too. */
async function runIfCalled() {
  if (!isMainThread || process.argv[1] === undefined) return;
  const called = await realpath(process.argv[1]).catch(() => '');
  if (called !== (await realpath(fileURLToPath(import.meta.url)).catch(() => undefined))) return;
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${oneLine(messageOf(error))}\n\n${usage}`);
    process.exitCode = 2;
  }
}

void runIfCalled();
