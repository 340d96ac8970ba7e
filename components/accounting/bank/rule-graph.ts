import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { addRule, archiveRule, listRules, rule } from './rules.ts';

/** Bank rules in the GraphQL API. */
export const ruleGraph: GraphModule = (builder) => {
  enumOf(builder, 'BankRuleDirection', rule.answer.shape.direction);
  const type = objectOf(builder, 'BankRule', rule.answer, {
    description: 'Suggests an account for bank lines whose text contains some words.',
    without: ['ruleId'],
    fields: (t) => ({ id: t.exposeID('ruleId') }),
  });
  builder.queryFields((t) => ({
    bankRules: t.field({
      extensions: doing('service_list_bank_rules'),
      type: [type],
      description: 'Rules in use, the oldest first.',
      resolve: async (_root, _args, { tenant }) => listRules(tenant, {}),
    }),
  }));
  builder.mutationFields((t) => ({
    addBankRule: t.field({
      type: 'ID',
      extensions: doing('service_add_bank_rule'),
      description: 'Answers the id of the rule.',
      ...taking(builder, addRule.input, async (args, { tenant }) => (await addRule(tenant, args)).ruleId, {
        members: { account: 'Code or id.' },
      }),
    }),
    archiveBankRule: t.field({
      type: 'ID',
      extensions: doing('service_archive_bank_rule'),
      ...taking(
        builder,
        z.strictObject({ id: archiveRule.input.shape.ruleId }),
        async ({ id }, { tenant }) => (await archiveRule(tenant, { ruleId: id })).ruleId,
      ),
    }),
  }));
};
