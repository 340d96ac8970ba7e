import type pg from 'pg';
import { type CompareOptions, type Compared, compareDays, type OwnDays, type Unrecorded } from './compare-days.ts';
import type { Finding, Findings } from '../log/finding.ts';
import type { Part } from '../parts/part.ts';
import { restoredChains, sealedDays, type SealedDay, sealedMarks } from './sealed-days.ts';

/** Compares the sealed days of every tenant of a part; `own`: what its chains hold, by tenant. */
export async function comparePart(
  client: pg.Client,
  part: Part,
  own: ReadonlyMap<string, OwnDays>,
  options: CompareOptions,
  findings: Findings,
): Promise<Compared> {
  const restored = await restoredChains(client, part);
  const marks = await sealedMarks(client, part);
  const archive: Finding[] = [];
  const notes: string[] = [];
  const unrecorded: Unrecorded[] = [];
  let days = 0;
  let incarnation = 1;
  const compare = async (tenant: string, records: readonly SealedDay[]): Promise<void> => {
    // A tenant without a chain is a finding of its own.
    const chain = own.get(tenant);
    if (chain === undefined) {
      const detail = 'the database remembers sealed days of a tenant that has no chain';
      findings.add({ tenant, kind: 'record', sequence: 0, detail });
      return;
    }
    const remembered = { days: records, restored: restored.get(tenant) ?? [], mark: marks.get(tenant) ?? null };
    const compared = await compareDays(client, chain, remembered, options, findings);
    archive.push(...compared.archive);
    notes.push(...compared.notes);
    unrecorded.push(...compared.unrecorded);
    days += compared.days;
    incarnation = Math.max(incarnation, compared.incarnation);
  };
  const left = new Set(own.keys());
  for await (const [tenant, records] of byTenant(sealedDays(client, part))) {
    left.delete(tenant);
    await compare(tenant, records);
  }
  for (const tenant of left) await compare(tenant, []);
  return { archive, notes, unrecorded, days, incarnation };
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
