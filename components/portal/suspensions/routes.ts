import { route, type Route } from '@steward/contract';
import { z } from 'zod';
import { deciding, type MemberGuard, type PortalPorts } from '../door.ts';
import { listSuspensions } from './list.ts';
import { restore } from './restore.ts';

const kind = z.enum(['member', 'grant', 'invitation']);
const suspension = z.object({
  kind,
  id: z.string(),
  client: z.string().meta({
    description: 'The client it was made through: the one that was shut out, unless who made it was suspended.',
  }),
  createdBy: z.string().nullable().meta({ description: 'The id of whoever invited, added or granted it.' }),
  suspendedAt: z.string(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  role: z.string().nullable(),
});

export const suspensionRoutes = (ports: PortalPorts, guard: MemberGuard): Route[] => [
  route({
    method: 'GET',
    path: '/api/suspensions',
    does: 'for_people',
    summary: 'List what is suspended because the client it was made through was shut out',
    description:
      'Members, and up to 1000 grants and invitations. What was proposed through it is withdrawn: `GET /api/pending-actions?state=withdrawn`.',
    tag: 'Members',
    guard,
    answers: { 200: { description: 'All of it.', schema: z.object({ items: z.array(suspension) }) } },
    handle: async ({ guard: { context } }) => ({
      status: 200,
      body: { items: await listSuspensions(ports.identity.memberships, context) },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/suspensions/restore',
    does: 'for_people',
    summary: 'End a suspension',
    description: 'It takes what deciding takes. The client itself stays shut out.',
    tag: 'Members',
    guard,
    body: z.strictObject({ kind, id: z.string().min(1).max(310) }),
    answers: { 204: { description: 'Restored.' } },
    errors: ['not_found', ...deciding],
    handle: async ({ guard: { context }, body }) => {
      ports.decider.requireFor(context);
      await restore(ports.identity, context, body);
      return { status: 204 };
    },
  }),
];
