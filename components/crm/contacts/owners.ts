import { sql, type TenantTransaction } from '@steward/sql';
import type { Said } from './contact.ts';

/** The contacts that hold what is said, each by its id or the id of the contact it was merged into. */
export interface Owners {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** Of contacts of which nothing but the name is known. */
  readonly name: string | undefined;
}

export async function ownersOf(tx: TenantTransaction, { email, phone, name }: Said): Promise<Owners> {
  const { tenant } = tx.context;
  const rows = await tx.query<{ kind: 'email' | 'phone' | 'name'; id: string }>(sql`
    select 'email' as kind, coalesce(merged_into, contact_id) as id from crm.contact
    where tenant_id = ${tenant}::uuid and email_key = ${email?.key ?? null}
    union all
    select 'phone', coalesce(merged_into, contact_id) from crm.contact
    where tenant_id = ${tenant}::uuid and phone = ${phone ?? null}
    union all
    select 'name', coalesce(merged_into, contact_id) from crm.contact
    where tenant_id = ${tenant}::uuid and name_key = ${name?.key ?? null} and email_key is null and phone is null`);
  const of = (kind: string): string | undefined => rows.find((row) => row.kind === kind)?.id;
  return { email: of('email'), phone: of('phone'), name: of('name') };
}
