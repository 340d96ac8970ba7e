import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { noSite, selectSites } from '../sites/site.ts';
import { bySite } from '../sites/site.ts';
import { sdkKey, selectKeys } from './key.ts';

/** A page of a site's keys in order of their making, ended ones too. @throws Problem `not_found` (404) */
export const listKeys = operation(
  {
    ...reads,
    name: 'service_list_sdk_keys',
    input: z.strictObject({ ...bySite, ...paging }),
    answer: pageOf(sdkKey.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context: { tenant }, readAll }, { siteId, limit, cursor = beforeAllIds }) => {
    const [site = [], rows = []] = await readAll([
      selectSites('s.site_id = $2::uuid', tenant, siteId),
      selectKeys('k.key_id > $3::uuid order by k.key_id limit $4::int', tenant, siteId, cursor, limit + 1),
    ]);
    if (site.length === 0) throw noSite();
    return page(rows, limit, sdkKey.read, ({ id }) => id);
  },
);
