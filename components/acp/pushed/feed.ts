import { hash } from 'node:crypto';
import { count, field, id, moment, nullable, oneOf, type Of, shape, text } from '@steward/contract';
import { madeBy, makerSha256 } from '@steward/identity';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { reasons, statuses, withholdings } from './words.ts';

/** Of one feed, in an answer. */
const mostRefusals = 10;

/** Of `acp.feed_product` named `p`, of the feed `f`. @param rest further conditions, order and limit */
const productsOf = (rest: string): string =>
  `from acp.feed_product p where p.tenant_id = f.tenant_id and p.feed_id = f.feed_id and ${rest}`;

/** Where a platform takes what a brand sells, and how that goes: of `acp.feed` named `f` and `acp.feed_work` named `w`. */
export const feed = shape('f', {
  id: id('f.feed_id'),
  /** For whom. */
  agentId: id(),
  brandId: id(),
  url: text(),
  targetCountry: nullable(text()),
  status: oneOf(statuses),
  reason: nullable(oneOf(reasons)),
  /** Why nothing is pushed at the moment although it is active. */
  withheld: nullable(oneOf(withholdings, 'w.withheld')),
  /** Of the feed at the platform; null: it was not created yet. */
  platformFeedId: nullable(text('w.platform_id')),
  /** The last time that the platform took something. */
  lastPushedAt: nullable(moment('w.pushed_at')),
  /** That the platform has as they were when they were last compared. */
  productsPushed: count(`(select count(*) ${productsOf(`p.digest is not null and p.refusal is null`)})`),
  /** That are known to have changed since, or to have been sent without an answer. */
  productsWaiting: count(`(select count(*) ${productsOf(`(p.mark is not null or p.digest is null)`)})`),
  productsRefused: count(`(select count(*) ${productsOf(`p.refusal is not null`)})`),
  /** Ten of them, with what the platform said. They are sent again once they have changed, or within a day. */
  refusals: field(
    z.array(z.object({ productId: z.uuid(), because: z.string() })),
    `array(select json_build_object('productId', p.product_id, 'because', p.refusal) ${productsOf(
      `p.refusal is not null order by p.product_id limit ${mostRefusals}`,
    )})`,
  ),
  /** Requests that failed in a row. */
  failures: count('w.failures'),
  lastFailureAt: nullable(moment('w.failed_at')),
  /** Of the last failure: a code such as `http_503` or `timed_out`, and what the platform said. */
  lastFailure: nullable(text('w.failure')),
  /** When the platform is asked again after a failure. */
  nextTryAt: nullable(moment('case when w.failures > 0 then w.due_at end')),
  ...madeBy('f'),
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Feed = Of<typeof feed>;

export const byFeed = { feedId: z.uuid().meta({ description: 'From service_list_agent_feeds.' }) };
export const noFeed = (): Error => fail('not_found', 'There is no such feed: list the feeds for their ids.');

/** Feeds of the tenant `$1`. @param rest conditions and order, with the values from `$2` on */
export const selectFeeds = (rest: string, tenant: string, ...values: readonly unknown[]): Statement =>
  statement(
    `select ${feed.columns} from acp.feed f join acp.feed_work w on w.tenant_id = f.tenant_id and w.feed_id = f.feed_id
     where f.tenant_id = $1::uuid and ${rest}`,
    [tenant, ...values],
  );

export async function readFeed(tx: TenantTransaction, feedId: string): Promise<Feed> {
  const [row] = await tx.query(selectFeeds('f.feed_id = $2::uuid', tx.context.tenant, feedId));
  if (row === undefined) throw noFeed();
  return feed.read(row);
}

/** The feed, held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdFeed(tx: TenantTransaction, feedId: string): Promise<Feed> {
  const [row] = await tx.query(selectFeeds('f.feed_id = $2::uuid for no key update of f', tx.context.tenant, feedId));
  if (row === undefined) throw noFeed();
  return feed.read(row);
}

/** Changes columns of a feed that the transaction holds. @param sets with the values from `$3` on */
export async function setFeed(
  tx: TenantTransaction,
  feedId: string,
  sets: string,
  values: readonly unknown[] = [],
): Promise<Feed> {
  await tx.query(
    statement(
      `update acp.feed f set ${sets}, version = version + 1, updated_at = clock_timestamp()
       where f.tenant_id = $1::uuid and f.feed_id = $2::uuid`,
      [tx.context.tenant, feedId, ...values],
    ),
  );
  return readFeed(tx, feedId);
}

/** Whether somebody gave the token of the platform that it goes to. */
export async function hasToken(tx: TenantTransaction, feedId: string): Promise<boolean> {
  const found = await tx.query(
    statement('select from acp.feed where tenant_id = $1::uuid and feed_id = $2::uuid and token is not null', [
      tx.context.tenant,
      feedId,
    ]),
  );
  return found.length > 0;
}

/** Has the work on a feed taken up, from the commit on, with everything compared; nothing is waited for any more. */
export const beginWork = (tenant: string, feedId: string): Statement =>
  statement(
    `update acp.feed_work set due_at = clock_timestamp(), walk_at = clock_timestamp(), walk_after = null, failures = 0, refused_in_row = 0
     where tenant_id = $1::uuid and feed_id = $2::uuid`,
    [tenant, feedId],
  );

/** Nothing more is begun; what is under way is not told as pushed. */
export const endWork = (tenant: string, feedId: string): Statement =>
  statement(
    `update acp.feed_work set due_at = null, withheld = null where tenant_id = $1::uuid and feed_id = $2::uuid`,
    [tenant, feedId],
  );

type Told = 'acp.feed.set' | 'acp.feed.token_given' | 'acp.feed.paused' | 'acp.feed.resumed';

/** What is decided about a feed, as it is from now on. */
export const told = (type: Told, one: Feed) =>
  event(type, {
    feed_id: one.id,
    agent_id: one.agentId,
    brand_id: one.brandId,
    version: one.version,
    status: one.status,
    reason: one.reason,
    url_sha256: hash('sha256', one.url),
    maker_sha256: makerSha256(one),
    target_country: one.targetCountry,
  });

/** The host of an address, for sentences. */
export const hostOf = ({ url }: Pick<Feed, 'url'>): string => URL.parse(url)?.host ?? 'its address';

/** Where the token is kept: one that was given for another address does not open here. */
export const seatOf = (feedId: string, url: string): string => `acp.feed/${feedId}/${hash('sha256', url)}`;
