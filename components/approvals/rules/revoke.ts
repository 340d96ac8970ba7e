import { fail } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { decideActions } from '../permissions.ts';
import { presentRule, type StandingRule } from './rule.ts';

/** Ends a rule at once: what it approved and is not yet carried out waits for people. @throws Problem `not_found` (404) */
export async function revokeRule(context: TenantContext, id: string): Promise<StandingRule> {
  return context.require(decideActions).write(async (tx) => {
    const [before] = await tx.query(sql`
      select * from approvals.standing_rule where tenant_id = ${context.tenant} and rule_id = ${id} for update`);
    if (before === undefined) throw fail('not_found', 'There is no such standing rule.');
    if (before['revoked_at'] !== null) return presentRule(before);
    const [row] = await tx.query(sql`
      update approvals.standing_rule set revoked_at = clock_timestamp(), revoked_by = ${context.subject.id}
      where tenant_id = ${context.tenant} and rule_id = ${id} returning *`);
    const revoked = presentRule(row ?? before);
    tx.record(event('approvals.standing_rule.revoked', { rule_id: id, tool: revoked.tool }));
    return revoked;
  });
}
