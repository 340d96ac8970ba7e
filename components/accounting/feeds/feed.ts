import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { contentOf } from '../contents.ts';
import { event } from '../events.ts';

export const feedKinds = ['clearing', 'bank'] as const;

/** Where the movements of an account at a provider go, in one currency. */
export interface Feed {
  readonly id: string;
  readonly connectionId: string;
  readonly provider: string;
  readonly kind: (typeof feedKinds)[number];
  readonly name: string;
  readonly currency: string;
  /** Of the chart; null until somebody chooses one. */
  readonly accountId: string | null;
}

/** What is known of a feed when its first movement comes. */
export type FeedWish = Omit<Feed, 'id' | 'accountId'> & {
  readonly remote: string;
  /** Whether its money is real: that of tests never shares an account with it. */
  readonly live: boolean;
};

interface FeedRow extends Record<string, unknown> {
  readonly feed_id: string;
  readonly connection_id: string;
  readonly provider: string;
  readonly kind: Feed['kind'];
  readonly name: string;
  readonly currency: string;
  readonly account_id: string | null;
}

export const readFeed = (row: FeedRow): Feed => ({
  id: row.feed_id,
  connectionId: row.connection_id,
  provider: row.provider,
  kind: row.kind,
  name: row.name,
  currency: row.currency,
  accountId: row.account_id,
});

/**
 * The feed of a connection's account in a currency, made where it is new, and held until the transaction ends: what several deliveries say of it is
 * written by one after the other.
 */
export async function openFeed(tx: TenantTransaction, wish: FeedWish): Promise<Feed> {
  const { tenant } = tx.context;
  const { connectionId, provider, kind, remote, name, currency, live } = wish;
  const held = async (): Promise<Feed | undefined> => {
    const [row] = await tx.query<FeedRow>(sql`
      select feed_id, connection_id, provider, kind, name, currency, account_id from accounting.feed
      where tenant_id = ${tenant}::uuid and connection_id = ${connectionId}::uuid and remote = ${remote} and currency = ${currency}
      for update`);
    return row === undefined ? undefined : readFeed(row);
  };
  const known = await held();
  if (known !== undefined) return known;
  await lockChart(tx);
  const meanwhile = await held();
  if (meanwhile !== undefined) return meanwhile;
  const accountId = kind === 'clearing' ? await clearingAccount(tx, { name, currency, live }) : null;
  const id = newId();
  await tx.query(sql`
    insert into accounting.feed (tenant_id, feed_id, connection_id, provider, kind, remote, name, currency, account_id)
    values (${tenant}::uuid, ${id}::uuid, ${connectionId}::uuid, ${provider}, ${kind}, ${remote}, ${name}, ${currency}, ${accountId}::uuid)`);
  tx.record(
    event('accounting.feed.opened', {
      feed_id: id,
      connection_id: connectionId,
      provider,
      kind,
      currency,
      ...(accountId === null ? {} : { account_id: accountId }),
    }),
  );
  return { id, connectionId, provider, kind, name, currency, accountId };
}

/** As importing a chart does: accounts and feeds are made by one after the other. */
export const lockChart = async (tx: TenantTransaction): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`accounting.chart ${tx.context.tenant}`}, 0))`);

/**
 * The clearing account that the books have, if it is in the currency and of no other connection, so that what orders post there meets its lines; else
 * one of its own. It counts as money, so whatever leaves it meets the limits of money.
 */
async function clearingAccount(
  tx: TenantTransaction,
  { name, currency, live }: Pick<FeedWish, 'name' | 'currency' | 'live'>,
): Promise<string> {
  const { tenant } = tx.context;
  const [own] = await tx.query<{ account_id: string }>(sql`
    select a.account_id from accounting.account a
    where ${live}::bool and a.tenant_id = ${tenant}::uuid and a.control = 'clearing' and a.currency = ${currency} and a.archived_at is null
      and not exists (select from accounting.feed f where f.tenant_id = a.tenant_id and f.account_id = a.account_id)`);
  if (own !== undefined) return own.account_id;
  const id = newId();
  await tx.query(sql`
    insert into accounting.account (tenant_id, account_id, code, name, type, activity, currency)
    select ${tenant}::uuid, ${id}::uuid, '1250.' || n, ${`${name} clearing ${currency}`}, 'asset', 'cash', ${currency}
    from generate_series(1, 10000) n
    where not exists (select from accounting.account a where a.tenant_id = ${tenant}::uuid and a.code = '1250.' || n)
    order by n limit 1`);
  tx.record(
    event('accounting.chart.imported', { added: 1, renamed: 0, chart_sha256: await contentOf(tx, 'chart', tenant) }),
  );
  return id;
}
