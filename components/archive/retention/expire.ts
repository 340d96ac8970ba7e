import { permit } from '@steward/access';
import { type Row, sql, type SqlPool, type TenantContext, type TenantTransaction } from '@steward/sql';
import { event, underNoHold } from '@steward/audit';
import { manifestSha256 } from '../format/manifest.ts';
import { dayPaths } from '../format/paths.ts';
import type { ArchiveTarget } from '../targets/target.ts';
import { requireClaim } from '../claim/claim.ts';
import { readOldest } from '../sealing/days/archived-day.ts';
import { findKeys } from '../sealing/keys.ts';
import type { Keyring } from '../signing/keyring.ts';
import { storeExpiredNote } from './expired-note.ts';

export interface ExpiryPorts {
  readonly archive: () => Promise<ArchiveTarget>;
  /** The application's login. */
  readonly pool: SqlPool;
  readonly keyring: Keyring;
}

export interface ExpiryOptions {
  /** Days since a day was sealed, 1 or more. */
  readonly retentionDays: number;
  /** Report, and change nothing. */
  readonly dryRun: boolean;
}

export interface Expired {
  /** `YYYY-MM-DD`, first and last; undefined where none is due. */
  readonly from: string | undefined;
  readonly through: string | undefined;
  readonly days: number;
  /** Of rows' files, as their manifests say. */
  readonly bytes: number;
}

const expireDays = permit('audit.expire', ['platform']);
/** Days in one transaction, in which a hold waits. */
const atOnce = 31;
/** Milliseconds after which a transaction takes no further day: the database ends those that are idle for long. */
const patience = 10_000;

/**
 * Removes the archived rows of a tenant's days whose time is over, the oldest first. Manifest and checkpoint stay, and a
 * signed note says that it was us. The rows in the database stay too.
 * @throws Problem `legal_hold` (409)
 * @throws Error where the archive still protects an object, or its manifest is not the one that was sealed
 */
export function expire({ archive, pool, keyring }: ExpiryPorts) {
  return async (context: TenantContext, { retentionDays, dryRun }: ExpiryOptions): Promise<Expired> => {
    if (dryRun) {
      const days = await context.require(expireDays).read<DueDay>(due(context.tenant, retentionDays, 100_000));
      return summaryOf(days);
    }
    const target = await archive();
    const { key, known } = await findKeys(pool, target, keyring);
    await requireClaim(pool, target, { key, known });
    const batch = async (tx: TenantTransaction): Promise<readonly DueDay[]> => {
      await tx.query(sql`select audit.require_no_hold()`);
      const began = performance.now();
      const done: DueDay[] = [];
      for (const day of await tx.query<DueDay>(due(context.tenant, retentionDays, atOnce))) {
        await requireSealed(target, context.tenant, day);
        await storeExpiredNote(target, key, known, {
          owner: context.tenant,
          day: day.day,
          manifestSha256: day.manifest_sha256.toString('hex'),
        });
        await target.expire(dayPaths(context.tenant, day.day).rows);
        done.push(day);
        if (performance.now() - began > patience) break;
      }
      const { from, through, days } = summaryOf(done);
      if (from === undefined || through === undefined) return done;
      await tx.query(sql`select audit.mark_expired(${through}::date)`);
      tx.record(event('audit.days.expired', { from, through, days }));
      return done;
    };
    const all: DueDay[] = [];
    for (;;) {
      const done = await underNoHold(async () => context.require(expireDays).write(batch));
      if (done.length === 0) return summaryOf(all);
      all.push(...done);
    }
  };
}

interface DueDay extends Row {
  readonly day: string;
  readonly manifest_sha256: Buffer;
  readonly bytes: bigint;
}

/** By when the day was sealed, so that a lock of the archive, which began before, is over. */
const due = (tenant: string, retentionDays: number, limit: number) => sql`
  select day::text as day, manifest_sha256, bytes from audit.sealed_day
  where tenant_id = ${tenant} and sealed_at < clock_timestamp() - make_interval(days => ${retentionDays}::int)
    and day > coalesce((select through from audit.expiry where tenant_id = ${tenant}), '-infinity')
  order by day limit ${limit}`;

const summaryOf = (days: readonly DueDay[]): Expired => ({
  from: days[0]?.day,
  through: days.at(-1)?.day,
  days: days.length,
  bytes: days.reduce((sum, { bytes }) => sum + Number(bytes), 0),
});

/** What is removed must be what was sealed: evidence of a change is not ours to destroy. */
async function requireSealed(target: ArchiveTarget, tenant: string, { day, manifest_sha256 }: DueDay): Promise<void> {
  const path = dayPaths(tenant, day).manifest;
  const stored = await readOldest(target, path);
  if (stored === undefined || manifestSha256(stored.bytes) !== manifest_sha256.toString('hex'))
    throw new Error(
      `${path} is not the manifest that was sealed: nothing of this tenant expires until that is explained.`,
    );
}
