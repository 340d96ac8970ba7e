import { page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { readTenant } from '../permissions.ts';
import { presentGrant, type AgentGrant } from './grant.ts';

/** A page of grants by agent id, which is its cursor. */
export async function listGrants(context: TenantContext, { limit, cursor }: PageRequest): Promise<Page<AgentGrant>> {
  const rows = await context.require(readTenant).read(sql`
    select * from portal.agent_grant where agent_id > ${cursor ?? ''} order by agent_id limit ${limit + 1}::int`);
  return page(rows, limit, presentGrant, ({ agentId }) => agentId);
}
