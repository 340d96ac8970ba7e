import { fail, newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import { event } from '../events.ts';
import { accountIds } from '../journal/read-lines.ts';
import { keepBooks, readBooks } from '../permissions.ts';

export interface RuleInput {
  /** Compared without case with a line's text, counterparty and reference. */
  readonly contains: string;
  readonly direction: 'in' | 'out' | 'any';
  /** Code or id. */
  readonly account: string;
}

/** Adds a rule that suggests an account for lines. @throws Problem `not_found` (404) for the account */
export async function addRule(context: TenantContext, input: RuleInput): Promise<RuleInput & { readonly id: string }> {
  return context.require(keepBooks).write(async (tx) => {
    const target = (await accountIds(tx, [input.account])).get(input.account);
    if (target === undefined) throw fail('not_found', 'There is no such account in this tenant.');
    const id = newId();
    await tx.query(sql`
      insert into accounting.bank_rule (tenant_id, rule_id, contains, direction, target_account_id)
      values (${context.tenant}::uuid, ${id}::uuid, ${input.contains}, ${input.direction}, ${target}::uuid)`);
    tx.record(event('accounting.rule.added', { rule_id: id, account_id: target, direction: input.direction }));
    return { ...input, id };
  });
}

export interface Rule {
  readonly id: string;
  readonly contains: string;
  readonly direction: RuleInput['direction'];
  readonly accountCode: string;
}

/** Rules in use, the oldest first. */
export async function listRules(context: TenantContext): Promise<Rule[]> {
  const rows = await context
    .require(readBooks)
    .read<{ rule_id: string; contains: string; direction: RuleInput['direction']; code: string }>(
      sql`
        select r.rule_id, r.contains, r.direction, a.code from accounting.bank_rule r
        join accounting.account a on a.tenant_id = r.tenant_id and a.account_id = r.target_account_id
        where r.tenant_id = ${context.tenant}::uuid and r.archived_at is null order by r.created_at, r.rule_id limit 500`,
    );
  return rows.map(({ rule_id, contains, direction, code }) => ({
    id: rule_id,
    contains,
    direction,
    accountCode: code,
  }));
}

/** Takes a rule out of use. @throws Problem `not_found` (404) */
export async function archiveRule(context: TenantContext, id: string): Promise<void> {
  await context.require(keepBooks).write(async (tx) => {
    const gone = await tx.query(sql`
      update accounting.bank_rule set archived_at = clock_timestamp()
      where tenant_id = ${context.tenant}::uuid and rule_id = ${id}::uuid and archived_at is null returning rule_id`);
    if (gone.length === 0) throw fail('not_found', 'There is no such rule in this tenant.');
    tx.record(event('accounting.rule.archived', { rule_id: id }));
  });
}
