import { sql, type TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';
import { presentGrant, type AgentGrant } from './grant.ts';

/** A page of grants by agent id; `after` is the last agent id of the page before. */
export async function listGrants(
  context: TenantContext,
  page: { limit: number; after?: string | undefined },
): Promise<{ items: AgentGrant[]; nextCursor: string | null }> {
  const rows = await context.require(readTenant).read(sql`
    select * from portal.agent_grant where agent_id > ${page.after ?? ''} order by agent_id limit ${page.limit + 1}::int`);
  const items = rows.slice(0, page.limit).map(presentGrant);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.agentId ?? null) : null };
}
