import { createHash } from 'node:crypto';
import { caseFolded, searchTerms } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Value } from '../schema/value.ts';
import type { Said } from './contact.ts';

/** What contacts are found by, beside the address and the phone themselves. */
export interface Terms {
  readonly fields: readonly string[];
  readonly values: readonly string[];
}

/** Numbers are remembered by how they end: reversed, the end is the beginning. Extensions are left out. */
export const reversedDigits = (phone: string): string =>
  Array.from(phone.split(';')[0] ?? '')
    .filter((character) => /[0-9]/.test(character))
    .toReversed()
    .join('');

/** One value of a custom field, as it is compared. Long ones by their digest. */
export function termOf(value: Exclude<Value, readonly string[]>): string {
  const text = caseFolded(String(value)).replaceAll(/\s+/g, ' ').trim();
  return text.length <= 200 ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

export const termsOfValue = (value: Value): string[] =>
  typeof value === 'object' ? value.map((one) => termOf(one)) : [termOf(value)];

export function termsOf(said: Said): Terms {
  const pairs: [string, string][] = [
    ...(said.name === undefined ? [] : searchTerms(said.name.text)).map((word): [string, string] => ['name', word]),
    ...(said.phone === undefined ? [] : [['phone', reversedDigits(said.phone)] as [string, string]]),
    ...(said.email === undefined ? [] : [['email', said.email.domain] as [string, string]]),
    ...Object.entries(said.custom).flatMap(([key, value]) =>
      termsOfValue(value).map((term): [string, string] => [`custom.${key}`, term]),
    ),
  ];
  return { fields: pairs.map(([field]) => field), values: pairs.map(([, value]) => value) };
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
