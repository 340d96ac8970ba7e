import { operation } from '@steward/access';
import { clientOf } from '@steward/identity';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import type { PortalPorts } from '../door.ts';
import { appoints, people } from '../operations.ts';
import { noOpenInvitation } from './invitation.ts';

/**
 * What was proposed through a client is taken back with the same one; that somebody does not come whom people invited themselves is decided.
 * @throws Problem `not_found` (404) unless the invitation is open; of another client, or one that people decide with, what deciding throws
 */
export const revokeInvitation = operation(
  {
    ...appoints,
    ...people,
    input: z.strictObject({ invitationId: z.uuid() }),
    answer: z.void(),
    errors: ['not_found'],
  },
  async (scope, { invitationId }, { decider }: Pick<PortalPorts, 'decider'>) =>
    scope.write(async (tx) => {
      await tx.mark();
      const [row] = await tx.query<{ through: string | null }>(sql`
        update portal.invitation set revoked_at = clock_timestamp()
        where invitation_id = ${invitationId}::uuid and accepted_at is null and revoked_at is null returning created_through as through`);
      if (row === undefined) throw noOpenInvitation();
      if (row.through === null || row.through !== clientOf(tx.context) || decider.decidesThrough(row.through))
        decider.requireFor(tx.context);
      tx.record(event('portal.invitation.revoked', { invitation_id: invitationId }));
    }),
);
