import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { afterAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { oversees } from '../operations.ts';
import { rule } from './rule.ts';

/** Newest first, revoked and ended ones too. */
export const listRules = operation(
  {
    ...oversees,
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor() }),
    answer: pageOf(rule.answer),
    errors: ['insufficient_role'],
  },
  async (scope, { limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${rule.columns} from approvals.standing_rule r
         where tenant_id = $1::uuid and rule_id < $2::uuid order by rule_id desc limit $3::int`,
        [scope.context.tenant, cursor ?? afterAllIds, limit + 1],
      ),
    );
    return page(rows, limit, rule.read, ({ id }) => id);
  },
);
