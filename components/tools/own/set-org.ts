import { noTenant } from '@steward/access';
import { fail, isId } from '@steward/kernel';
import { z } from 'zod';
import { forbidden } from '../call/tenant.ts';
import type { OwnPorts } from '../catalogue/ports.ts';
import { tool, type Tool } from '../catalogue/tool.ts';
import { narrowed } from '../catalogue/view.ts';
import { warningOf } from './shut-out.ts';

/** Selects an organization. Nothing is kept here: the client says the header on every request from now on. */
export const setOrg: Tool<OwnPorts> = tool({
  name: 'service_set_org',
  title: 'Select an organization',
  description:
    'Selects the organization to work in. Send the headers in next_request_headers with every further request. If your ' +
    'client cannot set headers, pass tenant_id in the arguments of each call.',
  pillar: 'portal',
  kind: 'bootstrap',
  tier: 'read',
  core: true,
  surfaces: ['public'],
  input: z.object({ tenantId: z.string().describe('From service_list_orgs.') }),
  output: z.object({
    organization: z.object({ id: z.string(), name: z.string().nullable(), role: z.string() }),
    connectUrl: z.string(),
    moreTools: z
      .array(z.object({ of: z.string(), url: z.string() }))
      .meta({ description: 'Addresses of the tools that the endpoint itself does not list.' }),
  }),
  annotations: { idempotentHint: true },
  requires: noTenant,
  personas: [],
  run: async ({ caller, boundTenant }, { tenantId: id }, { accessProfile, orgsOf, addresses }) => {
    if (boundTenant !== undefined && boundTenant !== id) {
      throw fail(
        'tenant_mismatch',
        'This address or token is bound to another organization: connect to another address, or with another token, to work ' +
          'in this one.',
      );
    }
    const held = isId(id) ? await accessProfile(caller, id) : undefined;
    if (held === undefined) throw forbidden();
    const name = (await orgsOf(caller)).find((one) => one.id === id)?.name ?? null;
    const url = `${addresses.mcp}/t/${id}`;
    return {
      summary: `Selected ${name ?? id}. Send the header X-Tenant-ID: ${id} on every further request, or pass tenant_id in the arguments of each call. more_tools has the addresses of further tools, such as ${url}/p/commerce.`,
      data: {
        organization: { id, name, role: held.role },
        connectUrl: url,
        moreTools: narrowed.map((of) => ({ of, url: `${url}/p/${of}` })),
      },
      ...warningOf(held),
      nextRequestHeaders: { 'X-Tenant-ID': id },
    };
  },
});
