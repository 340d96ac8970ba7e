import type { Caller } from '@steward/access';
import { openTenant } from '@steward/identity';
import type { Log } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

/** Names kept of a tenant: the newest. Any member can come by any name. */
const most = 1_000;

/** Notes under way at once; one that is left out is made when the client comes again. */
const mostUnderWay = 100;

/** Which clients and agents came to a tenant. */
export interface Seen {
  /** Beside what the client came for: that neither waits for the note, nor fails with it. */
  note(caller: Caller, tenant: string, agentId: string): void;
  /** Until what came before, to this process, is noted. */
  settled(): Promise<void>;
}

export function createSeen(pool: SqlPool, log: Log): Seen {
  const underWay = new Set<Promise<void>>();
  const write = async (caller: Caller, tenant: string, agentId: string): Promise<void> => {
    await pool.queryAll([
      openTenant(tenant, caller.subject),
      // Two that came at once would each keep the other's.
      sql`select pg_advisory_xact_lock(hashtextextended(${`portal.client_seen ${tenant}`}, 0))`,
      sql`insert into portal.client_seen (tenant_id, agent_id) values (${tenant}::uuid, ${agentId}) on conflict do nothing`,
      sql`delete from portal.client_seen where tenant_id = ${tenant}::uuid and agent_id in (
        select agent_id from portal.client_seen where tenant_id = ${tenant}::uuid order by first_seen_at desc, agent_id offset ${most}::int)`,
    ]);
  };
  return {
    note: (caller, tenant, agentId) => {
      if (underWay.size >= mostUnderWay) return;
      const noted: Promise<void> = write(caller, tenant, agentId)
        .catch((error: unknown) => log.warn({ err: error, tenant }, 'that a client came was not noted'))
        .finally(() => void underWay.delete(noted));
      underWay.add(noted);
    },
    settled: async () => void (await Promise.all(underWay)),
  };
}
