import { beforeAllIds, connectTo, jobRoleOf, quote } from '@steward/sql';
import { presentBilling, type Billing, type BillingRow } from '../billing/billing.ts';
import type { Plans } from '../billing/plans.ts';

export interface ListedTenant extends Pick<Billing, 'tier' | 'status'> {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface TenantsWanted {
  /** 1 to 1000. */
  readonly limit: number;
  /** The id of the last one that was listed before. */
  readonly after?: string | undefined;
  /** In the name, in whatever case. */
  readonly name?: string | undefined;
}

/**
 * Tenants by their ids, and so from the oldest to the newest, for the operator; the tier is that of this moment.
 * @param ownerUrl the owner's login, which may act as the directory's role
 */
export async function listTenants(
  ownerUrl: string,
  { limit, after = beforeAllIds, name = '' }: TenantsWanted,
  plans: Plans,
): Promise<{ items: ListedTenant[]; more: boolean }> {
  const client = await connectTo(ownerUrl, { applicationName: 'steward-tenants' });
  try {
    await client.query(`set role ${quote(await jobRoleOf(client, 'portal_directory'))}`);
    const { rows } = await client.query<BillingRow & { id: string; name: string; created_at: Date; billed: boolean }>(
      `select t.tenant_id as id, t.name, t.created_at, b.tenant_id is not null as billed, b.tier, b.status, b.trial_ends_at, b.past_due_since
       from portal.tenant t left join portal.billing b on b.tenant_id = t.tenant_id
       where t.tenant_id > $1 and strpos(lower(t.name), lower($2)) > 0 order by t.tenant_id limit $3`,
      [after, name, limit + 1],
    );
    const now = Date.now();
    const items = rows.slice(0, limit).map((row) => {
      const { tier, status } = presentBilling(row.billed ? row : undefined, now, plans);
      return { id: row.id, name: row.name, createdAt: row.created_at, tier, status };
    });
    return { items, more: rows.length > limit };
  } finally {
    await client.end();
  }
}
