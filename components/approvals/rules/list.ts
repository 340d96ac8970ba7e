import { afterAllIds, page, type Page, type PageRequest, sql, type TenantContext } from '@steward/sql';
import { overseeActions } from '../permissions.ts';
import { presentRule, type StandingRule } from './rule.ts';

/** Newest first, revoked and ended ones too. */
export async function listRules(context: TenantContext, { limit, cursor }: PageRequest): Promise<Page<StandingRule>> {
  const rows = await context.require(overseeActions).read(sql`
    select * from approvals.standing_rule
    where tenant_id = ${context.tenant} and rule_id < ${cursor ?? afterAllIds}::uuid
    order by rule_id desc limit ${limit + 1}::int`);
  return page(rows, limit, presentRule, ({ id }) => id);
}
