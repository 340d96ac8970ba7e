import { isShutOut, noTenant } from '@steward/access';
import { z } from 'zod';
import type { OwnPorts } from '../catalogue/ports.ts';
import { tool, type Tool } from '../catalogue/tool.ts';
import { shutOutWords, warningOf } from './shut-out.ts';

const principal = z.object({ type: z.enum(['user', 'agent', 'service', 'system']), id: z.string() });

export const whoami: Tool<OwnPorts> = tool({
  name: 'service_whoami',
  title: 'Who am I',
  description:
    'Reads who you are: the principal, the person you act for, your scopes, and the selected organization with your ' +
    'role in it.',
  pillar: 'portal',
  kind: 'bootstrap',
  tier: 'read',
  core: true,
  surfaces: ['public', 'internal'],
  input: z.object({}),
  output: z.object({
    principal,
    actingFor: principal.nullable(),
    displayName: z.string().nullable(),
    scopes: z.array(z.string()),
    organization: z.object({ id: z.string(), role: z.string(), persona: z.string(), shutOut: z.boolean() }).nullable(),
  }),
  annotations: {},
  requires: noTenant,
  personas: [],
  run: async ({ caller, context }, _args, { accessProfile }) => {
    const tenant = context?.tenant;
    const held = tenant === undefined ? undefined : await accessProfile(caller, tenant);
    const agent = caller.agentId !== undefined && caller.subject.type === 'user';
    const self = agent ? { type: 'agent' as const, id: caller.agentId } : caller.principal;
    const who = agent
      ? `You are the agent ${self.id}, acting for ${caller.displayName ?? caller.subject.id}.`
      : `You are ${self.type} ${caller.displayName ?? self.id}.`;
    return {
      summary: isShutOut(held) ? `${shutOutWords} ${who}` : who,
      ...warningOf(held),
      data: {
        principal: self,
        actingFor: agent ? caller.subject : null,
        displayName: caller.displayName ?? null,
        scopes: [...caller.scopes].toSorted(),
        organization:
          tenant === undefined || held === undefined
            ? null
            : { id: tenant, role: held.role, persona: held.persona, shutOut: isShutOut(held) },
      },
    };
  },
});
