import { statement, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { readContacts } from '../permissions.ts';
import { contactColumns, presentContact, unknownContact, type Contact } from './contact.ts';

const contactById = (tenant: string, id: string): Statement =>
  statement(
    `select ${contactColumns} from crm.contact asked
     join crm.contact c on c.tenant_id = asked.tenant_id and c.contact_id = coalesce(asked.merged_into, asked.contact_id)
     where asked.tenant_id = $1::uuid and asked.contact_id = $2::uuid`,
    [tenant, id],
  );

/** The contact, or the one it was merged into. @throws Problem `not_found` (404), for another tenant's contact too */
export async function getContact(context: TenantContext, id: string): Promise<Contact> {
  const [row] = await context.require(readContacts).read(contactById(context.tenant, id));
  if (row === undefined) throw unknownContact();
  return presentContact(row);
}

export async function contactIn(tx: TenantTransaction, id: string): Promise<Contact> {
  const [row] = await tx.query(contactById(tx.context.tenant, id));
  if (row === undefined) throw unknownContact();
  return presentContact(row);
}
