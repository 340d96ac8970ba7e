import { permit } from '@steward/access';
import { newId } from '@steward/kernel';
import { sql, type Tenancy, type TenantContext, type TenantTransaction } from '@steward/sql';

const alice = { type: 'user', id: 'alice' } as const;

/** A new tenant, whose owner acts. @param provision what the tenant needs besides its owner, in the same transaction */
export async function openTenant(
  tenancy: Tenancy,
  provision: (tx: TenantTransaction) => Promise<void>,
): Promise<TenantContext> {
  const admission = {
    tenant: newId(),
    chain: [alice],
    subject: alice,
    caller: alice,
    requestId: 'r',
    correlationId: 'c',
  };
  await tenancy
    .systemContext(admission)
    .require(permit('provision', ['platform']))
    .write(async (tx) => {
      await tx.query(sql`insert into identity.member (tenant_id, principal_type, principal_id, role)
        values (${admission.tenant}, 'user', 'alice', 'owner')`);
      await provision(tx);
    });
  return tenancy.context(admission);
}
