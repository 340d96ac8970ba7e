import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { badCursor, fail } from '@steward/kernel';
import { page, sql, statement } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { account } from './account.ts';

/** Accounts by code. A cursor is the id of an account. @throws Problem `invalid_cursor` (400) */
export const listAccounts = operation(
  {
    ...reads,
    area: 'books',
    name: 'service_list_accounts',
    input: z.strictObject({
      limit: pageLimit,
      cursor: pageCursor(),
      type: account.answer.shape.type.optional().meta({ description: 'Only accounts of this type.' }),
    }),
    answer: pageOf(account.answer),
    errors: ['invalid_cursor'],
  },
  async (scope, { limit, cursor, type }) => {
    const rows = await scope.read(
      statement(
        `select ${account.columns} from accounting.account a
         where a.archived_at is null and ($1::uuid is null
           or a.code > (select code from accounting.account where account_id = $1::uuid)) and ($2::text is null or a.type = $2)
         order by a.code limit $3::int`,
        [cursor, type, limit + 1],
      ),
    );
    if (rows.length === 0 && cursor !== undefined) {
      const [known] = await scope.read(sql`select 1 from accounting.account where account_id = ${cursor}::uuid`);
      if (known === undefined) throw fail('invalid_cursor', `${badCursor}.`);
    }
    return page(rows, limit, account.read, ({ id }) => id);
  },
);
