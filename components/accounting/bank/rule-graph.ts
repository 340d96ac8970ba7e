import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf } from '@steward/graphql/field';
import { fail } from '@steward/kernel';
import { idArgument, textArgument } from '../graph-arguments.ts';
import { addRule, archiveRule, listRules, rule } from './rules.ts';

/** Bank rules in the GraphQL API. */
export const ruleGraph: GraphModule = (builder) => {
  const direction = enumOf(builder, 'BankRuleDirection', rule.answer.shape.direction);
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
      args: {
        contains: t.arg.string({ required: true }),
        direction: t.arg({ type: direction, defaultValue: 'any' }),
        account: t.arg.string({ required: true, description: 'Code or id.' }),
      },
      resolve: async (_root, args, { tenant }) => {
        const contains = (textArgument(args.contains) ?? '').trim();
        if (contains.length < 2 || contains.length > 200)
          throw fail('invalid_request', 'contains must have 2 to 200 characters.');
        const account = textArgument(args.account) ?? '';
        const input = { contains, direction: args.direction ?? 'any', account };
        return (await addRule(tenant, input)).ruleId;
      },
    }),
    archiveBankRule: t.field({
      type: 'ID',
      extensions: doing('service_archive_bank_rule'),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, args, { tenant }) => (await archiveRule(tenant, { ruleId: idArgument(args.id) })).ruleId,
    }),
  }));
};
