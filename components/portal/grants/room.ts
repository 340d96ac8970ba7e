import { sql, type TenantTransaction } from '@steward/sql';
import { portalFail } from '../errors.ts';

/** Names of agents and clients that a tenant says anything about: what is granted, and what is shut out. */
const most = 1_000;

/** Checks the limit before a new name is granted or shut out; a name that connected can always be shut out. @throws Problem `grant_limit` (409) */
export async function requireRoom(tx: TenantTransaction): Promise<void> {
  const [row] = await tx.query<{ count: number }>(sql`select count(*)::int as count from portal.agent_grant`);
  if ((row?.count ?? 0) >= most)
    throw portalFail(
      'grant_limit',
      `The tenant has ${most} grants and shut-out names, the most allowed. Reuse one of them, or set agentsNeedGrant in ` +
        'the tool policy, which keeps out agents without a grant.',
    );
}
