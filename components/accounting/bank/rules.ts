import { asItWas, operation } from '@steward/access';
import { id, oneOf, shape, text } from '@steward/contract';
import { fail, newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { accountIds } from '../journal/read-lines.ts';
import { reads, writes } from '../operations.ts';

const directions = ['in', 'out', 'any'] as const;

/** Sends lines to an account: of `accounting.bank_rule` named `r`, joined with its account `a`. */
export const rule = shape('r', {
  ruleId: id(),
  /** Compared without case with a line's text, counterparty and reference. */
  contains: text(),
  direction: oneOf(directions),
  accountCode: text('a.code'),
});

const added = z.object({
  contains: z
    .string()
    .trim()
    .min(2)
    .max(200)
    .meta({ description: 'Words to look for in text, counterparty and reference, in any case.' }),
  direction: rule.answer.shape.direction
    .default('any')
    .meta({ description: 'in: only incoming amounts; out: only outgoing ones.' }),
  account: z.string().min(1).max(40).meta({ description: 'Code or id of the account to suggest.' }),
});

/** Adds a rule that suggests an account for lines; one that says the same already is the rule. @throws Problem `not_found` (404) for the account */
export const addRule = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_add_bank_rule',
    input: z.strictObject(added.shape),
    answer: added.extend({ ruleId: z.uuid() }),
    errors: { not_found: 'account' },
  },
  async (scope, input) =>
    scope.write(async (tx) => {
      const { contains, direction, account } = input;
      const target = (await accountIds(tx, [account])).get(account);
      if (target === undefined)
        throw fail('not_found', 'There is no such account in this tenant: list the accounts for their codes and ids.');
      const [same] = await tx.query<{ rule_id: string }>(sql`
        select rule_id from accounting.bank_rule where tenant_id = ${tx.context.tenant}::uuid and lower(contains) = lower(${contains})
          and direction = ${direction} and target_account_id = ${target}::uuid and archived_at is null order by rule_id limit 1`);
      if (same !== undefined) return asItWas({ ...input, ruleId: same.rule_id });
      const ruleId = newId();
      await tx.query(sql`
        insert into accounting.bank_rule (tenant_id, rule_id, contains, direction, target_account_id)
        values (${tx.context.tenant}::uuid, ${ruleId}::uuid, ${contains}, ${direction}, ${target}::uuid)`);
      tx.record(event('accounting.rule.added', { rule_id: ruleId, account_id: target, direction }));
      return { ...input, ruleId };
    }),
);

/** Rules in use, the oldest first. */
export const listRules = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_list_bank_rules',
    input: z.strictObject({}),
    answer: z.array(rule.answer),
  },
  async (scope) => {
    const rows = await scope.read(
      statement(
        `select ${rule.columns} from accounting.bank_rule r
         join accounting.account a on a.tenant_id = r.tenant_id and a.account_id = r.target_account_id
         where r.tenant_id = $1::uuid and r.archived_at is null order by r.created_at, r.rule_id limit 500`,
        [scope.context.tenant],
      ),
    );
    return rows.map(rule.read);
  },
);

/** Takes a rule out of use. Archived already is success. @throws Problem `not_found` (404) */
export const archiveRule = operation(
  {
    ...writes,
    area: 'bank',
    name: 'service_archive_bank_rule',
    input: z.strictObject({ ruleId: z.uuid().meta({ description: 'From service_list_bank_rules.' }) }),
    answer: rule.answer,
    errors: ['not_found'],
  },
  async (scope, { ruleId }) =>
    scope.write(async (tx) => {
      const [row] = await tx.query(
        statement(
          `select ${rule.columns}, r.archived_at is null as used from accounting.bank_rule r
           join accounting.account a on a.tenant_id = r.tenant_id and a.account_id = r.target_account_id
           where r.tenant_id = $1::uuid and r.rule_id = $2::uuid for update of r`,
          [tx.context.tenant, ruleId],
        ),
      );
      if (row === undefined)
        throw fail('not_found', 'There is no such rule in this tenant: list the rules for their ids.');
      const found = rule.read(row);
      if (row['used'] !== true) return asItWas(found);
      await tx.query(sql`
        update accounting.bank_rule set archived_at = clock_timestamp()
        where tenant_id = ${tx.context.tenant}::uuid and rule_id = ${ruleId}::uuid`);
      tx.record(event('accounting.rule.archived', { rule_id: ruleId }));
      return found;
    }),
);
