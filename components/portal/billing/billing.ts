import type { Plans } from './plans.ts';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';

export interface Billing {
  readonly tier: string;
  /** `trialing`, `trial_ended`, `active`, `past_due` or `canceled`. */
  readonly status: string;
  /** Milliseconds since the epoch; 0 without a trial. */
  readonly trialEndsAt: number;
  readonly entitlements: ReadonlySet<string>;
  /** Milliseconds since the epoch after which this must be computed again. */
  readonly validUntil: number;
}

/** As the database holds it. */
export type BillingRow = { readonly tier: string; readonly status: string; readonly trial_ends_at: Date | null };

export const selectBilling: Statement = sql`select tier, status, trial_ends_at from portal.billing`;

/**
 * A trial ends by the clock, whether or not a provider ever calls (contracts §5). A tier that is not configured any more
 * entitles to what `free` does.
 */
export function presentBilling(row: BillingRow | undefined, now: number, { tiers, afterTrial }: Plans): Billing {
  const trialEndsAt = row?.trial_ends_at?.getTime() ?? 0;
  const trialing = row?.status === 'trialing';
  const ended = trialing && now >= trialEndsAt;
  const tier = ended ? afterTrial : (row?.tier ?? 'free');
  return {
    tier,
    status: ended ? (tier === 'free' ? 'trial_ended' : 'active') : (row?.status ?? 'canceled'),
    trialEndsAt,
    entitlements: (tiers[tier] ?? tiers['free'])?.entitlements ?? new Set(),
    validUntil: trialing && !ended ? trialEndsAt : Number.POSITIVE_INFINITY,
  };
}

export async function billingIn(tx: TenantTransaction, plans: Plans): Promise<Billing> {
  const [row] = await tx.query<BillingRow>(selectBilling);
  return presentBilling(row, Date.now(), plans);
}
