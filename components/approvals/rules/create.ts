import { asItWas, operation } from '@steward/access';
import type { Of } from '@steward/contract';
import { principalId } from '@steward/identity';
import { fail, newId, type Problem } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { mayApprove } from '../actions/eligible.ts';
import { event } from '../events.ts';
import type { Deps } from '../deps.ts';
import { decides, deciding } from '../operations.ts';
import { minorOf, money } from '../policy/money.ts';
import { lockTool } from '../policy/evaluate.ts';
import { noCommand } from '../policy/no-command.ts';
import { sameRule, sealedRule, whyNone } from './match.ts';
import { rule } from './rule.ts';

const newRule = z.strictObject({
  tool: z.string().max(64),
  /** This agent alone; any where it is not given. */
  agentId: principalId.optional(),
  /**
   * Of one action; required where the tool names amounts. Where it is not in the base currency, what leaves may come to no more there
   * than it is worth now by the rate of the books, and a twentieth; without such a rate the rule lets nothing out.
   */
  upTo: money.optional(),
  /** Of all that the rule approves on one UTC day, in the same currency. */
  upToDaily: money.optional(),
  /** RFC 3339; in the future, 31 days at most. */
  validUntil: z.iso.datetime({ offset: true }),
});

const longest = 31 * 86_400_000;

/** Rates move while a rule holds: a twentieth. */
const withDrift = (minor: bigint): bigint => (minor * 21n + 19n) / 20n;

/**
 * One that says the same already is the rule.
 * @throws Problem `invalid_request` (400) with a pointer, `insufficient_role` (403), and what deciding throws
 */
export const createRule = operation(
  { ...decides, input: newRule, answer: rule.answer, errors: deciding },
  async (scope, given, deps: Deps) => {
    deps.decider.requireFor(scope.context);
    const tool = deps.commands.get(given.tool)?.tool;
    if (tool === undefined) throw invalid('/tool', noCommand(given.tool, deps), 'unknown_tool');
    const none = whyNone(tool);
    if (none !== undefined) throw invalid('/tool', none);
    const until = Date.parse(given.validUntil);
    if (!(until > deps.clock()) || until > deps.clock() + longest)
      throw invalid('/validUntil', 'Give a time in the future, at most 31 days from now.');
    const most = given.upTo === undefined ? undefined : minorOf(given.upTo);
    const daily = given.upToDaily === undefined ? undefined : minorOf(given.upToDaily);
    if ((tool.approval?.amount !== undefined) !== (most !== undefined))
      throw invalid(
        '/upTo',
        most === undefined ? 'The tool can move money: give a limit.' : 'The tool moves no money: leave the limit out.',
      );
    if (daily !== undefined && daily.currency !== most?.currency)
      throw invalid('/upToDaily', 'Give the amount in the currency of upTo.');
    return scope.write(async (tx) => {
      const { tenant, subject } = tx.context;
      if (!mayApprove(tool, tx.role))
        throw fail(
          'insufficient_role',
          `The role ${tx.role} may not approve ${tool.name}, so it cannot create a standing rule for it.`,
        );
      const worth = most === undefined ? undefined : await deps.worth(tx, most);
      const terms = {
        tool: tool.name,
        agent_id: given.agentId ?? null,
        currency: most?.currency ?? null,
        most: most?.minor ?? null,
        daily_most: daily?.minor ?? null,
        base_currency: worth?.currency ?? null,
        base_most: worth === undefined ? null : withDrift(worth.minor),
        valid_until: new Date(until),
        created_by: subject.id,
      };
      await lockTool(tx, tool.name);
      const same = await sameRule(deps, tx, terms);
      if (same !== undefined) return asItWas(await ruleIn(tx, same));
      const written = { rule_id: newId(), ...terms };
      const seal = deps.seals.of('rule', sealedRule(tenant, written));
      const [row = {}] = await tx.query(
        statement(
          `insert into approvals.standing_rule as r (tenant_id, rule_id, tool, agent_id, currency, most, daily_most, base_currency, base_most,
        valid_until, created_by, seal)
      values ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${rule.columns}`,
          [
            tenant,
            written.rule_id,
            written.tool,
            written.agent_id,
            written.currency,
            written.most,
            written.daily_most,
            written.base_currency,
            written.base_most,
            written.valid_until.toISOString(),
            written.created_by,
            seal,
          ],
        ),
      );
      const made = rule.read(row);
      tx.record(
        event('approvals.standing_rule.created', {
          rule_id: made.id,
          tool: made.tool,
          agent_id: made.agentId,
          currency: most?.currency ?? null,
          most: given.upTo?.amount ?? null,
          daily_most: given.upToDaily?.amount ?? null,
          valid_until: made.validUntil,
        }),
      );
      return made;
    });
  },
);

async function ruleIn(tx: TenantTransaction, id: string): Promise<Of<typeof rule>> {
  const [row = {}] = await tx.query(
    statement(
      `select ${rule.columns} from approvals.standing_rule r where tenant_id = $1::uuid and rule_id = $2::uuid`,
      [tx.context.tenant, id],
    ),
  );
  return rule.read(row);
}

const invalid = (pointer: string, detail: string, code = 'invalid'): Problem =>
  fail('invalid_request', `The body is not valid: ${pointer}: ${detail}`, {
    errors: [{ pointer, code, detail }],
  });
