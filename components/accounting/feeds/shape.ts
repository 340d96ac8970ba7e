import { amount, count, day, flag, id, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { payoutStatuses } from '../clearing/said.ts';
import { feedKinds } from './feed.ts';
import { movementKinds } from './movement.ts';

const movements = (state: string): string => `(select count(*)::int from (select from accounting.feed_movement m
    where m.tenant_id = f.tenant_id and m.feed_id = f.feed_id and ${state} limit 10000) m)`;

/** Where movements of a provider go: of `accounting.feed` named `f`, joined with its account `a` and its bank connection `k`, where there are any. */
export const feed = shape('f', {
  feedId: id(),
  connectionId: id(),
  provider: text(),
  /** `clearing`: money that a provider of payments holds. `bank`: an account at a bank. */
  kind: oneOf(feedKinds),
  name: text(),
  currency: text(),
  /** The account of the chart; null until somebody chooses it. */
  account: nullable(text('a.code')),
  /** Of a bank: `good`, or why nothing comes. */
  state: oneOf(['good', 'login_required', 'expiring', 'revoked', 'error'], `coalesce(k.state, 'good')`),
  fault: nullable(text('k.fault')),
  /** Movements that wait for an account to be chosen, or for a reconciliation to be undone; 10,000 where there are more. */
  waiting: count(movements(`m.state in ('due', 'leaving')`)),
  /** Movements that a line of a file, or of another connection, stands for; 10,000 where there are more. */
  doubles: count(movements(`m.state = 'double'`)),
});
export type FeedShown = Of<typeof feed>;

export const feedsFrom = `accounting.feed f
  left join accounting.account a on a.tenant_id = f.tenant_id and a.account_id = f.account_id
  left join accounting.bank_connection k on k.tenant_id = f.tenant_id and k.connection_id = f.connection_id and f.kind = 'bank'`;

/** What a provider says that moved: of `accounting.feed_movement` named `m`, with its feed `f`. */
export const movement = shape('m', {
  movementId: text(),
  kind: oneOf(movementKinds),
  day: day('m.day'),
  amount: amount(),
  description: text(),
  reference: nullable(text()),
  payoutId: nullable(text()),
  /** `kept`: it is a line. `double`: that line stands for it. `due`, `leaving`: it waits. `gone`: the provider took it back. */
  state: oneOf(['due', 'leaving', 'kept', 'double', 'gone']),
  lineId: nullable(id()),
});

const parts = `accounting.feed_movement m where m.tenant_id = p.tenant_id and m.feed_id = p.feed_id and m.payout_id = p.payout_id
  and m.kind not in ('payout', 'payout_reversal')`;

/** What a provider paid out, and what it is made of: of `accounting.payout` named `p`, with its feed `f` and account `a`. */
export const payout = shape('p', {
  payoutId: text(),
  feedId: id('p.feed_id'),
  provider: text('f.provider'),
  account: nullable(text('a.code')),
  day: day('p.day'),
  amount: amount(),
  status: oneOf(payoutStatuses),
  /** Whether the provider says of which movements it is made. */
  itemized: flag(),
  /** Whether it has said all of them. */
  complete: flag(),
  movements: count(`(select count(*)::int from ${parts})`),
  /** What they add up to. */
  sum: amount(`(select coalesce(sum(m.amount), 0)::bigint from ${parts})`),
  /** What the payout is more than its movements: nothing, where all is well. Null where the provider does not say of which it is made. */
  difference: nullable(
    amount(`case when p.itemized then (p.amount - (select coalesce(sum(m.amount), 0) from ${parts}))::bigint end`),
  ),
});
