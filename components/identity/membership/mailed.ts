import { sql, type TenantTransaction } from '@steward/sql';

/** Those of `addresses`, in lower case, that the tokens of the tenant's members came with; suspended ones left out. */
export async function membersAmong(
  tx: Pick<TenantTransaction, 'query'> & { readonly context: { readonly tenant: string } },
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await tx.query<{ email: string }>(sql`
    select distinct lower(p.email) as email
    from identity.people(array(select m.principal_id from identity.member m
      where m.tenant_id = ${tx.context.tenant}::uuid and m.principal_type = 'user' and m.suspended_at is null)) p
    where lower(p.email) = any ((select ${addresses}::text[])::text[])`);
  return new Set(rows.map(({ email }) => email));
}
