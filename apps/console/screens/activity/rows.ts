import type { About, Computed, Verdict } from './proof.ts';
import {
  eventHash,
  genesis,
  hexOf,
  isHash,
  keysFrom,
  named,
  readCheckpoint,
  rowHash,
  sha256,
  timeOf,
  treeHash,
  Wrong,
} from './signed.ts';

/** What stands in an export or in the file of a day. */
export interface Rows {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** Runs of numbers that are left out between the first and the last. */
  readonly holes: number;
  readonly lastId: string;
  readonly lastHash: string;
}

export type RowsVerdict = Verdict & { readonly rows?: Rows };

interface Line {
  readonly event: string;
  /** Not in the file of a day. */
  readonly previousHash: string | undefined;
  readonly receivedAt: string;
  readonly rowHash: string;
  readonly sequence: number;
}

/** JCS, so that a line has one form; longer than any tail. */
const tailForm =
  /(?:,"prevHash":"([0-9a-f]{64})")?,"receivedAt":"([0-9TZ:.-]{24})","rowHash":"([0-9a-f]{64})","sequence":([1-9]\d{0,15})\}$/;
const longestTail = 300;
const top = '{"event":';
/** Rows that are hashed at once: the page stays awake between them. */
const atOnce = 256;

/** Split at LF alone: JCS leaves other line separators in texts. */
function* linesOf(text: string): Generator<Line> {
  for (let start = 0, number = 1; start < text.length; number += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) throw new Wrong('tail', 'the last line is cut off');
    const line = text.slice(start, end);
    const [tail, previousHash, receivedAt = '', hash = '', sequence] = tailForm.exec(line.slice(-longestTail)) ?? [];
    if (tail === undefined || !line.startsWith(top))
      throw new Wrong(start === 0 ? 'form' : 'line', `line ${number} is no row of the log`);
    yield {
      event: line.slice(top.length, -tail.length),
      previousHash,
      receivedAt,
      rowHash: hash,
      sequence: Number(sequence),
    };
    start = end + 1;
  }
}

/** @param before of the row before the first; undefined where each line says its own */
async function walk(text: string, tenant: string, before?: string): Promise<{ rows: Rows; hashes: readonly string[] }> {
  const hashes: string[] = [];
  let [first, holes, lastId] = [0, 0, ''];
  let last: Line | undefined;
  let batch: Promise<Wrong | undefined>[] = [];
  const settle = async (): Promise<void> => {
    const wrong = (await Promise.all(batch)).find((one) => one !== undefined);
    batch = [];
    if (wrong !== undefined) throw wrong;
  };
  try {
    for (const line of linesOf(text)) {
      const { sequence } = line;
      const { id, previous } = follow(line, last, tenant, before);
      if (last !== undefined && sequence !== last.sequence + 1) holes += 1;
      batch.push(recompute(line, previous, tenant));
      hashes.push(line.rowHash);
      first ||= sequence;
      [last, lastId] = [line, id];
      if (batch.length === atOnce) await settle();
    }
  } catch (error) {
    // What is wrong before it is told first.
    await settle();
    throw error;
  }
  await settle();
  const rows = { count: hashes.length, first, last: last?.sequence ?? 0, holes, lastId, lastHash: last?.rowHash ?? '' };
  return { rows, hashes };
}

const wrongAt = (sequence: number, kind: Wrong['kind'], what: string): Wrong =>
  new Wrong(kind, `number ${sequence}: ${what}`);

/** Whether a row can follow the last one. @throws Wrong */
function follow(
  { event, previousHash, receivedAt, sequence }: Line,
  last: Line | undefined,
  tenant: string,
  before: string | undefined,
): { readonly id: string; readonly previous: string } {
  const wrong = (kind: Wrong['kind'], what: string): Wrong => wrongAt(sequence, kind, what);
  timeOf(receivedAt, 'line');
  if (last !== undefined && (sequence <= last.sequence || receivedAt < last.receivedAt))
    throw wrong('order', 'its number or time is before that of the row before it');
  const known = last === undefined ? before : sequence === last.sequence + 1 ? last.rowHash : undefined;
  const previous = previousHash ?? known;
  if (previous === undefined) throw wrong('gap', 'rows are missing before it');
  if (known !== undefined && previous !== known) throw wrong('chain', 'it does not follow from the row before it');
  let told: { readonly id?: unknown; readonly tenantId?: unknown } | null;
  try {
    told = JSON.parse(event) as typeof told;
  } catch {
    throw wrong('line', 'its event is no JSON');
  }
  if (told?.tenantId !== tenant)
    throw wrong(last === undefined ? 'foreign' : 'tenant', 'its event is of another organization');
  return { id: String(told.id), previous };
}

