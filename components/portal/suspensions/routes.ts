import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { listSuspensions } from './list.ts';
import { restore } from './restore.ts';

export function suspensionRoutes(ports: PortalPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Members', ports });
  return [
    rest('GET', '/api/suspensions', listSuspensions, {
      summary: 'List what is suspended',
      description:
        'Members, grants, invitations, webhooks, credentials of agent platforms and product feeds, because the client that they were made through was shut ' +
        'out. Lists all members, and up to 1000 of the others. Pending actions of that client are withdrawn: `GET /api/pending-actions?state=withdrawn`.',
      answers: { 200: 'All of it.' },
    }),
    rest('POST', '/api/suspensions/restore', restore, {
      summary: 'End a suspension',
      description: 'This needs a token that may decide. The client itself stays shut out.',
      answers: { 204: 'Restored.' },
      errors: deciding,
    }),
  ];
}
