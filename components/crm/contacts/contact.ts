import { randomUUID } from 'node:crypto';
import { fail } from '@steward/kernel';
import { sql, type Row, type Statement, type TenantTransaction } from '@steward/sql';
import type { Refs } from '../refs.ts';
import { readEmail } from '../identity/email.ts';
import { readName } from '../identity/name.ts';
import type { Value } from '../schema/value.ts';
import type { Said } from './mapped.ts';
import { termsOf } from './terms.ts';

export interface Contact {
  readonly id: string;
  readonly email: string | null;
  /** E.164, with `;ext=` where there is an extension. */
  readonly phone: string | null;
  readonly name: string | null;
  /** Addresses and phones of contacts that were merged into this one: they still lead here. */
  readonly otherEmails: readonly string[];
  readonly otherPhones: readonly string[];
  readonly custom: Readonly<Record<string, Value>>;
  /** Where it came from first: a `kind`, and ids of what others keep. */
  readonly source: Refs;
  readonly archived: boolean;
  /** Nobody but test keys' submissions has brought anything of it. */
  readonly test: boolean;
  /** One more with each change. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Columns of a contact as `presentContact` reads them, of `crm.contact` named `c`. Text for statements that are put together. */
export const contactColumns = `c.contact_id, c.email, c.phone, c.name, c.custom, c.source, c.archived_at, c.test, c.version, c.created_at, c.updated_at,
  array(select m.email from crm.contact m where m.tenant_id = c.tenant_id and m.merged_into = c.contact_id and m.email is not null order by 1) as other_emails,
  array(select m.phone from crm.contact m where m.tenant_id = c.tenant_id and m.merged_into = c.contact_id and m.phone is not null order by 1) as other_phones`;

export const presentContact = (row: Row): Contact => ({
  id: String(row['contact_id']),
  email: row['email'] as string | null,
  phone: row['phone'] as string | null,
  name: row['name'] as string | null,
  otherEmails: row['other_emails'] as string[],
  otherPhones: row['other_phones'] as string[],
  custom: row['custom'] as Record<string, Value>,
  source: row['source'] as Refs,
  archived: row['archived_at'] !== null,
  test: row['test'] === true,
  version: Number(row['version']),
  createdAt: (row['created_at'] as Date).toISOString(),
  updatedAt: (row['updated_at'] as Date).toISOString(),
});

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
export const lockContact = (tenant: string, id: string): Statement => sql`
  select contact_id, email, phone, name, custom, source, archived_at, test, version, created_at, updated_at, merged_into,
    '{}'::text[] as other_emails, '{}'::text[] as other_phones
  from crm.contact where tenant_id = ${tenant}::uuid and contact_id = ${id}::uuid for no key update`;

/** The contact of this id, or the one it was merged into; locked. @throws Problem `not_found` (404) */
export async function lockedContact(tx: TenantTransaction, id: string): Promise<Contact> {
  for (let next = id; ;) {
    const [row] = await tx.query(lockContact(tx.context.tenant, next));
    if (row === undefined) throw unknownContact();
    if (row['merged_into'] === null) return presentContact(row);
    next = String(row['merged_into']);
  }
}

/** Makes what a contact is found by be what it says now. */
export async function renewTerms(tx: TenantTransaction, id: string, said: Said): Promise<void> {
  const { tenant } = tx.context;
  const { fields, values } = termsOf(said);
  await tx.query(sql`
    delete from crm.contact_term where tenant_id = ${tenant}::uuid and contact_id = ${id}::uuid
      and (field, value) not in (select field, value from unnest(${fields}::text[], ${values}::text[]) as term (field, value))`);
  await tx.query(sql`
    insert into crm.contact_term (tenant_id, field, value, created_at, contact_id)
    select c.tenant_id, field, value, c.created_at, c.contact_id
    from crm.contact c cross join unnest(${fields}::text[], ${values}::text[]) as term (field, value)
    where c.tenant_id = ${tenant}::uuid and c.contact_id = ${id}::uuid
    on conflict do nothing`);
}

/** Inserts a contact unless somebody has its address or phone, or is known by the same name alone. Answers its id. */
export async function insertContact(tx: TenantTransaction, said: Said, source: Refs): Promise<string | undefined> {
  const id = newContactId();
  const [row] = await tx.query(sql`
    insert into crm.contact (tenant_id, contact_id, email, email_key, phone, name, name_key, custom, source)
    values (${tx.context.tenant}::uuid, ${id}::uuid, ${said.email?.address}, ${said.email?.key}, ${said.phone},
      ${said.name?.text}, ${said.name?.key}, ${JSON.stringify(said.custom)}::jsonb, ${JSON.stringify(source)}::jsonb)
    on conflict do nothing returning contact_id`);
  if (row === undefined) return undefined;
  await renewTerms(tx, id, said);
  return id;
}
