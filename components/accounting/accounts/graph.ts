import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf } from '@steward/graphql/field';
import { pageArguments } from '../graph-arguments.ts';
import { pageType } from '../page-type.ts';
import { account } from './account.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

/** The chart of accounts in the GraphQL API. */
export const accountGraph: GraphModule = (builder) => {
  const type = enumOf(builder, 'AccountType', account.answer.shape.type);
  const ref = objectOf(builder, 'Account', account.answer, {
    description: 'An account of the chart of accounts.',
    members: { control: 'What the server itself posts to this account, if anything.', currency: 'ISO 4217.' },
  });
  const page = pageType(builder, 'AccountPage', ref);
  builder.queryFields((t) => ({
    account: t.field({
      extensions: doing('service_get_account'),
      type: ref,
      args: { id: t.arg.id({ required: true, description: 'Code or id of the account.' }) },
      resolve: async (_root, { id }, { tenant }) => getAccount(tenant, { accountId: id }),
    }),
    accounts: t.field({
      extensions: doing('service_list_accounts'),
      type: page,
      description: 'Accounts by code.',
      args: { limit: t.arg.int({ defaultValue: 50 }), cursor: t.arg.string(), type: t.arg({ type }) },
      resolve: async (_root, args, { tenant }) =>
        listAccounts(tenant, { ...pageArguments(args, 'id'), type: args.type ?? undefined }),
    }),
  }));
};
