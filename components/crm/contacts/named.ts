import { sql, type Row, type TenantContext } from '@steward/sql';
import { readEmail } from '../identity/email.ts';
import { readContacts } from '../permissions.ts';

/** A contact by what people know it by. */
export interface Named {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** By the ids that were asked for; one that was merged is the contact it was merged into, one that is not there is left out. */
export async function contactsById(
  context: TenantContext,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const { tenant } = context;
  const rows = await context.require(readContacts).read<Row & Named & { asked: string }>(sql`
    select asked.contact_id as asked, c.contact_id as id, c.name, c.email from crm.contact asked
    join crm.contact c on c.tenant_id = ${tenant}::uuid and c.contact_id = coalesce(asked.merged_into, asked.contact_id)
    where asked.tenant_id = ${tenant}::uuid and asked.contact_id = any (${contactIds}::uuid[])`);
  return new Map(rows.map(({ asked, id, name, email }) => [asked, { id, name, email }]));
}

export async function contactByEmail(context: TenantContext, email: string): Promise<Named | undefined> {
  const { tenant } = context;
  const [row] = await context.require(readContacts).read<Row & Named>(sql`
    select c.contact_id as id, c.name, c.email from crm.contact asked
    join crm.contact c on c.tenant_id = ${tenant}::uuid and c.contact_id = coalesce(asked.merged_into, asked.contact_id)
    where asked.tenant_id = ${tenant}::uuid and asked.email_key = ${readEmail(email)?.key ?? null}`);
  return row;
}
