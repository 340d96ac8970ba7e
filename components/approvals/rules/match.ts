import { sql, type TenantTransaction } from '@steward/sql';
import type { Outflow, Tool } from '@steward/tools';
import type { Action } from '../actions/action.ts';
import { eligibleFor } from '../actions/eligible.ts';
import type { Ground } from '../ground.ts';
import type { Minor } from '../policy/money.ts';

interface RuleRow extends Record<string, unknown> {
  readonly rule_id: string;
  readonly created_by: string;
  readonly currency: string | null;
  readonly most: bigint | null;
  readonly daily_most: bigint | null;
  /** What `most` may come to in the base currency, where that is another. */
  readonly base_currency: string | null;
  readonly base_most: bigint | null;
  readonly tool: string;
  readonly agent_id: string | null;
  readonly valid_until: Date;
  readonly seal: string;
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
    select * from approvals.standing_rule
    where tenant_id = ${tenant} and tool = ${tool.name} and revoked_at is null and valid_until > clock_timestamp()
      and (agent_id is null or agent_id = ${agentId ?? null}) and currency is not distinct from ${money?.currency ?? null}
      and (most is null or most >= ${money?.minor ?? null}::bigint)
    order by created_at, rule_id for share`);
  if (rules.length === 0) return undefined;
  const creators = new Set((await eligibleFor(ground, { read: tx.query }, tool)).map(({ principal }) => principal.id));
  for (const rule of rules) {
    if (
      isOurs(ground, tenant, rule) &&
      creators.has(rule.created_by) &&
      covers(rule, flows) &&
      (await hasRoom(tx, rule, money, flows))
    )
      return { id: rule.rule_id };
  }
  return undefined;
}

const leaves = ({ out, owed }: Outflow): bigint => out + owed;
const inCurrency = (flows: readonly Outflow[], currency: string | null): bigint =>
  flows.reduce((sum, one) => (one.currency === currency ? sum + leaves(one) : sum), 0n);

/**
 * A rule without a limit lets nothing out. One with a limit lets out no more than that in its currency, in the base currency no more than
 * that is worth by the rate when the rule was made, and in no other: whoever asks names the rate, and can store one.
 */
function covers({ currency, most, base_currency, base_most }: RuleRow, flows: readonly Outflow[]): boolean {
  if (flows.length === 0) return true;
  if (most === null) return false;
  const limit = BigInt(most);
  const counted = inCurrency(flows, currency);
  return (
    counted > 0n &&
    counted <= limit &&
    flows.every(
      (one) =>
        one.currency === currency ||
        // In proportion, or many small ones would come to more; one minor unit is what rounding takes.
        (one.currency === base_currency && (leaves(one) - 1n) * limit <= counted * BigInt(base_most ?? 0n)),
    )
  );
}

/** What was said to move or what left, whichever is more. */
async function hasRoom(
  tx: TenantTransaction,
  rule: RuleRow,
  money: Minor | undefined,
  flows: readonly Outflow[],
): Promise<boolean> {
  if (rule.daily_most === null || money === undefined) return true;
  const [row] = await tx.query<{ sum: string }>(sql`
    select coalesce(sum(greatest(a.amount, o.taken + o.owed)), 0)::text as sum
    from approvals.action a
    left join approvals.outflow o on o.tenant_id = a.tenant_id and o.outflow_id = a.action_id and o.currency = ${rule.currency}
    where a.tenant_id = ${tx.context.tenant} and a.rule_id = ${rule.rule_id} and a.state in ('approved', 'executed')
      and a.requested_at >= date_trunc('day', clock_timestamp(), 'UTC')`);
  const counted = inCurrency(flows, rule.currency);
  return BigInt(row?.sum ?? 0) + (counted > money.minor ? counted : money.minor) <= BigInt(rule.daily_most);
}

/**
 * Whether the rule that let an action happen still holds at the moment of carrying out, for what it turned out to take; it cannot be
 * revoked before this transaction ends.
 */
export async function ruleHolds(
  ground: Ground,
  tx: TenantTransaction,
  action: Pick<Action, 'ruleId' | 'agentId'>,
  tool: Tool,
  { money, flows }: { readonly money: Minor | undefined; readonly flows: readonly Outflow[] },
): Promise<boolean> {
  const { tenant } = tx.context;
  const [rule] = await tx.query<RuleRow>(sql`
    select * from approvals.standing_rule
    where tenant_id = ${tenant} and rule_id = ${action.ruleId} and revoked_at is null and valid_until > clock_timestamp()
    for share`);
  if (rule === undefined || !isOurs(ground, tenant, rule) || rule.tool !== tool.name) return false;
  if (rule.agent_id !== null && rule.agent_id !== action.agentId) return false;
  if (rule.currency !== (money?.currency ?? null) || (rule.most !== null && BigInt(rule.most) < (money?.minor ?? 0n)))
    return false;
  const creators = await eligibleFor(ground, { read: tx.query }, tool);
  return covers(rule, flows) && creators.some(({ principal }) => principal.id === rule.created_by);
}

/** What of a rule decides, for its seal. Times in milliseconds. */
export const sealedRule = (
  tenant: string,
  rule: Pick<RuleRow, 'rule_id' | 'tool' | 'agent_id' | 'currency' | 'created_by'> & {
    readonly most: bigint | string | null;
    readonly daily_most: bigint | string | null;
    readonly base_currency: string | null;
    readonly base_most: bigint | string | null;
    readonly valid_until: Date;
  },
): readonly unknown[] => [
  tenant,
  rule.rule_id,
  rule.tool,
  rule.agent_id,
  rule.currency,
  rule.most === null ? null : String(rule.most),
  rule.daily_most === null ? null : String(rule.daily_most),
  rule.valid_until.getTime(),
  rule.created_by,
  ...(rule.base_currency === null ? [] : [rule.base_currency, String(rule.base_most)]),
];

const isOurs = ({ seals }: Pick<Ground, 'seals'>, tenant: string, rule: RuleRow): boolean =>
  seals.holds(rule.seal, 'rule', sealedRule(tenant, rule));
