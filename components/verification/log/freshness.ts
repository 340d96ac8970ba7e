import type pg from 'pg';
import type { SourceFinding } from './finding.ts';

/** How far sealing is behind. */
export interface Freshness {
  /** The UTC day, by the database's clock. */
  readonly today: string;
  /** Nothing is sealed yet at all. */
  readonly nothingSealed: boolean;
  /** Days that are over and not sealed, of the tenant that is furthest behind. */
  readonly unsealedDays: number;
  /** When the last verification that found nothing ended; undefined where there was none. */
  readonly lastVerifiedAt: string | undefined;
  readonly findings: readonly SourceFinding[];
}

/** If more tenants are behind, one sentence reports them. */
const mostNamed = 20;

/** In one statement each: how long ago every tenant's last day was sealed, and the last verification. */
export async function readFreshness(
  client: pg.Client,
  tenant: string | undefined,
  freshWithinDays: number,
): Promise<Freshness> {
  const { rows } = await client.query<{
    tenant: string;
    first: string;
    through: string;
    behind: number;
    total: number;
  }>(
    `select tenant_id as tenant, to_char(through + 1, 'YYYY-MM-DD') as first, to_char(now()::date - 1, 'YYYY-MM-DD') as through,
       (now()::date - 1 - through)::int as behind, (count(*) over ())::int as total
     from (
       select h.tenant_id, coalesce((select max(s.day) from audit.sealed_day s where s.tenant_id = h.tenant_id),
         (select e.received_at::date - 1 from audit.event e where e.tenant_id = h.tenant_id order by e.sequence limit 1)) as through
       from audit.head h where $1::uuid is null or h.tenant_id = $1) standing
     where now()::date - 1 - through > 0 order by behind desc, tenant_id limit ${mostNamed}`,
    [tenant ?? null],
  );
  const last = await client.query<{ sealed: boolean; at: string | null; today: string }>(
    `select to_char(now(), 'YYYY-MM-DD') as today, exists (select from audit.sealed_day) or exists (select from audit.platform_day) as sealed,
       (select to_char(max(at), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from audit.verification
         where ok and kind = 'log' and at <= clock_timestamp()) as at`,
  );
  const stale = rows.filter(({ behind }) => behind > freshWithinDays);
  const more = (rows[0]?.total ?? 0) - rows.length;
  return {
    today: last.rows[0]?.today ?? '',
    nothingSealed: last.rows[0]?.sealed !== true,
    unsealedDays: rows[0]?.behind ?? 0,
    lastVerifiedAt: last.rows[0]?.at ?? undefined,
    findings: stale.map((one, index) => ({
      tenant: one.tenant,
      kind: 'stale',
      sequence: 0,
      day: one.first,
      detail:
        `${one.behind} days are over and not sealed, up to ${one.through}` +
        (more > 0 && index === stale.length - 1 ? `, and ${more} more tenants are behind` : ''),
    })),
  };
}
