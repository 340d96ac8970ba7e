import { restOf } from '@steward/access';
import type { Route } from '@steward/contract';
import type { MemberGuard } from '../door.ts';
import type { StudioDeps } from '../deps.ts';
import { createSite } from './create.ts';
import { getSite } from './get.ts';
import { listSites } from './list.ts';
import { updateSite } from './update.ts';

const one = { 200: 'The site.' };

export function siteRoutes(guard: MemberGuard, ports: StudioDeps): Route[] {
  const rest = restOf({ guard, tag: 'Sites', ports });
  return [
    rest('GET', '/api/sites', listSites, {
      summary: 'List sites',
      answers: { 200: 'A page of sites, disabled ones too.' },
    }),
    rest('POST', '/api/sites', createSite, {
      summary: 'Create a site',
      description:
        'Of the default brand where none is named. Origins are scheme, host and port alone: https, or http for localhost.',
      answers: { 201: 'The site.' },
    }),
    rest('GET', '/api/sites/:siteId', getSite, { summary: 'Read a site', answers: one }),
    rest('PATCH', '/api/sites/:siteId', updateSite, {
      summary: 'Change, disable or enable a site',
      description: 'What is not given stays. The keys of a disabled site are refused and its forms are not served.',
      answers: one,
    }),
  ];
}
