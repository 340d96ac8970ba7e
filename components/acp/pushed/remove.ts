import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { byFeed, feed, holdFeed } from './feed.ts';
import { changes } from './operations.ts';

/**
 * Removes a feed with its token, and what is known of the platform. The platform keeps what it has: nothing of the protocol takes that back.
 * @throws Problem `not_found` (404)
 */
export const removeFeed = operation(
  {
    ...changes,
    name: 'service_remove_agent_feed',
    input: z.strictObject(byFeed),
    answer: feed.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { feedId }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const held = await holdFeed(tx, feedId);
      // The work first, as whoever pushes locks it.
      await tx.queryAll([
        sql`delete from acp.feed_work where tenant_id = ${tenant}::uuid and feed_id = ${feedId}::uuid`,
        sql`delete from acp.feed_product where tenant_id = ${tenant}::uuid and feed_id = ${feedId}::uuid`,
        sql`delete from acp.feed where tenant_id = ${tenant}::uuid and feed_id = ${feedId}::uuid`,
      ]);
      tx.record(event('acp.feed.removed', { feed_id: feedId, agent_id: held.agentId, brand_id: held.brandId }));
      return held;
    }),
);
