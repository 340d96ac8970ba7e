import type { Findings } from './finding.ts';
import type { KeyRow, Rows } from './rows.ts';

/**
 * Compares the table of idempotency keys with the events, both in order of sequence. `told` is
 * null where the text could not be read, which is a finding already.
 */
export async function compareKeys(
  keys: Rows<KeyRow>,
  tenant: string,
  sequence: bigint,
  told: string | undefined | null,
  findings: Findings,
): Promise<void> {
  const stored: string[] = [];
  while (keys.next?.tenant === tenant && BigInt(keys.next.sequence) <= sequence) {
    const row = await keys.take(tenant);
    // Below the present row there is no event: that gap has been found.
    if (row !== undefined && BigInt(row.sequence) === sequence) stored.push(row.key);
  }
  const expected = told === undefined ? [] : [told];
  if (told !== null && stored.join('\n') !== expected.join('\n'))
    findings.add(tenant, 'idempotency', sequence, 'the keys stored for the event are not those of its text');
}

/** Keys left when the rows of a tenant are over: those beyond the head show that head and tail were cut. */
export async function leftKeys(keys: Rows<KeyRow>, tenant: string, head: bigint, findings: Findings): Promise<void> {
  for (let row = await keys.take(tenant); row !== undefined; row = await keys.take(tenant)) {
    const sequence = BigInt(row.sequence);
    if (sequence > head)
      findings.add(tenant, 'tail', sequence, 'a key stands for an event beyond the end of the chain');
  }
}
