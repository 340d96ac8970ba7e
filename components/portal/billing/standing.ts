import { NeverApplies } from '@steward/callbacks';
import { sql, type Statement } from '@steward/sql';
import type { Standing } from './move.ts';
import { tierOfPrice, type Plans } from './plans.ts';
import type { Subscription } from './presented.ts';

/** What is kept of a subscription; nothing before there is one. */
export type Heard = {
  readonly subscription_id: string | null;
  readonly subscription_tier: string | null;
  readonly standing: 'active' | 'past_due' | 'canceled' | null;
  readonly began_at: Date | null;
  readonly past_due_since: Date | null;
};

export type DisputeRow = {
  readonly dispute_id: string;
  readonly status: string;
  readonly opened_at: Date;
  readonly reading: bigint;
};

export const selectDisputes: Statement = sql`select dispute_id, status, opened_at, reading from portal.billing_dispute`;

/** One that was never paid for at all (`incomplete`, `incomplete_expired`) is none. */
const standings: Readonly<Partial<Record<Subscription['status'], NonNullable<Heard['standing']>>>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  paused: 'canceled',
  canceled: 'canceled',
};

const order = ['active', 'past_due', 'canceled'];

/**
 * What all subscriptions of a customer come to: the best of them counts, of several the newest.
 * @throws NeverApplies where it is for a price that no tier of `PLANS` has
 */
export function heardOf(subscriptions: readonly Subscription[], plans: Plans): Heard | undefined {
  const [best] = subscriptions
    .flatMap((one) => {
      const standing = standings[one.status];
      return standing === undefined ? [] : [{ ...one, standing }];
    })
    .toSorted(
      (a, b) =>
        order.indexOf(a.standing) - order.indexOf(b.standing) ||
        b.beganAt.getTime() - a.beganAt.getTime() ||
        (a.id < b.id ? 1 : -1),
    );
  if (best === undefined) return undefined;
  const { id, standing, prices, beganAt, unpaidSince } = best;
  const tier = prices.map((price) => tierOfPrice(plans.tiers, price)).find((one) => one !== undefined);
  if (tier === undefined && standing !== 'canceled')
    throw new NeverApplies(
      `No tier has the price ${prices.join(', ')}: give it to one in PLANS, and repeat the delivery.`,
    );
  return {
    subscription_id: id,
    subscription_tier: tier ?? plans.afterTrial,
    standing,
    began_at: beganAt,
    past_due_since: standing === 'past_due' ? unpaidSince : null,
  };
}

/** In which the money is gone, or may be. An inquiry (`warning_…`) takes nothing. */
const taken = ['needs_response', 'under_review', 'lost'];

/** What a tenant is billed as by its subscription and its disputed payments; undefined where it never had one. */
export function standingOf(heard: Heard, disputes: readonly DisputeRow[], plans: Plans): Standing | undefined {
  const { standing, subscription_tier: tier, began_at: began, past_due_since: unpaid } = heard;
  if (standing === null || tier === null || began === null) return undefined;
  if (standing === 'canceled') return { tier: plans.afterTrial, status: 'canceled', pastDueSince: null };
  // Who subscribes anew has nothing to do with what was disputed before.
  const disputed = disputes
    .filter(({ status, opened_at: opened }) => taken.includes(status) && opened >= began)
    .map(({ opened_at: opened }) => opened.getTime());
  const since = Math.min(...disputed, unpaid?.getTime() ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(since)
    ? { tier, status: 'past_due', pastDueSince: new Date(since) }
    : { tier, status: 'active', pastDueSince: null };
}

export const isSameStanding = (one: Standing | undefined, other: Standing | undefined): boolean =>
  one?.tier === other?.tier &&
  one?.status === other?.status &&
  one?.pastDueSince?.getTime() === other?.pastDueSince?.getTime();

export const isSameHeard = (one: Heard, other: Heard): boolean =>
  one.subscription_id === other.subscription_id &&
  one.subscription_tier === other.subscription_tier &&
  one.standing === other.standing &&
  one.began_at?.getTime() === other.began_at?.getTime() &&
  one.past_due_since?.getTime() === other.past_due_since?.getTime();
