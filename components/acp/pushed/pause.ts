import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { byFeed, endWork, feed, holdFeed, readFeed, setFeed, told } from './feed.ts';
import { changes } from './operations.ts';

/**
 * Pushes nothing until somebody resumes it. The platform keeps what it has.
 * @throws Problem `not_found` (404)
 */
export const pauseFeed = operation(
  {
    ...changes,
    name: 'service_pause_agent_feed',
    input: z.strictObject(byFeed),
    answer: feed.answer,
    errors: ['insufficient_role', 'not_found'],
  },
  async (scope, { feedId }) =>
    scope.write(async (tx) => {
      const before = await holdFeed(tx, feedId);
      if (before.status === 'paused' && before.reason !== 'refused') return asItWas(before);
      const after = await setFeed(tx, feedId, `status = 'paused', reason = 'member'`);
      await tx.query(endWork(tx.context.tenant, feedId));
      tx.record(told('acp.feed.paused', after));
      return readFeed(tx, feedId);
    }),
);
