import { fail } from '@steward/kernel';
import { type Plans, settled } from './plans.ts';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { event } from '../events.ts';
import { operateTenant } from '../permissions.ts';
import { presentBilling, type Billing, type BillingRow } from './billing.ts';

/**
 * Moves a tenant to another billing tier, at once and until it is moved again. Only the operator or a billing
 * provider may; nobody in a tenant may.
 * @param changed informs every process
 * @throws Problem `invalid_request` (400) for a tier that is not configured, `not_found` (404) for a tenant that does not exist
 */
export async function changeTier(
  context: TenantContext,
  tier: string,
  { plans, changed }: { readonly plans: Plans; readonly changed: (tx: TenantTransaction) => Promise<void> },
): Promise<{ readonly before: Billing; readonly after: Billing }> {
  if (!settled(plans.tiers).includes(tier))
    throw fail(
      'invalid_request',
      'Give a tier other than trial: ' +
        `${settled(plans.tiers).join(', ')}. ` +
        'Define further tiers in the variable PLANS, for this command as for the servers.',
    );
  return context.require(operateTenant).write(async (tx) => {
    const [row] = await tx.query<BillingRow>(sql`select tier, status, trial_ends_at from portal.billing for update`);
    if (row === undefined) throw fail('not_found', 'There is no such tenant.');
    const before = presentBilling(row, Date.now(), plans);
    await tx.mark();
    const [moved] = await tx.query<BillingRow>(sql`
      update portal.billing set tier = ${tier}, status = 'active' returning tier, status, trial_ends_at`);
    const after = presentBilling(moved, Date.now(), plans);
    if (row.tier === tier && row.status === 'active') return { before, after };
    await changed(tx);
    tx.record(event('portal.billing.changed', { before: before.tier, after: after.tier, status: after.status }));
    return { before, after };
  });
}
