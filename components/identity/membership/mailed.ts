import { sql, type TenantTransaction } from '@steward/sql';

/** Enough of a transaction to ask. */
type Asking = Pick<TenantTransaction, 'query'> & { readonly context: { readonly tenant: string } };

/** Those of `addresses`, in lower case, that the tokens of the tenant's members came with; suspended ones left out. */
export async function membersAmong(tx: Asking, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await tx.query<{ email: string }>(sql`
    select distinct lower(p.email) as email
    from identity.people(array(select m.principal_id from identity.member m
      where m.tenant_id = ${tx.context.tenant}::uuid and m.principal_type = 'user' and m.suspended_at is null)) p
    where lower(p.email) = any ((select ${addresses}::text[])::text[])`);
  return new Set(rows.map(({ email }) => email));
}

/** Those of `addresses`, in lower case, that tokens of people came with who were removed or suspended, and when that was last. They may be members again. */
export async function leftAmong(tx: Asking, addresses: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (addresses.length === 0) return new Map();
  const rows = await tx.query<{ email: string; at: Date }>(sql`
    with gone as (
      select principal_id, removed_at as at from identity.former_member
      where tenant_id = ${tx.context.tenant}::uuid and principal_type = 'user'
      union all
      select principal_id, suspended_at from identity.member
      where tenant_id = ${tx.context.tenant}::uuid and principal_type = 'user' and suspended_at is not null
    )
    select lower(p.email) as email, max(gone.at) as at
    from identity.people(array(select principal_id from gone)) p join gone on gone.principal_id = p.id
    where lower(p.email) = any ((select ${addresses}::text[])::text[])
    group by lower(p.email)`);
  return new Map(rows.map(({ email, at }) => [email, at]));
}
