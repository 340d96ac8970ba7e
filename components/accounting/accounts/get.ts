import { operation } from '@steward/access';
import { fail, isId } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { isStorable } from '../text.ts';
import { account } from './account.ts';

/** @throws Problem `not_found` (404), for another tenant's account too */
export const getAccount = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_get_account',
    input: z.strictObject({
      accountId: z.string().min(1).max(40).meta({ description: 'Code or id, from service_list_accounts.' }),
    }),
    answer: account.answer,
    errors: ['not_found'],
  },
  async (scope, { accountId }) => {
    const [id, code] = isId(accountId) ? [accountId, null] : [null, isStorable(accountId) ? accountId : null];
    const [row] = await scope.read(
      statement(
        `select ${account.columns} from accounting.account a
         where a.tenant_id = $1::uuid and (a.account_id = $2::uuid or a.code = $3::text)`,
        [scope.context.tenant, id, code],
      ),
    );
    if (row === undefined)
      throw fail('not_found', 'There is no such account in this tenant: list the accounts for their codes and ids.');
    return account.read(row);
  },
);
