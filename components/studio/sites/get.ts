import { operation } from '@steward/access';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { bySite, noSite, selectSites, site } from './site.ts';

/** @throws Problem `not_found` (404) */
export const getSite = operation(
  {
    ...reads,
    name: 'service_get_site',
    input: z.strictObject(bySite),
    answer: site.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { siteId }) => {
    const [row] = await read(selectSites('s.site_id = $2::uuid', context.tenant, siteId));
    if (row === undefined) throw noSite();
    return site.read(row);
  },
);
