import type pg from 'pg';
import { type CompareOptions, type Compared, compareDays, type OwnDays } from './compare-days.ts';
import type { Finding, Findings } from './finding.ts';
import type { Part } from './part.ts';
import { restoredChains, sealedDays, type SealedDay } from './sealed-days.ts';

/** Compares the sealed days of every tenant of a part; `own`: what its chains hold, by tenant. */
export async function comparePart(
  client: pg.Client,
  part: Part,
  own: ReadonlyMap<string, OwnDays>,
  options: CompareOptions,
  findings: Findings,
): Promise<Compared> {
  const restored = await restoredChains(client, part);
  const archive: Finding[] = [];
  const notes: string[] = [];
  let days = 0;
  const compare = async (tenant: string, records: readonly SealedDay[]): Promise<void> => {
    // A tenant without a chain is a finding of its own.
    const chain = own.get(tenant);
    if (chain === undefined) return;
    const compared = await compareDays(client, chain, records, restored.get(tenant) ?? [], options, findings);
    archive.push(...compared.archive);
    notes.push(...compared.notes);
    days += compared.days;
  };
  const left = new Set(own.keys());
  for await (const [tenant, records] of byTenant(sealedDays(client, part))) {
    left.delete(tenant);
    await compare(tenant, records);
  }
  for (const tenant of left) await compare(tenant, []);
  return { archive, notes, days };
}

async function* byTenant(days: AsyncIterable<SealedDay>): AsyncGenerator<[string, SealedDay[]]> {
  let records: SealedDay[] = [];
  for await (const day of days) {
    if (records[0] !== undefined && records[0].tenant !== day.tenant) {
      yield [records[0].tenant, records];
      records = [];
    }
    records.push(day);
  }
  if (records[0] !== undefined) yield [records[0].tenant, records];
}
