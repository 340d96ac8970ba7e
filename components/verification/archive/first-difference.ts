import type pg from 'pg';
import { dayLine, dayPaths } from '@steward/archive/format';
import { Irregular } from '../verifier/steward-audit-verify.mjs';
import type { Archive } from './archive.ts';

export interface Stretch {
  readonly tenant: string;
  readonly day: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Of the file. */
  readonly bytes: number;
}

const page = 1_000;

/**
 * The first sequence of an archived day whose row the database has otherwise or not at all; undefined where it has them
 * all. Both sides are read in step, a page at a time.
 */
export async function firstDifference(
  client: pg.Client,
  archive: Archive,
  stretch: Stretch,
): Promise<number | undefined> {
  const { tenant, day, firstSequence, lastSequence, bytes } = stretch;
  const lines = archivedLines(archive, dayPaths(tenant, day).rows, bytes);
  try {
    for (let from = firstSequence; from <= lastSequence; from += page) {
      const { rows } = await client.query<{ sequence: number; ms: number; hash: string; event: string }>(
        `select sequence::float8 as sequence, floor(extract(epoch from received_at) * 1000)::float8 as ms,
           encode(row_hash, 'hex') as hash, event
         from audit.event where tenant_id = $1 and sequence between $2 and $3 order by sequence`,
        [tenant, from, Math.min(from + page - 1, lastSequence)],
      );
      const stored = new Map(rows.map((row) => [row.sequence, row]));
      for (let sequence = from; sequence < from + page && sequence <= lastSequence; sequence += 1) {
        const row = stored.get(sequence);
        const { value: line, done } = await lines.next();
        if (row === undefined || done === true) return sequence;
        if (line !== dayLine(row.event, row.ms, row.hash, sequence)) return sequence;
      }
    }
    return undefined;
  } finally {
    await lines.return(undefined);
  }
}

/** With their LF. */
async function* archivedLines(archive: Archive, path: string, most: number): AsyncGenerator<string, undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  const chunks = await archive.read(path, most).catch((error: unknown) => {
    // The archive's own verifier reports what is wrong with the file.
    if (error instanceof Irregular) return undefined;
    throw error;
  });
  for await (const chunk of chunks ?? []) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
  if (rest !== '') yield rest;
  return undefined;
}
