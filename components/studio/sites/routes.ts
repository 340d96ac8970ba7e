import { pageOf, pageQuery, route, type Route } from '@steward/contract';
import { z } from 'zod';
import { bySite, type MemberGuard } from '../door.ts';
import type { StudioGround } from '../ground.ts';
import { createSite } from './create.ts';
import { getSite } from './get.ts';
import { listSites } from './list.ts';
import { newSite, siteChange } from './site.ts';
import { updateSite } from './update.ts';

const site = z.object({
  id: z.uuid(),
  brandId: z.uuid(),
  name: z.string(),
  origins: z.array(z.string()),
  status: z.enum(['active', 'disabled']),
  defaultCountry: z.string().nullable(),
  requestsPerMinute: z.int().nullable(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const siteRoutes = (guard: MemberGuard, ground: StudioGround): Route[] => [
  route({
    method: 'GET',
    path: '/api/sites',
    does: 'service_list_sites',
    summary: 'List sites',
    tag: 'Sites',
    guard,
    query: pageQuery(),
    answers: { 200: { description: 'A page of sites, disabled ones too.', schema: pageOf(site) } },
    errors: ['insufficient_role'],
    handle: async ({ guard: { context }, query }) => ({
      status: 200,
      body: await listSites(context, query),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/sites',
    does: 'service_create_site',
    summary: 'Create a site',
    description:
      'Of the default brand where none is named. Origins are scheme, host and port alone: https, or http for localhost.',
    tag: 'Sites',
    guard,
    body: newSite,
    answers: { 201: { description: 'The site.', schema: site } },
    errors: ['site_limit', 'insufficient_role'],
    handle: async ({ guard: { context }, body }) => ({ status: 201, body: await createSite(context, ground, body) }),
  }),
  route({
    method: 'GET',
    path: '/api/sites/:siteId',
    does: 'service_get_site',
    summary: 'Read a site',
    tag: 'Sites',
    guard,
    params: bySite,
    answers: { 200: { description: 'The site.', schema: site } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params }) => ({ status: 200, body: await getSite(context, params.siteId) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/sites/:siteId',
    does: 'service_update_site',
    summary: 'Change, disable or enable a site',
    description: 'What is not given stays. The keys of a disabled site are refused and its forms are not served.',
    tag: 'Sites',
    guard,
    params: bySite,
    body: siteChange,
    answers: { 200: { description: 'The site.', schema: site } },
    errors: ['insufficient_role', 'not_found'],
    handle: async ({ guard: { context }, params, body }) => ({
      status: 200,
      body: await updateSite(context, ground, params.siteId, body),
    }),
  }),
];
