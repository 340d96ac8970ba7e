import type { Plans } from './plans.ts';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';

export interface Billing {
  readonly tier: string;
  /** `trialing`, `trial_ended`, `active`, `past_due` or `canceled`. */
  readonly status: string;
  /** Milliseconds since the epoch; 0 without a trial. */
  readonly trialEndsAt: number;
  /** Milliseconds since the epoch at which an unpaid tier ends; 0 where nothing is unpaid. */
  readonly graceEndsAt: number;
  readonly entitlements: ReadonlySet<string>;
  /** Milliseconds since the epoch after which this must be computed again. */
  readonly validUntil: number;
}

/** As the database holds it. */
export type BillingRow = {
  readonly tier: string;
  readonly status: string;
  readonly trial_ends_at: Date | null;
  readonly past_due_since: Date | null;
};

export const selectBilling: Statement = sql`select tier, status, trial_ends_at, past_due_since from portal.billing`;
export const lockBilling: Statement = sql`select tier, status, trial_ends_at, past_due_since from portal.billing for update`;

/**
 * A trial ends by the clock, whether or not a provider ever calls (contracts §5), and so does the time in which somebody may still pay. A tier
 * that is not configured any more entitles to what `free` does.
 */
export function presentBilling(row: BillingRow | undefined, now: number, { tiers, afterTrial, grace }: Plans): Billing {
  const trialEndsAt = row?.trial_ends_at?.getTime() ?? 0;
  const trialing = row?.status === 'trialing';
  const ended = trialing && now >= trialEndsAt;
  const graceEndsAt = row?.status === 'past_due' ? (row.past_due_since?.getTime() ?? 0) + grace : 0;
  const unpaid = graceEndsAt !== 0 && now >= graceEndsAt;
  const tier = ended || unpaid ? afterTrial : (row?.tier ?? 'free');
  return {
    tier,
    status: ended ? (tier === 'free' ? 'trial_ended' : 'active') : (row?.status ?? 'canceled'),
    trialEndsAt,
    graceEndsAt,
    entitlements: (tiers[tier] ?? tiers['free'])?.entitlements ?? new Set(),
    validUntil: validUntil(now, trialing ? trialEndsAt : graceEndsAt),
  };
}

const validUntil = (now: number, changesAt: number): number => (changesAt > now ? changesAt : Number.POSITIVE_INFINITY);

export async function billingIn(tx: TenantTransaction, plans: Plans): Promise<Billing> {
  const [row] = await tx.query<BillingRow>(selectBilling);
  return presentBilling(row, Date.now(), plans);
}
