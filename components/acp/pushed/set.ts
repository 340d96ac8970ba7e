import { asItWas, operation } from '@steward/access';
import { agentIn, byAgent, noAgent } from '@steward/agentic';
import { fits } from '@steward/contract';
import { targetOf } from '@steward/deliveries';
import { makerIn } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { acpFail } from '../errors.ts';
import { feed, readFeed, selectFeeds, setFeed, told } from './feed.ts';
import { decides } from './operations.ts';
import type { FeedPorts } from './ports.ts';

/** Of one brand. */
const mostFeeds = 20;
/** In a request. */
export const mostOfBatch = 50;

// Whoever is at the new address is not told what the platform at the old one knows us by, and whoever gave that address made the feed from then on.
const elsewhere = `, token = null, status = 'paused', reason = 'token_missing', created_by = $5, created_by_type = $6, created_through = $7`;

/**
 * Says where an agent platform takes what the brand of an agent sells, or another address or country than before. Nothing is pushed until its token is given; another address
 * needs another token, and both have a new feed begun at the platform.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `feed_of_profile`, `feed_limit` (409)
 */
export const setFeedAt = operation(
  {
    ...decides,
    name: 'service_set_agent_feed',
    input: z.strictObject({
      ...byAgent,
      url: z
        .string()
        .min(1)
        .max(1_900)
        .meta({ description: 'The https address of the feeds API of the platform, to which `/feeds` is added.' }),
      targetCountry: z
        .string()
        .check(fits(/^[A-Z]{2}$/, 'Give a code of ISO 3166-1, such as US'))
        .optional()
        .meta({ description: 'Of the market of the feed, as the platform wants it: ISO 3166-1, such as `US`.' }),
    }),
    answer: feed.answer,
    errors: ['insufficient_role', 'not_found', 'feed_of_profile', 'feed_limit'],
  },
  async (scope, { agentId, url: given, targetCountry = null }, ports: FeedPorts) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const { by, byType, through } = await makerIn(tx);
      const agent = await agentIn(tx, agentId);
      if (agent === undefined) throw noAgent();
      if (agent.protocol !== 'acp')
        throw acpFail('feed_of_profile', 'Agents of UCP read the catalogue at the door of the brand.');
      const judged = targetOf(ports, given);
      const url = judged.endsWith('/') ? judged.slice(0, -1) : judged;
      // Of many at once, each would find the same room.
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`acp.feed ${tenant} ${agent.brandId}`}, 0))`);
      const [held] = await tx.query(selectFeeds('f.agent_id = $2::uuid for no key update of f', tenant, agentId));
      if (held === undefined) {
        const [room] = await tx.query<{ full: boolean }>(sql`
          select count(*) >= ${mostFeeds}::int as full from acp.feed where tenant_id = ${tenant}::uuid and brand_id = ${agent.brandId}::uuid`);
        if (room?.full === true)
          throw acpFail(
            'feed_limit',
            `A brand has at most ${mostFeeds} feeds: remove one with service_remove_agent_feed.`,
          );
        const feedId = newId();
        await tx.queryAll([
          sql`
            insert into acp.feed (tenant_id, feed_id, agent_id, brand_id, url, target_country, status, reason,
              created_by, created_by_type, created_through)
            values (${tenant}::uuid, ${feedId}::uuid, ${agentId}::uuid, ${agent.brandId}::uuid, ${url}, ${targetCountry}, 'paused', 'token_missing',
              ${by}, ${byType}, ${through})`,
          sql`
            insert into acp.feed_work (tenant_id, feed_id, creation_key, batch)
            values (${tenant}::uuid, ${feedId}::uuid, ${newId()}::uuid, ${mostOfBatch}::int)`,
        ]);
        const made = await readFeed(tx, feedId);
        tx.record(told('acp.feed.set', made));
        return made;
      }
      const before = feed.read(held);
      const moved = before.url !== url;
      if (!moved && before.targetCountry === targetCountry) return asItWas(before);
      const after = await setFeed(tx, before.id, `url = $3, target_country = $4${moved ? elsewhere : ''}`, [
        url,
        targetCountry,
        ...(moved ? [by, byType, through] : []),
      ]);
      await tx.queryAll([
        statement(
          `update acp.feed_work set creation_key = $3::uuid, platform_id = null, walk_at = clock_timestamp(), walk_after = null, whole = false,
             whole_at = clock_timestamp(), refused_in_row = 0, failures = 0, withheld = null, due_at = case when $4::boolean then clock_timestamp() end
           where tenant_id = $1::uuid and feed_id = $2::uuid`,
          [tenant, before.id, newId(), after.status === 'active'],
        ),
        sql`delete from acp.feed_product where tenant_id = ${tenant}::uuid and feed_id = ${before.id}::uuid`,
      ]);
      tx.record(told('acp.feed.set', after));
      tx.afterCommit(ports.changed);
      return readFeed(tx, before.id);
    }),
);
