import { sql, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { presentBilling, type BillingRow } from './billing.ts';
import type { Plans } from './plans.ts';

/** What a tenant is billed as from now on. */
export interface Standing {
  readonly tier: string;
  readonly status: 'active' | 'past_due' | 'canceled';
  readonly pastDueSince: Date | null;
}

export interface MovePorts {
  readonly plans: Plans;
  /** Tells every process of it. */
  readonly changed: (tx: TenantTransaction) => Promise<void>;
}

export const isBilledAs = (row: BillingRow, { tier, status, pastDueSince }: Standing): boolean =>
  row.tier === tier && row.status === status && row.past_due_since?.getTime() === pastDueSince?.getTime();

/** The one place where what a tenant is billed as changes, with its event. @param row locked by this transaction; the row as it is then */
export async function moveTo(
  tx: TenantTransaction,
  row: BillingRow,
  to: Standing,
  { plans, changed }: MovePorts,
): Promise<BillingRow> {
  if (isBilledAs(row, to)) return row;
  const { tier, status, pastDueSince } = to;
  await tx.mark();
  await tx.query(
    sql`update portal.billing set tier = ${tier}, status = ${status}, past_due_since = ${pastDueSince?.toISOString() ?? null}::timestamptz`,
  );
  await changed(tx);
  tx.record(
    event('portal.billing.changed', {
      before: presentBilling(row, Date.now(), plans).tier,
      after: tier,
      status,
      ...(pastDueSince === null ? {} : { past_due_since: pastDueSince.toISOString() }),
    }),
  );
  return { ...row, tier, status, past_due_since: pastDueSince };
}
