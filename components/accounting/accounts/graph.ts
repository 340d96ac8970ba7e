import type { GraphModule } from '@steward/graphql';
import { doing } from '@steward/graphql/field';
import { pageArguments } from '../graph-arguments.ts';
import { accountTypes } from '../books/template.ts';
import { pageType } from '../page-type.ts';
import type { Account } from './account.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

/** The chart of accounts in the GraphQL API. */
export const accountGraph: GraphModule = (builder) => {
  const type = builder.enumType('AccountType', { values: accountTypes });
  const account = builder.objectRef<Account>('Account').implement({
    description: 'An account of the chart of accounts.',
    fields: (t) => ({
      id: t.exposeID('id'),
      code: t.exposeString('code'),
      name: t.exposeString('name'),
      type: t.expose('type', { type }),
      control: t.exposeString('control', { nullable: true, description: 'What the platform itself posts to here.' }),
      currency: t.exposeString('currency', { description: 'ISO 4217.' }),
    }),
  });
  const page = pageType(builder, 'AccountPage', account);
  builder.queryFields((t) => ({
    account: t.field({
      extensions: doing('service_get_account'),
      type: account,
      args: { id: t.arg.id({ required: true, description: 'Its code or id.' }) },
      resolve: async (_root, { id }, { tenant }) => getAccount(tenant, id),
    }),
    accounts: t.field({
      extensions: doing('service_list_accounts'),
      type: page,
      description: 'Accounts by code.',
      args: { limit: t.arg.int({ defaultValue: 50 }), cursor: t.arg.string(), type: t.arg({ type }) },
      resolve: async (_root, args, { tenant }) => listAccounts(tenant, args, pageArguments(args, 'id')),
    }),
  }));
};
