import { sql, type Statement } from '@steward/sql';

/** Ids under which data of one person may be stored: the contact's, and those that were merged with it. None if there is no such contact. */
export const sameContact = (tenant: string, contactId: string): Statement => sql`
  select m.contact_id as id
  from (select coalesce(c.merged_into, c.contact_id) as id from crm.contact c
    where c.tenant_id = ${tenant}::uuid and c.contact_id = ${contactId}::uuid) led
  join crm.contact m on m.tenant_id = ${tenant}::uuid and (m.contact_id = led.id or m.merged_into = led.id)`;
