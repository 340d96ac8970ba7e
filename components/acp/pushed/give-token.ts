import { operation } from '@steward/access';
import { fits } from '@steward/contract';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { beginWork, byFeed, feed, holdFeed, readFeed, seatOf, setFeed, told } from './feed.ts';
import { decides } from './operations.ts';
import type { FeedPorts } from './ports.ts';
import { shutOut } from './words.ts';

/**
 * Takes the token by which the platform knows the brand, in place of the one before, and has the feed begin unless a member paused it. Secrets pass through people
 * alone, so no tool does this.
 * @throws Problem `not_found` (404), `conflict` (409) where the feed goes to another address by now, `master_key_missing` (503)
 */
export const giveFeedToken = operation(
  {
    ...decides,
    name: '',
    input: z.strictObject({
      ...byFeed,
      token: z
        .string()
        .min(8)
        .max(4_096)
        // RFC 6750, section 2.1.
        .check(fits(/^[A-Za-z0-9._~+/-]+=*$/, 'Give the token as the platform shows it, without `Bearer`'))
        .meta({ description: 'The bearer token that the platform issued.' }),
      url: z
        .string()
        .min(1)
        .max(1_900)
        .meta({ description: 'The address that the token is for: `url` of the feed, as you were shown it.' }),
    }),
    answer: feed.answer,
    errors: ['insufficient_role', 'not_found', 'conflict', 'master_key_missing'],
  },
  async (scope, { feedId, token, url: meant }, ports: FeedPorts) => {
    ports.decider.requireFor(scope.context);
    return scope.write(async (tx) => {
      const { url, reason } = await holdFeed(tx, feedId);
      // Somebody may have moved the feed meanwhile: what a platform knows us by goes to no other one.
      if (url !== meant)
        throw fail('conflict', `The feed goes to ${url}: give the token of that platform with this address as url.`);
      const sealed = await ports.secrets.seal(tx, seatOf(feedId, url), Buffer.from(token));
      const begins = reason !== 'member' && (reason === null || !shutOut.includes(reason));
      const after = await setFeed(tx, feedId, `token = $3${begins ? `, status = 'active', reason = null` : ''}`, [
        sealed,
      ]);
      if (begins) await tx.query(beginWork(tx.context.tenant, feedId));
      tx.record(told('acp.feed.token_given', after));
      tx.afterCommit(ports.changed);
      return readFeed(tx, feedId);
    });
  },
);
