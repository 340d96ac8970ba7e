import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { afterAllIds, page, statement } from '@steward/sql';
import { z } from 'zod';
import { appointees } from '../operations.ts';
import { invitation } from './invitation.ts';

/** A page of invitations, newest first. */
export const listInvitations = operation(
  {
    ...appointees,
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor() }),
    answer: pageOf(invitation.answer),
  },
  async (scope, { limit, cursor }) => {
    const rows = await scope.read(
      statement(
        `select ${invitation.columns} from portal.invitation i where invitation_id < $1::uuid order by invitation_id desc limit $2::int`,
        [cursor ?? afterAllIds, limit + 1],
      ),
    );
    return page(rows, limit, invitation.read, ({ id }) => id);
  },
);
