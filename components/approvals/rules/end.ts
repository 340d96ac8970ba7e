import type { CallerRole } from '@steward/access';
import { sql, type TenantTransaction } from '@steward/sql';
import { mayApprove } from '../actions/eligible.ts';
import type { Deps } from '../deps.ts';
import { event } from '../events.ts';

/**
 * Ends, for good and in the transaction of what took the right away, the standing rules of people who may no longer approve what their rules let
 * happen: whoever comes back makes them anew.
 * @param left the people, with the role that each has from now on; undefined: none
 */
export async function endRules(
  { commands }: Pick<Deps, 'commands'>,
  tx: TenantTransaction,
  left: ReadonlyMap<string, CallerRole | undefined>,
): Promise<void> {
  const { tenant, subject } = tx.context;
  const rules = await tx.query<{ rule_id: string; tool: string; created_by: string }>(sql`
    select rule_id, tool, created_by from approvals.standing_rule
    where tenant_id = ${tenant} and created_by = any (${[...left.keys()]}::text[]) and revoked_at is null and valid_until > clock_timestamp()
    order by rule_id for update`);
  for (const { rule_id, tool: name, created_by } of rules) {
    const [role, tool] = [left.get(created_by), commands.get(name)?.tool];
    if (role !== undefined && tool !== undefined && mayApprove(tool, role)) continue;
    await tx.query(sql`
      update approvals.standing_rule set revoked_at = clock_timestamp(), revoked_by = ${subject.id}
      where tenant_id = ${tenant} and rule_id = ${rule_id}::uuid`);
    tx.record(event('approvals.standing_rule.revoked', { rule_id, tool: name }));
  }
}
