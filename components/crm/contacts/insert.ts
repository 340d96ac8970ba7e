import { statement, type TenantTransaction } from '@steward/sql';
import type { Refs } from '../refs.ts';
import { newContactId, type Said, toldColumns } from './contact.ts';
import { renewTerms } from './terms.ts';

/** Inserts a contact unless somebody has its address or phone, or is known by the same name alone. Answers its id. */
export async function insertContact(tx: TenantTransaction, said: Said, source: Refs): Promise<string | undefined> {
  const contactId = newContactId();
  const columns = toldColumns(said);
  const [row] = await tx.query(
    statement(
      `insert into crm.contact (tenant_id, contact_id, custom, source, ${columns.map(([column]) => column).join(', ')})
       values ($1::uuid, $2::uuid, $3::jsonb, $4::jsonb, ${columns.map((_column, index) => `$${index + 5}`).join(', ')})
       on conflict do nothing returning contact_id`,
      [
        tx.context.tenant,
        contactId,
        JSON.stringify(said.custom),
        JSON.stringify(source),
        ...columns.map(([, value]) => value ?? null),
      ],
    ),
  );
  if (row === undefined) return undefined;
  await renewTerms(tx, contactId, said);
  return contactId;
}
