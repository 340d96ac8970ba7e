import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { page, parseCursor, statement } from '@steward/sql';
import { z } from 'zod';
import { firstDay, lastDay } from '../money/schema.ts';
import { reads } from '../operations.ts';
import { inOrder } from '../periods/span.ts';
import { bankAccount, bankAccountName } from './account.ts';
import { bankLine, lineColumns } from './line.ts';

const form = /^(\d{4}-\d{2}-\d{2})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** Lines of an account's statements by day, the earliest first. @throws Problem `not_found` (404), `account_unusable` (422) for the account */
export const listLines = operation(
  {
    ...reads,
    area: 'bank',
    name: 'service_list_bank_lines',
    input: z.strictObject({
      account: bankAccountName,
      from: firstDay.optional(),
      to: lastDay.optional(),
      unmatched: z.boolean().optional().meta({ description: 'true: only lines with an open amount.' }),
      limit: pageLimit,
      cursor: pageCursor(z.string().max(100)),
    }),
    answer: pageOf(bankLine.answer),
    errors: { not_found: 'account', account_unusable: 'account' },
  },
  async (scope, { account, from, to, unmatched = false, limit, cursor }) => {
    inOrder({ from, to });
    const [day, id] = cursor === undefined ? [] : parseCursor(cursor, form);
    const rows = await scope.read(
      statement(
        `select * from (select ${lineColumns} from accounting.account a
           join accounting.bank_line l on l.tenant_id = a.tenant_id and l.account_id = a.account_id and l.withdrawn_at is null
           where a.tenant_id = $1::uuid and (a.code = $2 or a.account_id::text = lower($2))
             and ($3::date is null or l.day >= $3) and ($4::date is null or l.day <= $4)
             and ($5::date is null or (l.day, l.line_id) > ($5::date, $6::uuid))
           order by l.day, l.line_id) lines
         where not $7::boolean or unmatched <> 0 limit $8::int`,
        [scope.context.tenant, account, from, to, day, id, unmatched, limit + 1],
      ),
    );
    if (rows.length === 0) await bankAccount({ context: scope.context, query: scope.read }, account);
    return page(rows, limit, bankLine.read, (last) => `${last.day}.${last.id}`);
  },
);
