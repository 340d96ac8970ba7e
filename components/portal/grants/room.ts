import { sql, type TenantTransaction } from '@steward/sql';
import { portalFail } from '../errors.ts';

/** Names of agents and clients that a tenant says anything about: what is granted, and what is shut out. */
const most = 1_000;

/** Checks the limit before a new name is granted or shut out, and nobody else in the tenant does so until the transaction ends; a name that connected can always be shut out. @throws Problem `grant_limit` (409) */
export async function requireRoom(tx: TenantTransaction): Promise<void> {
  const [, [row]] = (await tx.queryAll([
    sql`select pg_advisory_xact_lock(hashtextextended(${`portal.agent_grant ${tx.context.tenant}`}, 0))`,
    sql`select count(*)::int as count from portal.agent_grant`,
  ])) as [unknown, { count: number }[]];
  if ((row?.count ?? 0) >= most)
    throw portalFail(
      'grant_limit',
      `The tenant has ${most} grants and shut-out names, the most allowed. Reuse one of them, or set agentsNeedGrant in ` +
        'the tool policy, which keeps out agents without a grant.',
    );
}
