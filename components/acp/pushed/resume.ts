import { asItWas, operation } from '@steward/access';
import { makerOf } from '@steward/identity';
import type { TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { acpFail } from '../errors.ts';
import { beginWork, byFeed, feed, type Feed, hasToken, holdFeed, readFeed, setFeed, told } from './feed.ts';
import { decides } from './operations.ts';
import type { FeedPorts } from './ports.ts';
import { shutOut } from './words.ts';

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
      if (before.reason === 'token_missing' || (before.reason === 'shut_out_stopped' && !(await hasToken(tx, feedId))))
        throw acpFail(
          'feed_token_missing',
          'A person gives it with PUT /api/agent-feeds/{feedId}/token, which also begins to push.',
        );
      return runFeed(tx, ports, before);
    }),
);

/** A feed that the transaction holds pushes from the commit on. Where a client that was shut out made it, whoever does this is its maker. */
export async function runFeed(
  tx: TenantTransaction,
  ports: Pick<FeedPorts, 'changed'>,
  { id, reason }: Pick<Feed, 'id' | 'reason'>,
): Promise<Feed> {
  const { by, byType, through } = makerOf(tx.context);
  const made =
    reason !== null && shutOut.includes(reason) ? ', created_by = $3, created_by_type = $4, created_through = $5' : '';
  const after = await setFeed(
    tx,
    id,
    `status = 'active', reason = null${made}`,
    made === '' ? [] : [by, byType, through],
  );
  await tx.query(beginWork(tx.context.tenant, id));
  tx.record(told('acp.feed.resumed', after));
  tx.afterCommit(ports.changed);
  return readFeed(tx, id);
}
