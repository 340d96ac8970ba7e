import { sql, type TenantTransaction } from '@steward/sql';

/**
 * Informs every process that somebody's rights in the transaction's tenant have changed (role, grant, policy): this one
 * at the commit, the others at their next poll.
 */
export async function announce(tx: TenantTransaction, forget: (tenant: string) => void): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`insert into identity.standing_change (tenant_id) values (${tenant})`);
  tx.afterCommit(() => forget(tenant));
}
