import type { Member } from '@steward/identity';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Outflow, Tool } from '@steward/tools';
import type { Action } from '../actions/action.ts';
import { eligibleFor } from '../actions/eligible.ts';
import type { Deps } from '../deps.ts';
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

/** Of a tool and an agent that calls it. */
interface Whose {
  readonly tool: Tool;
  readonly agentId: string | undefined;
}

/** What a call moves, and what of it leaves. */
interface Moves {
  readonly money: Minor | undefined;
  readonly also: readonly Minor[];
  readonly flows: readonly Outflow[];
  /** Nothing about it needs a person, as far as a rule without a limit goes. */
  readonly routine: boolean;
}

/** A rule, as far as it says what it lets happen; nobody revokes it before the transaction ends that it was held in. */
export interface Rule {
  readonly id: string;
  covers(moves: Moves): boolean;
}

/** Why no standing rule may cover a tool; undefined where one may, also where only a policy has it approved. */
export function whyNone({ approval, tier }: Pick<Tool, 'approval' | 'tier'>): string | undefined {
  if (approval?.appoints !== undefined)
    return 'This command changes rights, so people must decide about each call: no standing rule may cover it.';
  if (approval?.amount !== undefined || approval?.routine !== undefined || tier !== 'approval') return undefined;
  return (
    'This command has no amount that a rule could limit, and says where money, goods or data go, or is final: people ' +
    'must decide about each call, and no standing rule may cover it.'
  );
}

/** Rules that may cover a call, by their own words. Whether they do is asked for again under `lockTool`. */
export async function rulesAbout(tx: TenantTransaction, { tool, agentId }: Whose): Promise<Rule[]> {
  const rules = await tx.query<RuleRow>(sql`
    select * from approvals.standing_rule
    where tenant_id = ${tx.context.tenant} and tool = ${tool.name} and revoked_at is null and valid_until > clock_timestamp()
      and (agent_id is null or agent_id = ${agentId ?? null})`);
  return rules.map(ruleOf);
}

const ruleOf = (rule: RuleRow): Rule => ({
  id: rule.rule_id,
  covers: ({ money, also, flows, routine }) =>
    rule.currency === (money?.currency ?? null) &&
    (rule.most === null
      ? routine
      : money !== undefined &&
        BigInt(rule.most) >= money.minor &&
        also.every((one) => isWorth(rule, one.currency, one.minor, money.minor))) &&
    covers(rule, flows),
});

/**
 * Standing rules with a valid seal that hold for a call, locked until the transaction ends, and only of creators who may still approve. It
 * travels with the locks that come before it.
 * @param likely a rule probably exists, so approvers are read at once
 */
export async function heldRules(
  deps: Deps,
  tx: TenantTransaction,
  { tool, agentId }: Whose,
  likely: boolean,
): Promise<RuleRow[]> {
  const { tenant } = tx.context;
  if (whyNone(tool) !== undefined) return [];
  const eligible = async (): Promise<Member[]> => eligibleFor(deps, { read: tx.query }, tool);
  const [rules, asked] = await Promise.all([
    tx.query<RuleRow>(sql`
      select * from approvals.standing_rule
      where tenant_id = ${tenant} and tool = ${tool.name} and revoked_at is null and valid_until > clock_timestamp()
        and (agent_id is null or agent_id = ${agentId ?? null})
      order by created_at, rule_id for share`),
    likely ? eligible() : undefined,
  ]);
  if (rules.length === 0) return [];
  const creators = new Set((asked ?? (await eligible())).map(({ principal }) => principal.id));
  return rules.filter((rule) => isOurs(deps, tenant, rule) && creators.has(rule.created_by));
}

/**
 * A standing rule that covers an action, among those locked under `lockTool`. It replaces one approval, so it covers nothing that
 * needs two.
 */
export async function ruleFor(
  tx: TenantTransaction,
  held: readonly RuleRow[],
  moves: Moves,
): Promise<Rule | undefined> {
  for (const row of held) {
    const rule = ruleOf(row);
    if (rule.covers(moves) && (await hasRoom(tx, row, moves))) return rule;
  }
  return undefined;
}

