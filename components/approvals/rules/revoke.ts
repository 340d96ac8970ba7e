import { operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { statement } from '@steward/sql';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { event } from '../events.ts';
import { decides, deciding } from '../operations.ts';
import { rule } from './rule.ts';

/** Ends a rule at once: what it approved and is not yet carried out waits for people. @throws Problem `not_found` (404) */
export const revokeRule = operation(
  {
    ...decides,
    input: z.strictObject({ id: z.uuid() }),
    answer: rule.answer,
    errors: [...deciding, 'not_found'],
  },
  async (scope, { id }, { decider }: Pick<Deps, 'decider'>) => {
    decider.requireFor(scope.context);
    return scope.write(async (tx) => {
      const { tenant, subject } = tx.context;
      const [held] = await tx.query(
        statement(
          `select ${rule.columns} from approvals.standing_rule r where tenant_id = $1::uuid and rule_id = $2::uuid for update`,
          [tenant, id],
        ),
      );
      if (held === undefined) throw fail('not_found', 'There is no such standing rule: list the rules for their ids.');
      const before = rule.read(held);
      if (before.revokedAt !== null) return before;
      const [row = held] = await tx.query(
        statement(
          `update approvals.standing_rule r set revoked_at = clock_timestamp(), revoked_by = $3
           where tenant_id = $1::uuid and rule_id = $2::uuid returning ${rule.columns}`,
          [tenant, id, subject.id],
        ),
      );
      tx.record(event('approvals.standing_rule.revoked', { rule_id: id, tool: before.tool }));
      return rule.read(row);
    });
  },
);
