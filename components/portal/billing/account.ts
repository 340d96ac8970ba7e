import { sql, type Statement, type TenantScope } from '@steward/sql';
import { event } from '../events.ts';
import { lockBilling, type BillingRow } from './billing.ts';
import { isBilledAs, moveTo, type MovePorts } from './move.ts';
import type { BillingProvider } from './provider.ts';
import { selectDisputes, standingOf, type DisputeRow, type Heard } from './standing.ts';

/** A tenant as a customer of the provider, and what was last heard of its subscription. */
export type AccountRow = Heard & { readonly customer_id: string; readonly live: boolean; readonly reading: bigint };

export const selectAccount: Statement = sql`
  select customer_id, live, subscription_id, subscription_tier, standing, began_at, past_due_since, reading from portal.billing_account`;
export const lockAccount: Statement = sql`
  select customer_id, live, subscription_id, subscription_tier, standing, began_at, past_due_since, reading from portal.billing_account for update`;

interface LinkPorts extends MovePorts {
  readonly provider: BillingProvider;
}

/**
 * Makes the tenant a customer of the provider. Of one that the provider has not, or not in this mode, nothing more is heard: what it paid for
 * is over.
 */
export async function linkCustomer(
  scope: TenantScope,
  account: AccountRow | undefined,
  { provider, ...ports }: LinkPorts,
): Promise<string> {
  const { tenant } = scope.context;
  const instead = account?.customer_id ?? null;
  const [named] = await scope.read<{ name: string }>(sql`select name from portal.tenant`);
  const made = await provider.createCustomer({ tenant, name: named?.name ?? '', instead });
  return scope.write(async (tx) => {
    const [former] = await tx.query<AccountRow>(lockAccount);
    const disputes = await tx.query<DisputeRow>(selectDisputes);
    await tx.mark();
    const [linked] = await tx.query(
      former === undefined
        ? // Whichever index two at once meet in: the provider makes one customer for both.
          sql`
            insert into portal.billing_account (tenant_id, customer_id, live) values (${tenant}::uuid, ${made}, ${provider.live}::boolean)
            on conflict do nothing returning customer_id`
        : sql`
            update portal.billing_account set customer_id = ${made}, live = ${provider.live}::boolean, subscription_id = null, subscription_tier = null,
              standing = null, began_at = null, past_due_since = null
            where tenant_id = ${tenant}::uuid and customer_id = ${instead} returning customer_id`,
    );
    if (linked === undefined) {
      // Somebody else did it meanwhile.
      const [other] = await tx.query<AccountRow>(selectAccount);
      return other?.customer_id ?? made;
    }
    tx.record(event('portal.billing.customer_linked', { customer_id: made, live: provider.live }));
    const [row] = await tx.query<BillingRow>(lockBilling);
    const paid = former === undefined ? undefined : standingOf(former, disputes, ports.plans);
    if (row !== undefined && paid !== undefined && isBilledAs(row, paid))
      await moveTo(tx, row, { tier: ports.plans.afterTrial, status: 'canceled', pastDueSince: null }, ports);
    return made;
  });
}
