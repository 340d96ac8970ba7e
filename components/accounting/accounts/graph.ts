import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, objectOf, taking } from '@steward/graphql/field';
import { z } from 'zod';
import { pageType } from '../page-type.ts';
import { account } from './account.ts';
import { getAccount } from './get.ts';
import { listAccounts } from './list.ts';

/** The chart of accounts in the GraphQL API. */
export const accountGraph: GraphModule = (builder) => {
  enumOf(builder, 'AccountType', account.answer.shape.type);
  const ref = objectOf(builder, 'Account', account.answer, {
    description: 'An account of the chart of accounts.',
    members: { control: 'What the server itself posts to this account, if anything.', currency: 'ISO 4217.' },
  });
  const page = pageType(builder, 'AccountPage', ref);
  builder.queryFields((t) => ({
    account: t.field({
      extensions: doing('service_get_account'),
      type: ref,
      ...taking(
        builder,
        z.strictObject({ id: getAccount.input.shape.accountId }),
        async ({ id }, { tenant }) => getAccount(tenant, { accountId: id }),
        {
          members: { id: { type: 'ID', description: 'Code or id of the account.' } },
        },
      ),
    }),
    accounts: t.field({
      extensions: doing('service_list_accounts'),
      type: page,
      description: 'Accounts by code.',
      ...taking(builder, listAccounts.input, async (args, { tenant }) => listAccounts(tenant, args), {
        members: { cursor: { type: 'String' } },
      }),
    }),
  }));
};
