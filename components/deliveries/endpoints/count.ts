import { sql, type TenantContext } from '@steward/sql';
import { readWebhooks } from '../permissions.ts';

/** How many webhooks of its own a tenant has, those that do not send included. */
export async function countWebhooks(context: TenantContext): Promise<number> {
  const [row] = await context.require(readWebhooks).read<{ made: number }>(sql`
    select count(*)::int as made from deliveries.endpoint where tenant_id = ${context.tenant}::uuid and agent_id is null`);
  return row?.made ?? 0;
}
