import { sql, type SqlPool } from '@steward/sql';

/** Sequences whose principals are noted together; the functions of `functions/principal-blocks.sql` know the number too. */
export const blockSize = 1024;

/** Blocks noted in one transaction: some 100 ms. */
const notedAtOnce = 64;

export interface Run {
  readonly tenant: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/**
 * Stores the principals of the blocks that are full since this run of sequences, so that not even the first search for
 * somebody has to. Searches do the same for blocks that are not stored yet.
 * @param turn called between two transactions
 */
export async function notePrincipals(
  pool: SqlPool,
  { tenant, firstSequence, lastSequence }: Run,
  turn: () => Promise<void>,
): Promise<void> {
  if (Math.floor((lastSequence + 1) / blockSize) <= Math.floor(firstSequence / blockSize)) return;
  for (;;) {
    const [row] = await pool.query<{ waiting: bigint }>(
      sql`select audit.note_principals(${tenant}, ${notedAtOnce}) as waiting`,
    );
    if (row === undefined || row.waiting === 0n) return;
    await turn();
  }
}
