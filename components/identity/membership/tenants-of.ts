import type { Role } from '@steward/access';
import type { PrincipalRef } from '@steward/kernel';
import { sql, type SqlPool } from '@steward/sql';

/** Every tenant this exact subject is a member of, by tenant id. Service tokens are members of none. */
export async function tenantsOf(pool: SqlPool, subject: PrincipalRef): Promise<{ tenant: string; role: Role }[]> {
  return pool.read<{ tenant: string; role: Role }>(
    sql`select tenant_id as tenant, role from identity.tenants_of(${subject.type}, ${subject.id})`,
  );
}
