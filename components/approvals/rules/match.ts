import { sql, type TenantTransaction } from '@steward/sql';
import type { Outflow, Tool } from '@steward/tools';
import { eligibleFor } from '../actions/eligible.ts';
import type { Ground } from '../ground.ts';
import type { Minor } from '../policy/money.ts';

interface RuleRow extends Record<string, unknown> {
  readonly rule_id: string;
  readonly created_by: string;
  readonly currency: string | null;
  readonly most: bigint | null;
  readonly daily_most: bigint | null;
}

/**
 * A standing rule that covers an action, under `lockTool`. It stands in for one approval, so it covers nothing that needs
 * two; and only while whoever created it may still approve themselves.
 */
export async function ruleFor(
  ground: Ground,
  tx: TenantTransaction,
  {
    tool,
    money,
    flows,
    agentId,
  }: { tool: Tool; money: Minor | undefined; flows: readonly Outflow[]; agentId: string | undefined },
): Promise<{ id: string } | undefined> {
  const { tenant } = tx.context;
  if (tool.approval?.appoints !== undefined) return undefined;
  const rules = await tx.query<RuleRow>(sql`
    select rule_id, created_by, currency, most, daily_most from approvals.standing_rule
    where tenant_id = ${tenant} and tool = ${tool.name} and revoked_at is null and valid_until > clock_timestamp()
      and (agent_id is null or agent_id = ${agentId ?? null}) and currency is not distinct from ${money?.currency ?? null}
      and (most is null or most >= ${money?.minor ?? null}::bigint)
    order by created_at, rule_id for share`);
  if (rules.length === 0) return undefined;
  const creators = new Set((await eligibleFor(ground, { read: tx.query }, tool)).map(({ principal }) => principal.id));
  for (const rule of rules) {
    if (creators.has(rule.created_by) && covers(rule, flows) && (await hasRoom(tx, rule, money)))
      return { id: rule.rule_id };
  }
  return undefined;
}

/** A rule without a limit lets nothing out, and one with a limit no more than that in its currency. */
const covers = ({ currency, most }: RuleRow, flows: readonly Outflow[]): boolean =>
  flows.length === 0 ||
  (most !== null &&
    flows.some((one) => one.currency === currency) &&
    flows.every((one) => one.currency !== currency || one.out + one.owed <= BigInt(most)));

async function hasRoom(tx: TenantTransaction, rule: RuleRow, money: Minor | undefined): Promise<boolean> {
  if (rule.daily_most === null || money === undefined) return true;
  const [row] = await tx.query<{ sum: string }>(sql`
    select coalesce(sum(amount), 0)::text as sum from approvals.action
    where tenant_id = ${tx.context.tenant} and rule_id = ${rule.rule_id} and state in ('approved', 'executed')
      and requested_at >= date_trunc('day', clock_timestamp(), 'UTC')`);
  return BigInt(row?.sum ?? 0) + money.minor <= BigInt(rule.daily_most);
}

/** Whether a rule still holds at the moment of carrying out; it cannot be revoked before this transaction ends. */
export async function ruleHolds(ground: Ground, tx: TenantTransaction, id: string, tool: Tool): Promise<boolean> {
  const [row] = await tx.query<{ created_by: string }>(sql`
    select created_by from approvals.standing_rule
    where tenant_id = ${tx.context.tenant} and rule_id = ${id} and revoked_at is null and valid_until > clock_timestamp()
    for share`);
  if (row === undefined) return false;
  return (await eligibleFor(ground, { read: tx.query }, tool)).some(({ principal }) => principal.id === row.created_by);
}
