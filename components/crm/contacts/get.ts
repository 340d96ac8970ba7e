import { operation } from '@steward/access';
import { id } from '@steward/contract';
import { statement, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { reads } from '../operations.ts';
import { readContacts } from '../permissions.ts';
import { contact, unknownContact, type Contact } from './contact.ts';
import { partiesOfContact, party, type PersonPorts } from './person.ts';

const contactById = (tenant: string, contactId: string): Statement =>
  statement(
    `select ${contact.columns} from crm.contact asked
     join crm.contact c on c.tenant_id = asked.tenant_id and c.contact_id = coalesce(asked.merged_into, asked.contact_id)
     where asked.tenant_id = $1::uuid and asked.contact_id = $2::uuid`,
    [tenant, contactId],
  );

/** The contact, or the one it was merged into. @throws Problem `not_found` (404), for another tenant's contact too */
export async function getContact(context: TenantContext, contactId: string): Promise<Contact> {
  const [row] = await context.require(readContacts).read(contactById(context.tenant, contactId));
  if (row === undefined) throw unknownContact();
  return contact.read(row);
}

/** With the customers and suppliers that are the same person. */
export const getPerson = operation(
  {
    ...reads,
    name: 'service_get_contact',
    input: z.strictObject({ contactId: id().schema.meta({ description: 'From service_search_contacts.' }) }),
    answer: contact.answer.extend({ parties: z.array(party), suggestedParties: z.array(party) }),
    errors: ['not_found'],
  },
  async ({ context }, { contactId }, { partiesOf }: PersonPorts) => {
    const found = await getContact(context, contactId);
    const { linked, suggested } = await partiesOfContact(context, found, partiesOf);
    return { ...found, parties: linked, suggestedParties: suggested };
  },
);

export async function contactIn(tx: TenantTransaction, contactId: string): Promise<Contact> {
  const [row] = await tx.query(contactById(tx.context.tenant, contactId));
  if (row === undefined) throw unknownContact();
  return contact.read(row);
}
