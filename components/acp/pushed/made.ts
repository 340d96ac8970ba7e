import { listingOf, type Integrations } from '@steward/identity';
import { sql } from '@steward/sql';
import { endWork, readFeed, setFeed, told } from './feed.ts';
import type { FeedPorts } from './ports.ts';
import { runFeed } from './resume.ts';

/** Product feeds as what gives data to somebody outside. One whose client is shut out pushes nothing. */
export const madeFeeds = (ports: Pick<FeedPorts, 'changed'>): Integrations => ({
  kind: 'product_feed',
  select: listingOf({
    kind: 'product_feed',
    from: 'acp.feed f',
    row: 'f',
    id: 'f.feed_id',
    name: `coalesce(substring(f.url from '^https?://([^/?#]+)'), f.url)`,
    where: 'true',
    active: `f.status = 'active'`,
    suspendedAt: `case f.reason when 'client_shut_out' then f.updated_at end`,
  }),
  suspend: async (tx, ids) => {
    const { tenant } = tx.context;
    const pushing = await tx.query<{ id: string }>(sql`
      select feed_id as id from acp.feed
      where tenant_id = ${tenant}::uuid and feed_id = any (${[...ids]}::uuid[]) and status = 'active' order by feed_id for no key update`);
    for (const { id } of pushing) {
      const after = await setFeed(tx, id, `status = 'paused', reason = 'client_shut_out'`);
      await tx.query(endWork(tenant, id));
      tx.record(told('acp.feed.paused', after));
    }
  },
  restore: async (tx, id) => {
    const held = await tx.query(sql`
      select from acp.feed where tenant_id = ${tx.context.tenant}::uuid and feed_id::text = ${id} and reason = 'client_shut_out' for no key update`);
    if (held.length === 0) return false;
    await runFeed(tx, ports, await readFeed(tx, id));
    return true;
  },
});
