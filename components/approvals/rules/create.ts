import { fail, newId, type Problem } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import type { Money } from '@steward/tools';
import { mayApprove } from '../actions/eligible.ts';
import { event } from '../events.ts';
import type { Ground } from '../ground.ts';
import { decideActions } from '../permissions.ts';
import { minorOf } from '../policy/money.ts';
import { sealedRule } from './match.ts';
import { presentRule, type StandingRule } from './rule.ts';

export interface NewRule {
  readonly tool: string;
  /** This agent alone; any where it is not given. */
  readonly agentId?: string | undefined;
  /**
   * Of one action; required where the tool names amounts. Where it is not in the base currency, what leaves may come to no more there
   * than it is worth now by the rate of the books, and a twentieth; without such a rate the rule lets nothing out.
   */
  readonly upTo?: Money | undefined;
  /** Of all that the rule approves on one UTC day, in the same currency. */
  readonly upToDaily?: Money | undefined;
  /** RFC 3339; in the future, 31 days at most. */
  readonly validUntil: string;
}

const longest = 31 * 86_400_000;

/** Rates move while a rule holds: a twentieth. */
const withDrift = (minor: bigint): bigint => (minor * 21n + 19n) / 20n;

/** @throws Problem `invalid_request` (400) with a pointer, `insufficient_role` (403) */
export async function createRule(ground: Ground, context: TenantContext, rule: NewRule): Promise<StandingRule> {
  const tool = ground.commands.get(rule.tool)?.tool;
  if (tool === undefined) throw invalid('/tool', 'There is no such command.');
  if (tool.approval?.appoints !== undefined)
    throw invalid('/tool', 'It changes who may do what, so people decide about it each time.');
  const until = Date.parse(rule.validUntil);
  if (!(until > ground.clock()) || until > ground.clock() + longest)
    throw invalid('/validUntil', 'Give a time in the future, at most 31 days from now.');
  const most = rule.upTo === undefined ? undefined : minorOf(rule.upTo);
  const daily = rule.upToDaily === undefined ? undefined : minorOf(rule.upToDaily);
  if ((tool.approval?.amount !== undefined) !== (most !== undefined))
    throw invalid('/upTo', most === undefined ? 'The tool moves amounts: give a limit.' : 'The tool names no amounts.');
  if (daily !== undefined && daily.currency !== most?.currency)
    throw invalid('/upToDaily', 'Give it in the currency of upTo.');
  return context.require(decideActions).write(async (tx) => {
    if (!mayApprove(tool, tx.role))
      throw fail('insufficient_role', `The role ${tx.role} may not approve ${tool.name}, so no rule of it may either.`);
    const worth = most === undefined ? undefined : await ground.worth(tx, most);
    const written = {
      rule_id: newId(),
      tool: tool.name,
      agent_id: rule.agentId ?? null,
      currency: most?.currency ?? null,
      most: most?.minor ?? null,
      daily_most: daily?.minor ?? null,
      base_currency: worth?.currency ?? null,
      base_most: worth === undefined ? null : withDrift(worth.minor),
      valid_until: new Date(until),
      created_by: context.subject.id,
    };
    const seal = ground.seals.of('rule', sealedRule(context.tenant, written));
    const [row] = await tx.query(sql`
      insert into approvals.standing_rule (tenant_id, rule_id, tool, agent_id, currency, most, daily_most, base_currency, base_most,
        valid_until, created_by, seal)
      values (${context.tenant}, ${written.rule_id}, ${written.tool}, ${written.agent_id}, ${written.currency}, ${written.most},
        ${written.daily_most}, ${written.base_currency}, ${written.base_most}, ${written.valid_until.toISOString()}, ${written.created_by}, ${seal}) returning *`);
    const made = presentRule(row ?? {});
    tx.record(
      event('approvals.standing_rule.created', {
        rule_id: made.id,
        tool: made.tool,
        agent_id: made.agentId,
        currency: most?.currency ?? null,
        most: rule.upTo?.amount ?? null,
        daily_most: rule.upToDaily?.amount ?? null,
        valid_until: made.validUntil,
      }),
    );
    return made;
  });
}

const invalid = (pointer: string, detail: string): Problem =>
  fail('invalid_request', `The body is not valid: ${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'invalid', detail }],
  });
