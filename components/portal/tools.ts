import { pageLimit } from '@steward/contract';
import { counted } from '@steward/kernel';
import { administerTenant, readTenant } from './permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { z } from 'zod';
import { listBrands } from './brands/list.ts';
import type { PortalPorts } from './door.ts';
import type { readOrganization } from './organizations/read.ts';
import { organizationChange, updateOrganization } from './organizations/update.ts';

const organization = z.object({
  id: z.string(),
  name: z.string(),
  default_currency: z.string(),
  fiscal_year_start_month: z.int(),
  persona: z.string(),
  version: z.int(),
});

type Shown = z.infer<typeof organization>;

const show = (from: Awaited<ReturnType<typeof readOrganization>>): Shown => ({
  id: from.id,
  name: from.name,
  default_currency: from.defaultCurrency,
  fiscal_year_start_month: from.fiscalYearStartMonth,
  persona: from.persona,
  version: from.version,
});

export const portalTools: readonly Tool<Pick<PortalPorts, 'identity'>>[] = [
  tool({
    name: 'service_list_brands',
    title: 'List brands',
    description: 'Lists the brands of the organization. One of them is the default.',
    pillar: 'portal',
    kind: 'query',
    tier: 'read',
    core: true,
    surfaces: ['public', 'internal'],
    input: z.strictObject({
      limit: pageLimit.meta({ description: 'How many brands at most.' }),
      cursor: z.uuid().optional().meta({ description: '`next_cursor` of the page before.' }),
    }),
    output: z.object({
      brands: z.array(z.object({ id: z.string(), name: z.string(), is_default: z.boolean() })),
      next_cursor: z.string().nullable(),
    }),
    annotations: { idempotentHint: true },
    requires: readTenant,
    personas: [],
    run: async (call, args) => {
      const page = await listBrands(call.context, args);
      const brands = page.items.map(({ id, name, isDefault }) => ({ id, name, is_default: isDefault }));
      return { summary: `${counted(brands.length, 'brand')}.`, data: { brands, next_cursor: page.nextCursor } };
    },
  }),
  tool({
    name: 'service_update_organization',
    title: 'Update the organization',
    description:
      'Renames the organization or changes its persona. Takes effect at once and can be changed back; the answer shows before and after.',
    pillar: 'portal',
    kind: 'command',
    tier: 'write',
    core: true,
    surfaces: ['public', 'internal'],
    input: organizationChange,
    output: z.object({ before: organization, after: organization }),
    annotations: { destructiveHint: false, idempotentHint: true },
    requires: administerTenant,
    personas: [],
    run: async (call, change, { identity }) => {
      const { before, after } = await updateOrganization(call.context, change, identity.changed);
      const data = { before: show(before), after: show(after) };
      if (call.preview)
        return {
          summary: `Would change ${before.name} to ${after.name}, persona ${after.persona}.`,
          preview: data,
        };
      return { summary: `${after.name} is at version ${after.version}.`, data };
    },
  }),
];
