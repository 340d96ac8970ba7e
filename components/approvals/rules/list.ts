import { sql, type TenantContext } from '@steward/sql';
import { overseeActions } from '../permissions.ts';
import { presentRule, type StandingRule } from './rule.ts';

/** Newest first, revoked and ended ones too. `after`: id of the last rule of the page before. */
export async function listRules(
  context: TenantContext,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ items: StandingRule[]; nextCursor: string | null }> {
  const rows = await context.require(overseeActions).read(sql`
    select * from approvals.standing_rule
    where tenant_id = ${context.tenant} and (${after ?? null}::uuid is null or rule_id < ${after ?? null}::uuid)
    order by rule_id desc limit ${limit + 1}::int`);
  const items = rows.slice(0, limit).map(presentRule);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
