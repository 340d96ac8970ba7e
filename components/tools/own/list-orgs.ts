import { isShutOut, noTenant } from '@steward/access';
import { z } from 'zod';
import type { OwnPorts } from '../catalogue/ports.ts';
import { tool, type Tool } from '../catalogue/tool.ts';

export const organization = z.object({ id: z.string(), name: z.string(), role: z.string() });

export const listOrgs: Tool<OwnPorts> = tool({
  name: 'service_list_orgs',
  title: 'List organizations',
  description: 'Lists the organizations that you can work in, with your role in each. Select one with service_set_org.',
  pillar: 'portal',
  kind: 'bootstrap',
  tier: 'read',
  core: true,
  surfaces: ['public'],
  input: z.object({}),
  output: z.object({ organizations: z.array(organization.extend({ shutOut: z.boolean() })) }),
  annotations: {},
  requires: noTenant,
  personas: [],
  run: async ({ caller }, _args, { orgsOf, accessProfile }) => {
    const organizations = [];
    // One after the other: somebody may belong to many.
    for (const one of await orgsOf(caller))
      organizations.push({ ...one, shutOut: isShutOut(await accessProfile(caller, one.id)) });
    const count = organizations.length;
    const out = organizations.filter(({ shutOut }) => shutOut).length;
    const summary =
      count === 0
        ? 'You belong to no organization yet: a person can sign one up, or an owner can invite you.'
        : `You belong to ${count} ${count === 1 ? 'organization' : 'organizations'}.` +
          (out === 0
            ? ''
            : ` ${out === count ? 'None of them lets' : `${out} of them do not let`} this agent call tools (shut_out): it was shut out there, or has no grant. An owner can let it in with a grant.`);
    return { summary, data: { organizations } };
  },
});
