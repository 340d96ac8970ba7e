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
      answers: { 200: 'A page of sites, including disabled ones.' },
    }),
    rest('POST', '/api/sites', createSite, {
      summary: 'Create a site',
      description:
        'The site belongs to the default brand where none is given. Origins are scheme, host and port only: https, or http ' +
        'for localhost.',
      answers: { 201: 'The site.' },
    }),
    rest('GET', '/api/sites/:siteId', getSite, { summary: 'Read a site', answers: one }),
    rest('PATCH', '/api/sites/:siteId', updateSite, {
      summary: 'Change, disable or enable a site',
      description:
        'Members that are not given stay as they are. The server refuses the keys of a disabled site and does not show its ' +
        'forms.',
      answers: one,
    }),
  ];
}
