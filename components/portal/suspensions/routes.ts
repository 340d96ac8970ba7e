import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { listSuspensions } from './list.ts';
import { restore } from './restore.ts';

export function suspensionRoutes(ports: PortalPorts, guard: MemberGuard): Route[] {
  const rest = restOf({ guard, tag: 'Members', ports });
  return [
    rest('GET', '/api/suspensions', listSuspensions, {
      summary: 'List what is suspended because the client it was made through was shut out',
      description:
        'Members, and up to 1000 grants and invitations. What was proposed through it is withdrawn: `GET /api/pending-actions?state=withdrawn`.',
      answers: { 200: 'All of it.' },
    }),
    rest('POST', '/api/suspensions/restore', restore, {
      summary: 'End a suspension',
      description: 'It takes what deciding takes. The client itself stays shut out.',
      answers: { 204: 'Restored.' },
      errors: deciding,
    }),
  ];
}
