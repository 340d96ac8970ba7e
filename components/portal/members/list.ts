import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import type { PrincipalRef } from '@steward/kernel';
import { page, parseCursor } from '@steward/sql';
import { z } from 'zod';
import type { PortalPorts } from '../door.ts';
import { people, reads } from '../operations.ts';
import { member, presentMember } from './member.ts';

/** A page of members. @throws Problem `invalid_cursor` (400) */
export const listMembers = operation(
  {
    ...reads,
    ...people,
    input: z.strictObject({ limit: pageLimit, cursor: pageCursor(z.string().min(1).max(310)) }),
    answer: pageOf(member),
    errors: ['invalid_cursor'],
  },
  async (scope, { limit, cursor }, { identity }: Pick<PortalPorts, 'identity'>) => {
    const after = cursor === undefined ? undefined : principalOf(cursor);
    const members = await identity.memberships.list(scope, { limit: limit + 1, after });
    return page(members, limit, presentMember, (_item, { principal: { type, id } }) => `${type}:${id}`);
  },
);

function principalOf(cursor: string): PrincipalRef {
  const [type, id = ''] = parseCursor(cursor, /^(user|service):(.+)$/s);
  return { type: type as PrincipalRef['type'], id };
}
