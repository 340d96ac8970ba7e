import { ownKeys, verifyProof, type About } from './proof.ts';
import { verifyDay, verifyExport, type Day, type RowsVerdict } from './rows.ts';
import { Wrong } from './signed.ts';

/**
 * What came of computing everything anew. Without a pinned key it is never called verified, nor is what is of another log.
 * `verified`: an event stands in a sealed day; `signed`: its place was signed, and the day is not sealed; `whole`: all rows from the
 * first to the last are those that were signed; `agrees`, `consistent`: an event, or rows, agree with themselves.
 */
export type Is = 'verified' | 'signed' | 'whole' | 'agrees' | 'consistent' | 'foreign' | 'unread' | 'broken';
export type Told = { readonly is: Is; readonly verdict: RowsVerdict };

/** @param pinned the public key that the reader trusts, `steward/audit+…` */
export async function judge(text: string, pinned: string | undefined, about: About): Promise<Told> {
  if (pinned !== undefined) {
    const verdict = await verifyProof(text, [pinned], about);
    return told(verdict, verdict.proof?.format === 'steward-audit-receipt/1' ? 'signed' : 'verified');
  }
  const first = await verifyProof(text, [], about);
  const [own] = first.proof === undefined ? [] : ownKeys(first.proof);
  // By its own word: that it agrees with itself is all that can be said.
  return told(own === undefined ? first : await verifyProof(text, [own], about).catch(() => first), 'agrees');
}

const told = (verdict: RowsVerdict, good: Is): Told => ({
  is: verdict.ok ? good : verdict.kind === 'foreign' ? 'foreign' : verdict.kind === 'form' ? 'unread' : 'broken',
  verdict,
});

/** What this server answers: it is judged, and not believed. */
export interface Asked {
  /** The proof of an event, or its receipt. */
  readonly proofOf: (id: string) => Promise<string>;
  /** The notes of all signing keys. */
  readonly notes: () => Promise<readonly string[]>;
}

export interface Named {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** As UTF-8, byte for byte: a mark of the byte order and what is no UTF-8 are of no file of ours. */
function textOf({ name, bytes }: Named): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Wrong('line', `${name} is not UTF-8`);
  }
}

const ends = ['.jsonl', '.manifest.json', '.checkpoint'] as const;

/** Judges what a reader has: a proof, a receipt, an export, or the three files of a sealed day. */
export async function judgeFiles(
  files: readonly Named[],
  pinned: string | undefined,
  about: Pick<About, 'tenant'>,
  asked: Asked,
): Promise<Told> {
  try {
    const texts = files.map(textOf);
    const [rows, manifest, checkpoint] = ends.map((end) => texts[files.findIndex(({ name }) => name.endsWith(end))]);
    if (rows !== undefined && manifest !== undefined && checkpoint !== undefined && files.length === ends.length)
      return await judgeDay({ rows, manifest, checkpoint }, pinned, about, asked);
    // One verdict is of one thing: of others nothing would be said.
    if (files.length !== 1) throw new Wrong('form', 'take one proof, receipt or export, or the three files of one day');
    return rows === undefined
      ? await judge(texts[0] ?? '', pinned, about)
      : await judgeExport(rows, pinned, about, asked.proofOf);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return told({ ok: false, kind: error.kind, detail: error.message, computed: [] }, 'whole');
  }
}

async function judgeDay(
  day: Day,
  pinned: string | undefined,
  about: Pick<About, 'tenant'>,
  asked: Asked,
): Promise<Told> {
  const notes = await asked.notes();
  const own = notes[0]?.split('\n')[1];
  const trusted = pinned ?? own;
  const verdict = await verifyDay(day, trusted === undefined ? [] : [trusted], notes, about);
  return told(verdict, pinned === undefined ? 'consistent' : 'whole');
}

async function judgeExport(
  text: string,
  pinned: string | undefined,
  about: Pick<About, 'tenant'>,
  proofOf: Asked['proofOf'],
): Promise<Told> {
  const verdict = await verifyExport(text, about);
  const { rows } = verdict;
  if (pinned === undefined || rows === undefined || rows.count === 0 || rows.holes > 0)
    return told(verdict, 'consistent');
  const last = await verifyProof(await proofOf(rows.lastId), [pinned], { ...about, id: rows.lastId });
  const computed = [...verdict.computed, ...last.computed.filter(({ step }) => step === 'signature')];
  if (!last.ok) return told({ ...last, computed }, 'whole');
  if (last.proof?.rowHash === rows.lastHash) return told({ ok: true, rows, computed }, 'whole');
  const detail = `number ${rows.last}: the row that was signed is another one`;
  return told({ ok: false, kind: 'rows', detail, computed }, 'whole');
}