const leaves = ({ out, owed }: Outflow): bigint => out + owed;
const inCurrency = (flows: readonly Outflow[], currency: string | null): bigint =>
  flows.reduce((sum, one) => (one.currency === currency ? sum + leaves(one) : sum), 0n);

/**
 * A rule without a limit pays nothing out. One with a limit pays out no more than that in its currency, in the base currency no more than
 * that was worth at the rate when the rule was made, and nothing in any other: the proposer gives the rate, and can store one.
 */
function covers(rule: RuleRow, flows: readonly Outflow[]): boolean {
  const { currency, most } = rule;
  if (flows.length === 0) return true;
  if (most === null) return false;
  const limit = BigInt(most);
  const counted = inCurrency(flows, currency);
  return (
    counted > 0n &&
    counted <= limit &&
    flows.every((one) => one.currency === currency || isWorth(rule, one.currency, leaves(one), counted))
  );
}

/**
 * Whether an amount in another currency is in the base currency, and no more than what is counted was worth in it when the rule was made: in
 * proportion, or many small ones would come to more; one minor unit is what rounding takes.
 */
const isWorth = (
  { most, base_currency, base_most }: RuleRow,
  currency: string,
  minor: bigint,
  counted: bigint,
): boolean => currency === base_currency && (minor - 1n) * BigInt(most ?? 0n) <= counted * BigInt(base_most ?? 0n);

/** What was said to move or what left, whichever is more. */
async function hasRoom(tx: TenantTransaction, rule: RuleRow, { money, flows }: Moves): Promise<boolean> {
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
  deps: Deps,
  tx: TenantTransaction,
  action: Pick<Action, 'ruleId' | 'agentId'>,
  tool: Tool,
  moves: Moves,
): Promise<boolean> {
  const { tenant } = tx.context;
  const [rule] = await tx.query<RuleRow>(sql`
    select * from approvals.standing_rule
    where tenant_id = ${tenant} and rule_id = ${action.ruleId} and revoked_at is null and valid_until > clock_timestamp()
    for share`);
  if (rule === undefined || !isOurs(deps, tenant, rule) || rule.tool !== tool.name) return false;
  if (rule.agent_id !== null && rule.agent_id !== action.agentId) return false;
  if (!ruleOf(rule).covers(moves)) return false;
  const creators = await eligibleFor(deps, { read: tx.query }, tool);
  return creators.some(({ principal }) => principal.id === rule.created_by);
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

/** A rule in force that the same person made of the same words, first of all; under `lockTool` none comes between. */
export async function sameRule(
  deps: Pick<Deps, 'seals'>,
  tx: TenantTransaction,
  wanted: Pick<
    RuleRow,
    | 'tool'
    | 'agent_id'
    | 'currency'
    | 'most'
    | 'daily_most'
    | 'base_currency'
    | 'base_most'
    | 'valid_until'
    | 'created_by'
  >,
): Promise<string | undefined> {
  const { tenant } = tx.context;
  const rows = await tx.query<RuleRow>(sql`
    select * from approvals.standing_rule where tenant_id = ${tenant} and tool = ${wanted.tool} and created_by = ${wanted.created_by}
      and revoked_at is null and valid_until = ${wanted.valid_until.toISOString()}
      and (agent_id, currency, most, daily_most, base_currency, base_most) is not distinct from (${wanted.agent_id}, ${wanted.currency},
        ${wanted.most}::bigint, ${wanted.daily_most}::bigint, ${wanted.base_currency}, ${wanted.base_most}::bigint)
    order by rule_id`);
  return rows.find((row) => isOurs(deps, tenant, row))?.rule_id;
}

const isOurs = ({ seals }: Pick<Deps, 'seals'>, tenant: string, rule: RuleRow): boolean =>
  seals.holds(rule.seal, 'rule', sealedRule(tenant, rule));