async function recompute(line: Line, previous: string, tenant: string): Promise<Wrong | undefined> {
  const { sequence, event, receivedAt } = line;
  if (sequence === 1 && previous !== (await genesis(tenant)))
    return wrongAt(sequence, 'genesis', 'the chain does not begin as that of this organization');
  return (await rowHash(previous, sequence, Date.parse(receivedAt), await eventHash(event))) === line.rowHash
    ? undefined
    : wrongAt(sequence, 'chain', 'event, number, time and previous hash do not make the row hash');
}

async function judged(compute: (computed: Computed[]) => Promise<Rows>): Promise<RowsVerdict> {
  const computed: Computed[] = [];
  try {
    return { ok: true, rows: await compute(computed), computed };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ok: false, kind: error.kind, detail: error.message, computed };
  }
}

/** Computes the hashes of an export anew (JSON Lines). Nothing in it is signed: who vouches for its last row vouches for all without a hole. */
export const verifyExport = async (text: string, { tenant }: Pick<About, 'tenant'>): Promise<RowsVerdict> =>
  judged(async (computed) => {
    const { rows } = await walk(text, tenant);
    computed.push({ step: 'row', value: rows.lastHash });
    return rows;
  });

export interface Day {
  readonly rows: string;
  readonly manifest: string;
  readonly checkpoint: string;
}

/**
 * Computes everything of a sealed day anew, from the three files of the archive.
 * @param given public keys that are trusted, `steward/audit+…`
 * @param notes of the signing keys, as the server or the archive has them: who trusts one of them follows them to the others
 */
export const verifyDay = async (
  files: Day,
  given: readonly string[],
  notes: readonly string[],
  { tenant }: Pick<About, 'tenant'>,
): Promise<RowsVerdict> =>
  judged(async (computed) => {
    const manifest = parseManifest(files.manifest);
    if (manifest.tenant !== tenant) throw new Wrong('foreign', `the day is of the log of ${manifest.tenant}`);
    const { day, count, firstPreviousHash } = manifest;
    const signed = await readCheckpoint(files.checkpoint, await keysFrom(notes, given), { tenant, day });
    computed.push({ step: 'signature', value: named(signed.signedBy) });
    if (hexOf(await sha256(files.manifest)) !== signed.manifest)
      throw new Wrong('manifest', 'another manifest was signed');
    const file = hexOf(await sha256(files.rows));
    const { rows, hashes } = await walk(files.rows, tenant, firstPreviousHash);
    const root = await treeHash(hashes);
    if (file !== manifest.sha256 || rows.count !== count || count !== signed.count || root !== signed.root)
      throw new Wrong('rows', 'the rows follow from each other, and others were signed');
    computed.push({ step: 'file', value: file }, { step: 'root', value: root });
    return rows;
  });

interface Manifest {
  readonly tenant: string;
  readonly day: string;
  readonly count: number;
  readonly sha256: string;
  readonly firstPreviousHash: string;
}

function parseManifest(text: string): Manifest {
  let told: Record<string, unknown> | null;
  try {
    told = JSON.parse(text) as typeof told;
  } catch {
    throw new Wrong('form', 'the manifest is no JSON');
  }
  if (
    told?.['format'] !== 'steward-audit-day/1' ||
    typeof told['tenant'] !== 'string' ||
    typeof told['day'] !== 'string' ||
    !Number.isSafeInteger(told['count']) ||
    ![told['sha256'], told['firstPreviousHash']].every(isHash)
  )
    throw new Wrong('form', 'it is no manifest in the form of steward-audit-day/1');
  return told as unknown as Manifest;
}
