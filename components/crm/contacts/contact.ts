import { randomUUID } from 'node:crypto';
import { count, field, flag, id, moment, nullable, type Of, shape, text, texts } from '@steward/contract';
import { fail } from '@steward/kernel';
import { sql, statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { camelRefs, refs, type Refs } from '../refs.ts';
import { readEmail } from '../identity/email.ts';
import { readName } from '../identity/name.ts';
import { valueSchema } from '../schema/value.ts';
import type { Said } from './mapped.ts';
import { termsOf } from './terms.ts';

const merged = (column: 'email' | 'phone'): string =>
  `array(select m.${column} from crm.contact m where m.tenant_id = c.tenant_id and m.merged_into = c.contact_id and m.${column} is not null order by 1)`;

/** Of `crm.contact` named `c`. */
export const contact = shape('c', {
  id: id('c.contact_id'),
  email: nullable(text()),
  /** E.164, with `;ext=` where there is an extension. */
  phone: nullable(text()),
  name: nullable(text()),
  /** Addresses and phones of contacts that were merged into this one: they still lead here. */
  otherEmails: texts(merged('email')),
  otherPhones: texts(merged('phone')),
  custom: field(z.record(z.string(), valueSchema)),
  /** Where it came from first: a `kind`, and ids of what others keep. */
  source: field(refs, undefined, (stored) => camelRefs(stored as Refs)),
  archived: flag('c.archived_at is not null'),
  /** Nobody but test keys' submissions has brought anything of it. */
  test: flag(),
  /** One more with each change. */
  version: count(),
  createdAt: moment(),
  updatedAt: moment(),
});
export type Contact = Of<typeof contact>;

export const unknownContact = (): Error => fail('not_found', 'There is no such contact in this tenant.');

/** What a contact says of itself, as if it were said now. */
export function saidBy({ email, phone, name, custom }: Pick<Contact, 'email' | 'phone' | 'name' | 'custom'>): Said {
  const address = email === null ? undefined : readEmail(email);
  const named = name === null ? undefined : readName(name);
  return {
    ...(address === undefined ? {} : { email: address }),
    ...(phone === null ? {} : { phone }),
    ...(named === undefined ? {} : { name: named }),
    custom,
  };
}

/**
 * An id for a new contact. Random: visitors are told it, and a time in it would say since when somebody is known (docs/adr/0018).
 */
export const newContactId = (): string => randomUUID();

/** Locked, so that nobody merges or changes it before the transaction ends. */
export const lockContact = (tenant: string, contactId: string): Statement =>
  statement(
    `select ${contact.columns}, c.merged_into from crm.contact c
     where c.tenant_id = $1::uuid and c.contact_id = $2::uuid for no key update`,
    [tenant, contactId],
  );

/** The contact of this id, or the one it was merged into; locked. @throws Problem `not_found` (404) */
export async function lockedContact(tx: TenantTransaction, contactId: string): Promise<Contact> {
  for (let next = contactId; ;) {
    const [row] = await tx.query(lockContact(tx.context.tenant, next));
    if (row === undefined) throw unknownContact();
    if (row['merged_into'] === null) return contact.read(row);
    next = String(row['merged_into']);
  }
}

/** Makes what a contact is found by be what it says now. */
export async function renewTerms(tx: TenantTransaction, contactId: string, said: Said): Promise<void> {
  const { tenant } = tx.context;
  const { fields, values } = termsOf(said);
  await tx.query(sql`
    delete from crm.contact_term where tenant_id = ${tenant}::uuid and contact_id = ${contactId}::uuid
      and (field, value) not in (select field, value from unnest(${fields}::text[], ${values}::text[]) as term (field, value))`);
  await tx.query(sql`
    insert into crm.contact_term (tenant_id, field, value, created_at, contact_id)
    select c.tenant_id, field, value, c.created_at, c.contact_id
    from crm.contact c cross join unnest(${fields}::text[], ${values}::text[]) as term (field, value)
    where c.tenant_id = ${tenant}::uuid and c.contact_id = ${contactId}::uuid
    on conflict do nothing`);
}

/** Inserts a contact unless somebody has its address or phone, or is known by the same name alone. Answers its id. */
export async function insertContact(tx: TenantTransaction, said: Said, source: Refs): Promise<string | undefined> {
  const contactId = newContactId();
  const [row] = await tx.query(sql`
    insert into crm.contact (tenant_id, contact_id, email, email_key, phone, name, name_key, custom, source)
    values (${tx.context.tenant}::uuid, ${contactId}::uuid, ${said.email?.address}, ${said.email?.key}, ${said.phone},
      ${said.name?.text}, ${said.name?.key}, ${JSON.stringify(said.custom)}::jsonb, ${JSON.stringify(source)}::jsonb)
    on conflict do nothing returning contact_id`);
  if (row === undefined) return undefined;
  await renewTerms(tx, contactId, said);
  return contactId;
}
