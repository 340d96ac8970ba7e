import type { SqlPool } from '@steward/sql';
import type { ArchiveTarget } from '../targets/target.ts';
import { readAllClaims } from '../claim/read.ts';
import { readArchivedHour } from './read.ts';
import type { Head } from './note.ts';
import { lastHour, missingHeads } from './statements.ts';

/** The heads that hourly checkpoints of the last days recorded. */
export interface RecentHeads {
  /** Those of the tenants whose chain is another one by now, with the head that was recorded. */
  contradicted(tenants: readonly string[]): Promise<ReadonlyMap<string, RecentHead>>;
}

export interface RecentHead extends Head {
  readonly takenAt: string;
}

/** Two days, which are not sealed yet when sealing begins. */
const lately = 2 * 86_400_000;

/** Read from the archive, not from the database, once a run: a head a tenant is held. */
export function createRecentHeads(pool: SqlPool, target: ArchiveTarget, known: readonly string[]): RecentHeads {
  let reading: Promise<ReadonlyMap<string, RecentHead>> | undefined;
  return {
    contradicted: async (tenants) => {
      reading ??= lastSeen(pool, target, known);
      const seen = await reading;
      const heads = tenants.flatMap((tenant) => seen.get(tenant) ?? []);
      const missing = await missingHeads(pool, heads);
      return new Map(
        missing.flatMap(({ tenant }) => [seen.get(tenant) ?? []].flat().map((one) => [tenant, one] as const)),
      );
    },
  };
}

/** The last head of each chain that was recorded and was not given up since. */
async function lastSeen(
  pool: SqlPool,
  target: ArchiveTarget,
  known: readonly string[],
): Promise<ReadonlyMap<string, RecentHead>> {
  const seen = new Map<string, RecentHead>();
  const lost = new Map(
    (await readAllClaims(target, known)).flatMap(({ incarnation, lost: cuts }) =>
      cuts.map(({ tenant }) => [tenant, incarnation] as const),
    ),
  );
  let since: number | undefined;
  for (let number = (await lastHour(pool))?.number ?? 0; number > 0; number -= 1) {
    const hour = await readArchivedHour(target, number, known);
    if (hour === undefined || hour === false) continue;
    since ??= Date.parse(hour.takenAt) - lately;
    if (Date.parse(hour.takenAt) < since) break;
    for (const head of hour.heads) {
      if (!seen.has(head.tenant) && hour.incarnation >= (lost.get(head.tenant) ?? 0))
        seen.set(head.tenant, { ...head, takenAt: hour.takenAt });
    }
  }
  return seen;
}
