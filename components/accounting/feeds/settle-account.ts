import { sql, type TenantTransaction } from '@steward/sql';
import { type Feed, readFeed } from './feed.ts';
import { matchNamed } from './match.ts';
import { settle } from './settle.ts';

/** Feeds whose lines are of an account, held until the transaction ends. They are held before the account is, as deliveries do. @param account code or id */
export async function holdFeedsOf(tx: TenantTransaction, account: string): Promise<readonly Feed[]> {
  const feeds = await tx.query(sql`
    select f.feed_id, f.connection_id, f.provider, f.kind, f.name, f.currency, f.account_id from accounting.feed f
    join accounting.account a on a.tenant_id = f.tenant_id and a.account_id = f.account_id
    where f.tenant_id = ${tx.context.tenant}::uuid and (a.code = ${account} or a.account_id::text = lower(${account})) order by f.feed_id for update of f`);
  return feeds.map((row) => readFeed(row as unknown as Parameters<typeof readFeed>[0]));
}

/** Has movements that waited become lines. */
export async function settleAll(tx: TenantTransaction, feeds: readonly Feed[]): Promise<void> {
  for (const feed of feeds) {
    const { made } = await settle(tx, feed);
    if (feed.kind === 'clearing') await matchNamed(tx, made);
  }
}
