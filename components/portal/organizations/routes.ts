import { restOf, roles, type Role, type Caller } from '@steward/access';
import { route, type Route } from '@steward/contract';
import { z } from 'zod';
import { readBilling } from '../billing/read.ts';
import type { MemberGuards, PortalPorts } from '../door.ts';
import { organization } from './organization.ts';
import { readOrganization } from './read.ts';
import { updateOrganization } from './update.ts';

const tag = 'Organization';

const membership = z.object({ id: z.uuid(), name: z.string(), role: z.enum(roles) });

export const organizationRoutes = (
  ports: PortalPorts,
  { member, agents }: MemberGuards,
  organizationsOf: (caller: Caller) => Promise<{ tenant: string; name: string; role: Role }[]>,
): Route[] => [
  route({
    method: 'GET',
    path: '/api/organizations',
    does: 'service_list_orgs',
    summary: 'List your organizations',
    description: 'With a token that is bound to a tenant, that one alone.',
    tag,
    guard: ports.identity.bearer(ports.addresses.portal),
    answers: { 200: { description: 'All of them, by name.', schema: z.object({ items: z.array(membership) }) } },
    handle: async ({ guard: caller }) => {
      const found = await organizationsOf(caller);
      const items = found.map(({ tenant, ...rest }) => ({ id: tenant, ...rest }));
      return { status: 200, body: { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)) } };
    },
  }),
  restOf({ guard: member, tag })('GET', '/api/organization', readOrganization, {
    summary: 'Read the organization',
    answers: { 200: 'The organization.' },
  }),
  restOf({ guard: agents, tag, ports })('PATCH', '/api/organization', updateOrganization, {
    summary: 'Rename the organization or change its persona',
    answers: { 200: 'The organization as it is now.' },
    shows: { schema: organization.answer, of: ({ after }) => after },
  }),
  restOf({ guard: member, tag, ports })('GET', '/api/billing', readBilling, {
    summary: 'Read the billing tier and its entitlements',
    answers: {
      200: 'Tier, status, end of the trial or of the time to pay, and entitlements at this moment; the tiers that an owner can subscribe to; and of each quota the amount used and the limit.',
    },
  }),
];
