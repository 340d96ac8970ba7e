import { hash } from 'node:crypto';
import type { SqlPool } from '@steward/sql';
import { genesis } from '@steward/audit/chain';
import { signNote } from '../format/note.ts';
import { claimPath } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { hoursFrom, lostHour } from '../hours/behind.ts';
import type { Head } from '../hours/note.ts';
import { headsOf, lastHour, missingHeads, rowsAt } from '../hours/statements.ts';
import { presentIncarnation } from '../sealing/statements.ts';
import type { Signers } from '../sealing/days/store-day.ts';
import { isOf, NotClaimed, readIdentity, requireWhole, settle } from './claim.ts';
import { lackingOf } from './lacking.ts';
import { type Claim, claimText } from './note.ts';
import { lastClaimNumber, readLastClaim } from './read.ts';

export interface TakeOverOptions {
  /** 1–500 characters without a line feed. */
  readonly reason: string;
  /** The archive may lack what this database has sealed: it begins here. */
  readonly newArchive?: boolean;
}

export interface TakenOver {
  readonly claim: Claim;
  /** False where this database held the claim already, and lacked nothing. */
  readonly changed: boolean;
}

/**
 * Takes the archive over for this database. The claim names rows of hourly checkpoints that are not here as lost,
 * and a new incarnation begins; the signed claim stays in the archive.
 * @throws ArchiveConflict where two take it over at once; NotClaimed where the hours are not those of this database at all, or the
 *   archive lacks what it has sealed and is not said to be new
 */
export async function takeOver(
  pool: SqlPool,
  target: ArchiveTarget,
  signers: Signers,
  { reason, newArchive = false }: TakeOverOptions,
): Promise<TakenOver> {
  const own = await readIdentity(pool);
  const found = await readLastClaim(target, signers.known);
  const last = found === 'unreadable' ? undefined : found;
  const mine = last !== undefined && isOf(last, own);
  if (mine) await settle(pool, target, signers.known, last);
  const whole = mine ? last : undefined;
  if (!newArchive) await requireWhole(pool, target, whole);
  const lost = await lostHour(pool, target, signers.known);
  const lacking = newArchive ? await lackingOf(pool, target, whole) : undefined;
  if (mine && lost === undefined && lacking === undefined) return { claim: last, changed: false };
  const recorded = (await lastHour(pool))?.number;
  if (lost !== undefined && lost.heads.length === 0 && lost.hour === recorded)
    throw new NotClaimed(
      `Hour ${lost.hour} in the archive ${target.address} is not the one that this database wrote: it wrote to another archive. ` +
        'Give it that one again (AUDIT_ARCHIVE).',
    );
  const { heads, hours, incarnation: archived } = await cuts(pool, target, signers.known, recorded ?? 0);
  const present = Math.max(await presentIncarnation(pool), archived, last?.incarnation ?? 1);
  const claim: Claim = {
    number: (await lastClaimNumber(target)) + 1,
    ...own,
    incarnation: heads.length === 0 ? present : present + 1,
    previous: last?.sha256 ?? hash('sha256', ''),
    taken: { at: new Date().toISOString(), hours, reason },
    lost: heads,
  };
  await target.put(claimPath(claim.number), Buffer.from(signNote(claimText(claim), [signers.key])));
  await settle(pool, target, signers.known, claim);
  return { claim, changed: true };
}

/**
 * Where chains continue of which the archive's hours after `recorded` name rows that are not here; the last hour; the highest
 * incarnation. A chain that went on before anybody noticed continues before the first of those rows.
 */
async function cuts(
  pool: SqlPool,
  target: ArchiveTarget,
  known: readonly string[],
  recorded: number,
): Promise<{ readonly heads: readonly Head[]; readonly hours: number; readonly incarnation: number }> {
  const missing = new Map<string, number>();
  let incarnation = 1;
  let hours = recorded;
  for await (const hour of hoursFrom(target, recorded + 1, known)) {
    hours = hour.number;
    incarnation = Math.max(incarnation, hour.incarnation);
    for (const { tenant, sequence } of await missingHeads(pool, hour.heads))
      missing.set(tenant, Math.min(sequence, missing.get(tenant) ?? Infinity));
  }
  const tenants = [...missing.keys()].toSorted();
  const ends = await headsOf(pool, tenants);
  const before = ends.flatMap(({ tenant, sequence }) => {
    const last = (missing.get(tenant) ?? Infinity) - 1;
    return sequence > last ? [{ tenant, sequence: last }] : [];
  });
  const wentOn = new Set(before.map(({ tenant }) => tenant));
  const kept = [...ends.filter(({ tenant }) => !wentOn.has(tenant)), ...(await rowsAt(pool, before))];
  const there = new Map(kept.map((head) => [head.tenant, head]));
  const heads = tenants.map(
    (tenant) => there.get(tenant) ?? { tenant, sequence: 0, rowHash: genesis(tenant).toString('hex') },
  );
  return { heads, hours, incarnation };
}
