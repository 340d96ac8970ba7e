import { ownKeys, verifyProof, type About } from './proof.ts';
import { verifyDay, verifyExport, type RowsVerdict } from './rows.ts';

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

interface Named {
  readonly name: string;
  readonly text: string;
}

/** Judges what a reader has: a proof, a receipt, an export, or the three files of a sealed day. */
export async function judgeFiles(
  files: readonly Named[],
  pinned: string | undefined,
  about: Pick<About, 'tenant'>,
  asked: Asked,
): Promise<Told> {
  const [rows, manifest, checkpoint] = ['.jsonl', '.manifest.json', '.checkpoint'].map(
    (end) => files.find(({ name }) => name.endsWith(end))?.text,
  );
  if (rows !== undefined && manifest !== undefined && checkpoint !== undefined) {
    const [own] = (await asked.notes()).map((note) => note.split('\n')[1] ?? '');
    const trusted = pinned ?? own;
    const verdict = await verifyDay(
      { rows, manifest, checkpoint },
      trusted === undefined ? [] : [trusted],
      await asked.notes(),
      about,
    );
    return told(verdict, pinned === undefined ? 'consistent' : 'whole');
  }
  return rows === undefined
    ? judge(files[0]?.text ?? '', pinned, about)
    : judgeExport(rows, pinned, about, asked.proofOf);
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
