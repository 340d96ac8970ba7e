import { type Became, type Delivery, NeverApplies, type Projection } from '@steward/callbacks';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { type CredentialsOf, connectionOf } from '../clearing/receivers.ts';
import { announcement, event } from '../events.ts';
import { type Feed, openFeed, readFeed } from '../feeds/feed.ts';
import { dropMovements, sayMovements, storable } from '../feeds/movement.ts';
import { settle } from '../feeds/settle.ts';
import { keepBooks } from '../permissions.ts';
import type { BankNews, ConnectionState, Plaid, Update } from './plaid.ts';

export const itemTopics = [
  'ITEM.ERROR',
  'ITEM.LOGIN_REPAIRED',
  'ITEM.PENDING_EXPIRATION',
  'ITEM.PENDING_DISCONNECT',
  'ITEM.USER_PERMISSION_REVOKED',
  'ITEM.USER_ACCOUNT_REVOKED',
  'ITEM.NEW_ACCOUNTS_AVAILABLE',
];
export const movementTopics = [
  'TRANSACTIONS.SYNC_UPDATES_AVAILABLE',
  'TRANSACTIONS.INITIAL_UPDATE',
  'TRANSACTIONS.HISTORICAL_UPDATE',
  'TRANSACTIONS.DEFAULT_UPDATE',
  'TRANSACTIONS.TRANSACTIONS_REMOVED',
];
const warnings = new Set(['ITEM.PENDING_EXPIRATION', 'ITEM.PENDING_DISCONNECT']);

/** So many lines are named as what a delivery became. */
const mostTold = 50;

/** Reads what is new at the bank, whatever the event says, and writes it with the cursor that it was read up to. */
export const bankProjection = (
  plaid: Plaid,
  credentialsOf: CredentialsOf,
): Projection<BankNews & { readonly live: boolean }> => ({
  fetch: async (context, delivery, signal) => {
    const connection = await connectionOf(context, delivery, credentialsOf);
    const [row] = await context.require(keepBooks).read<{ cursor: string | null }>(sql`
      select cursor from accounting.bank_connection where tenant_id = ${context.tenant}::uuid and connection_id = ${connection.id}::uuid`);
    const news = await plaid.news(connection, delivery, row?.cursor ?? null, signal);
    return { ...news, live: connection.live };
  },
  apply: async (tx, delivery, news) => {
    const { connectionId } = delivery;
    if (connectionId === null) return [];
    const { tenant } = tx.context;
    await tx.query(sql`
      insert into accounting.bank_connection (tenant_id, connection_id, state_at) values (${tenant}::uuid, ${connectionId}::uuid, '-infinity')
      on conflict (tenant_id, connection_id) do nothing`);
    const [held] = await tx.query<{
      cursor: string | null;
      state: ConnectionState;
      fault: string | null;
      later: boolean;
    }>(sql`
      select cursor, state, fault, state_at > ${delivery.occurredAt ?? delivery.receivedAt}::timestamptz as later from accounting.bank_connection
      where tenant_id = ${tenant}::uuid and connection_id = ${connectionId}::uuid for update`);
    if (held === undefined) return [];
    if (news.update !== undefined && held.cursor !== news.update.from)
      // What was read meanwhile may lack what this event tells of.
      throw fail('unavailable', 'Another delivery read the same connection meanwhile: it is read again.');
    const stood = await stand(tx, delivery, connectionId, held, news);
    const made =
      news.update === undefined
        ? []
        : await write(tx, { connectionId, live: news.live, provider: delivery.provider }, news.update);
    return [...stood, ...made].slice(0, mostTold);
  },
});

/** How the connection stands from now on. What is asked of the provider is true now; a warning holds until a login was repaired after it. */
async function stand(
  tx: TenantTransaction,
  { topic, occurredAt, receivedAt }: Delivery,
  connectionId: string,
  held: { readonly state: ConnectionState; readonly fault: string | null; readonly later: boolean },
  news: BankNews,
): Promise<readonly Became[]> {
  let { state, fault }: { state: ConnectionState; fault: string | null } = news;
  if (state === 'good' && warnings.has(topic) && !held.later) [state, fault] = ['expiring', topic.slice(5)];
  else if (state === 'good' && held.state === 'expiring' && (topic !== 'ITEM.LOGIN_REPAIRED' || held.later))
    ({ state, fault } = held);
  const isItems = topic.startsWith('ITEM.');
  if (state === held.state && fault === held.fault && !isItems) return [];
  await tx.query(sql`
    update accounting.bank_connection set state = ${state}, fault = ${fault === null ? null : storable(fault, 200)},
      state_at = case when ${isItems}::bool then greatest(state_at, ${occurredAt ?? receivedAt}::timestamptz) else state_at end
    where tenant_id = ${tx.context.tenant}::uuid and connection_id = ${connectionId}::uuid`);
  if (state === held.state && fault === held.fault) return [];
  const facts = { connection_id: connectionId, state, ...(fault === null ? {} : { fault: storable(fault, 200) }) };
  tx.record(event('accounting.bank_connection.changed', facts));
  tx.publish(announcement('accounting.bank_connection.changed', facts, { subject: connectionId }));
  return [{ kind: 'connection', id: connectionId }];
}

async function write(
  tx: TenantTransaction,
  of: { readonly connectionId: string; readonly live: boolean; readonly provider: string },
  update: Update,
): Promise<readonly Became[]> {
  const { tenant } = tx.context;
  if (!update.movements.every(({ amount }) => BigInt.asIntN(63, amount) === amount))
    throw new NeverApplies('an amount is beyond what an account can hold');
  // All of them, in the order in which whoever undoes a reconciliation takes them.
  const known = await tx.query(sql`
    select feed_id, connection_id, provider, kind, name, currency, account_id from accounting.feed
    where tenant_id = ${tenant}::uuid and connection_id = ${of.connectionId}::uuid order by feed_id for update`);
  const feeds = new Map<string, Feed>(
    known.map((row) => readFeed(row as unknown as Parameters<typeof readFeed>[0])).map((feed) => [feed.id, feed]),
  );
  const byPlace = Map.groupBy(update.movements, ({ remote, currency }) => JSON.stringify([remote, currency]));
  for (const place of [...byPlace.keys()].toSorted()) {
    const movements = byPlace.get(place) ?? [];
    const [remote, currency] = JSON.parse(place) as [string, string];
    const name = storable(update.names.get(remote) ?? 'Account', 190);
    const feed = await openFeed(tx, {
      connectionId: of.connectionId,
      provider: of.provider,
      kind: 'bank',
      remote,
      name: name === '' ? 'Account' : name,
      currency,
      live: of.live,
    });
    feeds.set(feed.id, feed);
    await sayMovements(tx, feed, movements);
  }
  const became: Became[] = [];
  for (const feed of feeds.values()) {
    await dropMovements(tx, feed, update.removed);
    const { made } = await settle(tx, feed);
    became.push(...made.map((id) => ({ kind: 'bank_line', id })));
  }
  await tx.query(sql`
    update accounting.bank_connection set cursor = ${update.to === '' ? null : update.to}, synced_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and connection_id = ${of.connectionId}::uuid`);
  return became;
}
