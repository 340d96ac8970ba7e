import { listingOf, makerOf, type Integrations } from '@steward/identity';
import type { TenantTransaction } from '@steward/sql';
import { endWork, feed, type Feed, selectFeeds, setFeed, told } from './feed.ts';
import type { FeedPorts } from './ports.ts';
import { runFeed } from './resume.ts';
import { shutOut } from './words.ts';

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
    suspendedAt: `case when f.reason in ('client_shut_out', 'shut_out_stopped') then f.updated_at end`,
  }),
  suspend: async (tx, ids) => {
    const { tenant } = tx.context;
    const made = await tx.query(
      selectFeeds(
        `f.feed_id = any ($2::uuid[]) and coalesce(f.reason <> all ($3::text[]), true) order by f.feed_id for no key update of f`,
        tenant,
        [...ids],
        shutOut,
      ),
    );
    for (const { id, status } of made.map(feed.read)) {
      const after = await setFeed(tx, id, `status = 'paused', reason = $3`, [
        status === 'active' ? 'client_shut_out' : 'shut_out_stopped',
      ]);
      await tx.query(endWork(tenant, id));
      tx.record(told('acp.feed.paused', after));
    }
  },
  restore: async (tx, id) => {
    const [row] = await tx.query(
      selectFeeds(
        'f.feed_id::text = $2 and f.reason = any ($3::text[]) for no key update of f',
        tx.context.tenant,
        id,
        shutOut,
      ),
    );
    if (row === undefined) return false;
    const held = feed.read(row);
    await (held.reason === 'client_shut_out' ? runFeed(tx, ports, held) : keepStopped(tx, held));
    return true;
  },
});

/** Whoever looked at it is its maker, and it pushes nothing until somebody resumes it, or gives the token that it has none of. */
async function keepStopped(tx: TenantTransaction, { id }: Feed): Promise<void> {
  const { by, byType, through } = makerOf(tx.context);
  const after = await setFeed(
    tx,
    id,
    `reason = case when token is null then 'token_missing' else 'member' end, created_by = $3, created_by_type = $4, created_through = $5`,
    [by, byType, through],
  );
  tx.record(told('acp.feed.paused', after));
}
