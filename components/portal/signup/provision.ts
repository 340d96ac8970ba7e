import { newId, type PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { announcement, event, memberFacts } from '../events.ts';
import type { SignupRequest } from './request.ts';

/** What a new tenant is given by another component, in the signup's own transaction. */
export type ProvisionStep = (
  tx: TenantTransaction,
  facts: SignupRequest & { readonly causalId: string },
) => Promise<void>;

export interface Provisioning {
  /** Opens the tenant's audit chain, before anything is recorded in it. */
  readonly openChain: (tx: TenantTransaction) => Promise<void>;
  /** Makes the owner a member. */
  readonly join: (tx: TenantTransaction, owner: PrincipalRef) => Promise<void>;
  /** What other components give a new tenant. */
  readonly steps: readonly ProvisionStep[];
  readonly trialDays: number;
}

/** Chain, tenant, trial, owner and default brand; then what other components bring. The trial's end, in milliseconds. */
export async function provision(
  tx: TenantTransaction,
  request: SignupRequest,
  { openChain, join, steps, trialDays }: Provisioning,
): Promise<number> {
  const { tenant, subject } = tx.context;
  await openChain(tx);
  const brand = newId();
  await tx.mark();
  const [billing] = await tx.query<{ trial_ends_at: Date }>(sql`
    with tenant as (
      insert into portal.tenant (tenant_id, name, default_currency, fiscal_year_start_month, persona)
      values (${tenant}::uuid, ${request.organizationName}, ${request.defaultCurrency}, ${request.fiscalYearStartMonth}::int, ${request.persona})
      returning tenant_id)
    insert into portal.billing (tenant_id, tier, status, trial_ends_at)
    select tenant_id, 'trial', 'trialing', date_trunc('milliseconds', clock_timestamp()) + make_interval(days => ${trialDays}::int) from tenant
    returning trial_ends_at`);
  if (billing === undefined) throw new Error('no tenant was made');
  await tx.query(
    sql`insert into portal.brand (tenant_id, brand_id, name, is_default) values (${tenant}::uuid, ${brand}::uuid, ${request.organizationName}, true)`,
  );
  await tx.query(sql`insert into portal.tool_policy (tenant_id) values (${tenant}::uuid)`);
  const causalId = tx.record(
    event('portal.tenant.created', {
      default_currency: request.defaultCurrency,
      fiscal_year_start_month: request.fiscalYearStartMonth,
      persona: request.persona,
      default_brand_id: brand,
      billing_tier: 'trial',
      trial_ends_at: billing.trial_ends_at.toISOString(),
    }),
  );
  await join(tx, subject);
  tx.record(event('portal.member.added', { ...memberFacts(subject), role: 'owner' }, { causalId }));
  for (const step of steps) await step(tx, { ...request, causalId });
  tx.publish(
    announcement('portal.tenant.created', { tenantId: tenant, persona: request.persona }, { subject: tenant }),
  );
  return billing.trial_ends_at.getTime();
}
