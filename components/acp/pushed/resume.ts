import { asItWas, operation } from '@steward/access';
import { z } from 'zod';
import { acpFail } from '../errors.ts';
import { beginWork, byFeed, feed, holdFeed, readFeed, setFeed, told } from './feed.ts';
import { decides } from './operations.ts';
import type { FeedPorts } from './ports.ts';

/**
 * Pushes on: everything is compared, and what changed meanwhile is sent.
 * @throws Problem `not_found` (404), `feed_token_missing` (409)
 */
export const resumeFeed = operation(
  {
    ...decides,
    name: 'service_resume_agent_feed',
    input: z.strictObject(byFeed),
    answer: feed.answer,
    errors: ['insufficient_role', 'not_found', 'feed_token_missing'],
  },
  async (scope, { feedId }, ports: FeedPorts) =>
    scope.write(async (tx) => {
      const before = await holdFeed(tx, feedId);
      if (before.status === 'active') return asItWas(before);
      if (before.reason === 'token_missing')
        throw acpFail(
          'feed_token_missing',
          'A person gives it with PUT /api/agent-feeds/{feedId}/token, which also begins to push.',
        );
      const after = await setFeed(tx, feedId, `status = 'active', reason = null`);
      await tx.query(beginWork(tx.context.tenant, feedId));
      tx.record(told('acp.feed.resumed', after));
      tx.afterCommit(ports.changed);
      return readFeed(tx, feedId);
    }),
);
