import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { selectSites, site } from './site.ts';

/** A page of sites in order of their making, disabled ones too. */
export const listSites = operation(
  {
    ...reads,
    name: 'service_list_sites',
    input: z.strictObject(paging),
    answer: pageOf(site.answer),
    errors: ['insufficient_role'],
  },
  async ({ context, read }, { limit, cursor = beforeAllIds }) => {
    const rows = await read(
      selectSites('s.site_id > $2::uuid order by s.site_id limit $3::int', context.tenant, cursor, limit + 1),
    );
    return page(rows, limit, site.read, ({ id }) => id);
  },
);
