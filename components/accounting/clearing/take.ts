import { type Became, NeverApplies } from '@steward/callbacks';
import { formatAmount, isCurrency } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { type Feed, openFeed } from '../feeds/feed.ts';
import { matchNamed } from '../feeds/match.ts';
import { dropMovements, isKnown, type MovementKind, noteMovements, sayMovements } from '../feeds/movement.ts';
import { settle } from '../feeds/settle.ts';
import { payoutStatuses, type Said, type SaidPayout } from './said.ts';

/** Kinds that only bring money in, or only take it away. */
const signs: Partial<Readonly<Record<MovementKind, 1n | -1n>>> = {
  charge: 1n,
  refund: -1n,
  dispute: -1n,
  dispute_reversal: 1n,
};

/** So many lines are named as what a delivery became. */
const mostTold = 50;

/**
 * Writes what a provider said: each movement once, as a line of the connection's clearing account in its currency, with the payouts that it says.
 * It comes to the same in any order and however often it is said.
 * @throws NeverApplies for what the books cannot hold
 */
export async function take(
  tx: TenantTransaction,
  from: { readonly connectionId: string; readonly provider: string; readonly title: string; readonly live: boolean },
  said: Said,
): Promise<readonly Became[]> {
  const became: Became[] = [];
  const { gone = [], noted = [], unless } = said;
  const currencies = [
    ...new Set([...said.movements, ...said.payouts, ...noted].map(({ currency }) => currency)).union(
      await currenciesOf(tx, from.connectionId, gone),
    ),
  ].toSorted();
  for (const currency of currencies) {
    const movements = said.movements.filter((one) => one.currency === currency);
    const payouts = said.payouts.filter((one) => one.currency === currency);
    if (!isCurrency(currency)) throw new NeverApplies(`${currency} is no currency of ISO 4217`);
    if (![...movements, ...payouts].every(({ amount }) => BigInt.asIntN(63, amount) === amount))
      throw new NeverApplies('an amount is beyond what an account can hold');
    for (const { kind, amount } of movements)
      if (amount * (signs[kind] ?? 0n) < 0n)
        throw new NeverApplies(`a ${kind.replaceAll('_', ' ')} has an amount below nothing`);
    const feed = await openFeed(tx, {
      connectionId: from.connectionId,
      provider: from.provider,
      kind: 'clearing',
      remote: '',
      name: from.live ? from.title : `${from.title} test`,
      live: from.live,
      currency,
    });
    // What is said now is not gone.
    if (unless === undefined || !(await isKnown(tx, feed, unless))) {
      await noteMovements(
        tx,
        feed,
        noted.filter((one) => one.currency === currency),
      );
      await dropMovements(tx, feed, gone);
    }
    await sayMovements(tx, feed, movements);
    for (const one of payouts) await sayPayout(tx, feed, one);
    const { made, withdrawn } = await settle(tx, feed);
    await matchNamed(tx, made);
    became.push(...[...made, ...withdrawn].map((id) => ({ kind: 'bank_line', id })));
  }
  return became.slice(0, mostTold);
}

/** In which a connection's movements of these ids are. */
async function currenciesOf(
  tx: TenantTransaction,
  connectionId: string,
  movements: readonly string[],
): Promise<ReadonlySet<string>> {
  if (movements.length === 0) return new Set();
  const feeds = await tx.query<{ currency: string }>(sql`
    select f.currency from accounting.feed f
    where f.tenant_id = ${tx.context.tenant}::uuid and f.connection_id = ${connectionId}::uuid and f.kind = 'clearing'
      and exists (select from accounting.feed_movement m where m.tenant_id = f.tenant_id and m.feed_id = f.feed_id
        and m.movement_id = any (${movements}::text[]))`);
  return new Set(feeds.map(({ currency }) => currency));
}

/** A later status never gives way to an earlier one, so that it does not matter which was read first. */
async function sayPayout(tx: TenantTransaction, feed: Feed, said: SaidPayout): Promise<void> {
  const [row] = await tx.query<{
    day: string;
    amount: bigint;
    status: string;
    itemized: boolean;
    complete: boolean;
  }>(sql`
    insert into accounting.payout as p (tenant_id, feed_id, payout_id, day, amount, status, itemized, complete)
    values (${tx.context.tenant}::uuid, ${feed.id}::uuid, ${said.id}, ${said.day}::date, ${said.amount.toString()}::bigint, ${said.status},
      ${said.itemized}, ${said.complete})
    on conflict (tenant_id, feed_id, payout_id) do update set day = excluded.day, amount = excluded.amount, status = excluded.status,
      itemized = p.itemized or excluded.itemized, complete = p.complete or excluded.complete, changed_at = clock_timestamp()
    where array_position(${payoutStatuses}::text[], excluded.status) >= array_position(${payoutStatuses}::text[], p.status)
      and ((p.day, p.amount, p.status) <> (excluded.day, excluded.amount, excluded.status)
        or (excluded.itemized and not p.itemized) or (excluded.complete and not p.complete))
    returning day::text as day, amount, status, itemized, complete`);
  if (row === undefined) return;
  tx.record(
    event('accounting.payout.changed', {
      feed_id: feed.id,
      payout_id: said.id,
      day: row.day,
      amount: formatAmount(row.amount, feed.currency),
      currency: feed.currency,
      status: row.status,
      itemized: row.itemized,
      complete: row.complete,
    }),
  );
}
