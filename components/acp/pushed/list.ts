import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { fail } from '@steward/kernel';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { feed, selectFeeds } from './feed.ts';
import { paging, reads } from './operations.ts';
import type { FeedPorts } from './ports.ts';

/**
 * A page of feeds in the order in which they were set first, with how each goes.
 * @throws Problem `not_found` (404)
 */
export const listFeeds = operation(
  {
    ...reads,
    name: 'service_list_agent_feeds',
    input: z.strictObject({
      brandId: z.uuid().optional().meta({ description: 'Only those of this brand.' }),
      ...paging,
    }),
    answer: pageOf(feed.answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async ({ context, read }, { brandId = null, limit, cursor = beforeAllIds }, { brandName }: FeedPorts) => {
    if (brandId !== null && (await brandName({ context, read }, brandId)) === undefined)
      throw fail('not_found', 'There is no such brand: list the brands for their ids.');
    const rows = await read(
      selectFeeds(
        'f.feed_id > $2::uuid and ($3::uuid is null or f.brand_id = $3::uuid) order by f.feed_id limit $4::int',
        context.tenant,
        cursor,
        brandId,
        limit + 1,
      ),
    );
    return page(rows, limit, feed.read, ({ id }) => id);
  },
);
