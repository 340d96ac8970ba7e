import { sql, type Row, type Statement, type TenantTransaction } from '@steward/sql';

export interface Billing {
  readonly tier: string;
  readonly status: string;
  /** Milliseconds since the epoch; 0 without a trial. */
  readonly trialEndsAt: number;
  readonly entitlements: ReadonlySet<string>;
  /** Milliseconds since the epoch after which this must be computed again. */
  readonly validUntil: number;
}

/** What a tier lets a tenant do. `free`: what is theirs stays readable and exportable, decisions can be taken. */
const entitlementsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  free: new Set(['read', 'export', 'decide']),
  trial: new Set(['read', 'export', 'decide', 'write', 'approval']),
};

export const selectBilling: Statement = sql`select tier, status, trial_ends_at from portal.billing`;

/** A trial ends by the clock, whether or not a provider ever calls (contracts §5). */
export function presentBilling(row: Row | undefined, now: number): Billing {
  const trialEndsAt = (row?.['trial_ends_at'] as Date | null | undefined)?.getTime() ?? 0;
  const trialing = row?.['status'] === 'trialing';
  const ended = trialing && now >= trialEndsAt;
  const tier = ended ? 'free' : String(row?.['tier'] ?? 'free');
  return {
    tier,
    status: ended ? 'trial_ended' : String(row?.['status'] ?? 'none'),
    trialEndsAt,
    entitlements: entitlementsOf[tier] ?? entitlementsOf['free'] ?? new Set(),
    validUntil: trialing && !ended ? trialEndsAt : Number.POSITIVE_INFINITY,
  };
}

export async function readBilling(tx: TenantTransaction): Promise<Billing> {
  const [row] = await tx.query(selectBilling);
  return presentBilling(row, Date.now());
}
