import { roles, type Role, type Caller } from '@steward/access';
import { route, type Route } from '@steward/contract';
import { z } from 'zod';
import { presentBilling, selectBilling } from '../billing/billing.ts';
import type { MemberGuards, PortalPorts } from '../door.ts';
import { readTenant } from '../permissions.ts';
import { readOrganization } from './read.ts';
import { organizationChange, updateOrganization } from './update.ts';

const organization = z.object({
  id: z.uuid(),
  name: z.string(),
  defaultCurrency: z.string(),
  fiscalYearStartMonth: z.int(),
  persona: z.string(),
  version: z.int(),
});

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
    summary: 'List the organizations one belongs to',
    description: 'With a token that is bound to a tenant, that one alone.',
    tag: 'Organization',
    guard: ports.identity.bearer(ports.addresses.portal),
    answers: { 200: { description: 'All of them, by name.', schema: z.object({ items: z.array(membership) }) } },
    handle: async ({ guard: caller }) => {
      const found = await organizationsOf(caller);
      const items = found.map(({ tenant, ...rest }) => ({ id: tenant, ...rest }));
      return { status: 200, body: { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/organization',
    does: 'for_people',
    summary: 'Read the organization',
    tag: 'Organization',
    guard: member,
    answers: { 200: { description: 'The organization.', schema: organization } },
    handle: async ({ guard: { context } }) => ({ status: 200, body: await readOrganization(context) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/organization',
    does: 'service_update_organization',
    summary: 'Rename the organization or change its persona',
    tag: 'Organization',
    guard: agents,
    body: organizationChange,
    answers: { 200: { description: 'The organization as it is now.', schema: organization } },
    errors: ['version_conflict'],
    handle: async ({ guard: { context }, body }) => {
      const { after } = await updateOrganization(context, body, ports.identity.changed);
      return { status: 200, body: after };
    },
  }),
  route({
    method: 'GET',
    path: '/api/billing',
    does: 'for_people',
    summary: 'Read the billing tier and what it entitles to',
    tag: 'Organization',
    guard: member,
    answers: {
      200: {
        description:
          'Tier, status, trial end and entitlements at this moment; what is kept of each quota, and what the tier says.',
      },
    },
    handle: async ({ guard: { context } }) => {
      const [row] = await context.require(readTenant).read(selectBilling);
      const billing = presentBilling(row, ports.clock(), ports.config.plans);
      return {
        status: 200,
        body: {
          tier: billing.tier,
          status: billing.status,
          trialEndsAt: billing.trialEndsAt === 0 ? null : new Date(billing.trialEndsAt).toISOString(),
          liveChargesRequired: false,
          entitlements: [...billing.entitlements].toSorted(),
          quotas: await ports.usage(context.tenant),
        },
      };
    },
  }),
];
