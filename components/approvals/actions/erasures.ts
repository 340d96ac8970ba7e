import { fail } from '@steward/kernel';
import { sql, type Statement, type TenantTransaction } from '@steward/sql';

const gate = (tenant: string): string => `approvals.erasure ${tenant}`;

/** How often somebody was erased in the tenant, or lost a right that they asked with. */
export async function countErasures(tx: TenantTransaction): Promise<number> {
  const [row] = await tx.query<{ times: number }>(countOf(tx.context.tenant));
  return row?.times ?? 0;
}

const countOf = (tenant: string): Statement =>
  sql`select times from approvals.erasure where tenant_id = ${tenant}::uuid`;

/** From here on nobody stores what was rehearsed before; those who are storing are waited for. */
export async function noteErasure(tx: TenantTransaction): Promise<void> {
  const { tenant } = tx.context;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${gate(tenant)}, 0))`);
  await tx.query(sql`
    insert into approvals.erasure as e (tenant_id, times) values (${tenant}::uuid, 1)
    on conflict (tenant_id) do update set times = e.times + 1`);
}

/**
 * Before a preview is stored, which may be about somebody who was erased since it was rehearsed, or asked by somebody who may not ask any more; nobody
 * is erased and nobody loses a right until the transaction ends.
 * @throws Problem `conflict` (409)
 */
export async function requireNoErasure(tx: TenantTransaction, since: number): Promise<void> {
  const [, [row] = []] = await tx.queryAll([
    sql`select pg_advisory_xact_lock_shared(hashtextextended(${gate(tx.context.tenant)}, 0))`,
    countOf(tx.context.tenant),
  ]);
  if (Number(row?.['times'] ?? 0) !== since)
    throw fail('conflict', 'Data was erased or a right was withdrawn at this moment: repeat the call.');
}
