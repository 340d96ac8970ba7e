import type { PrincipalRef } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';

/** The suspended member of the transaction's tenant whose token came with this address, in lower case, or who is this principal. */
export async function suspendedMember(
  tx: TenantTransaction,
  { address, principal }: { readonly address?: string; readonly principal?: PrincipalRef },
): Promise<PrincipalRef | undefined> {
  const [row] = await tx.query<{ type: PrincipalRef['type']; id: string }>(sql`
    select m.principal_type as type, m.principal_id as id
    from identity.member m left join lateral identity.people(array[m.principal_id]) p on m.principal_type = 'user'
    where m.tenant_id = ${tx.context.tenant}::uuid and m.suspended_at is not null
      and (lower(p.email) = ${address ?? null} or (m.principal_type = ${principal?.type ?? null} and m.principal_id = ${principal?.id ?? null}))
    limit 1`);
  return row;
}
