import { madeAs } from '@steward/identity';
import { type DerivedRows, instantOf, type RecordedRows } from '@steward/verification';

const feedId = `(e.payload ->> 'feed_id')::uuid`;
const changed = ['acp.feed.set', 'acp.feed.token_given', 'acp.feed.paused', 'acp.feed.resumed'];
const removed = 'acp.feed.removed';

/** What is decided about each feed, by the newest event that says so. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'product feed',
    types: [...changed, removed],
    held: `select tenant_id, feed_id::text as key, concat_ws(' ', agent_id, brand_id, 'version', version, status, reason,
      encode(sha256(convert_to(url, 'UTF8')), 'hex'), target_country, updated_at, 'by', ${madeAs('f')}) as says from acp.feed f`,
    told: `select e.payload ->> 'feed_id' as key, case when e.type <> '${removed}' then
      concat_ws(' ', e.payload ->> 'agent_id', e.payload ->> 'brand_id', 'version', e.payload ->> 'version', e.payload ->> 'status', e.payload ->> 'reason',
        e.payload ->> 'url_sha256', e.payload ->> 'target_country', ${instantOf('updated_at')}, 'by', coalesce(e.payload ->> 'maker_sha256', ${madeAs('r')})) end as says
      from (select) o left join acp.feed r on r.tenant_id = e.tenant_id and r.feed_id = ${feedId}`,
  },
];
