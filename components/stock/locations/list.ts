import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { paging, reads } from '../operations.ts';
import { location, selectLocations } from './location.ts';

/** A page of locations in order of their making, archived ones too. */
export const listLocations = operation(
  {
    ...reads,
    name: 'service_list_locations',
    input: z.strictObject(paging),
    answer: pageOf(location.answer),
    errors: ['insufficient_role'],
  },
  async ({ context, read }, { limit, cursor = beforeAllIds }) => {
    const rows = await read(
      selectLocations(
        'p.location_id > $2::uuid order by p.location_id limit $3::int',
        context.tenant,
        cursor,
        limit + 1,
      ),
    );
    return page(rows, limit, location.read, ({ id }) => id);
  },
);
