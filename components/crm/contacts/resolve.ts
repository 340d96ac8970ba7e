import { newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import type { Refs } from '../refs.ts';
import { crmFail } from '../errors.ts';
import type { ContactSchema } from '../schema/field.ts';
import { contactSchemaIn } from '../schema/schema.ts';
import { newContactId, type Said } from './contact.ts';
import { moveConsent, sayConsent } from './consent.ts';
import { readMapped } from './mapped.ts';
import { recordChange, recordCreated } from './record.ts';
import { invalidContact } from './invalid.ts';
import { termsOf } from './terms.ts';

/** Where something came from: a kind such as `form.submitted`. No personal data. */
export interface Source {
  readonly kind: string;
  readonly refs: Refs;
}

export interface ContactSaid {
  readonly email?: unknown;
  readonly phone?: unknown;
  readonly name?: unknown;
  /** Values by key of the custom field. */
  readonly custom: Readonly<Record<string, unknown>>;
  readonly defaultCountry?: string | undefined;
  /** Also becomes the entry on the contact's timeline. */
  readonly source: Source;
  /** Said with a test key: a contact that it makes is one of tests, until somebody else brings something of it. */
  readonly test?: boolean | undefined;
  /** The person agreed to be sent news; kept with the source. What is said with a test key is nobody's word. */
  readonly marketingConsent?: boolean | undefined;
  /** The schema the values were checked against in this transaction; read where it is not given. */
  readonly schema?: ContactSchema | undefined;
}

export interface Resolved {
  readonly contactId: string;
  readonly created: boolean;
  /** What was empty and is not any more: `email`, `phone`, `name`, `custom.<key>`, `marketing_consent`; `test`, where it was a test contact. */
  readonly filled: readonly string[];
  /** It was archived, and is in use again. */
  readonly restored: boolean;
  /** The contact that the given phone belongs to, where that is another one. */
  readonly conflict: string | undefined;
}

/**
 * The contact that values from outside belong to, made where there is none: by e-mail address, else by phone, else, where
 * neither is given, by name among contacts of which nothing but a name is known. What is empty is filled, nothing is
 * overwritten; a phone that belongs to somebody with another address stays there. One statement; any number of calls at
 * once make one contact.
 * @throws Problem `contact_identity_required`, `invalid_request` (400)
 */
export async function resolveContact(tx: TenantTransaction, input: ContactSaid): Promise<Resolved> {
  const { email, phone, name, custom } = input;
  const schema = input.schema ?? (await contactSchemaIn(tx));
  const { said, errors } = readMapped(
    schema,
    { ...custom, email, phone, name },
    { defaultCountry: input.defaultCountry },
  );
  if (errors.length > 0) throw invalidContact(errors);
  return resolveSaid(tx, said, input);
}

async function resolveSaid(
  tx: TenantTransaction,
  said: Said,
  { source, test = false, marketingConsent = false }: Pick<ContactSaid, 'source' | 'test' | 'marketingConsent'>,
): Promise<Resolved> {
  if (said.email === undefined && said.phone === undefined && said.name === undefined)
    throw crmFail('contact_identity_required');
  const terms = termsOf(said);
  const [row] = await tx.query(sql`
    select o_contact, o_created, o_filled, o_conflict, o_restored from crm.resolve_contact(
      ${newContactId()}::uuid, ${said.email?.address}, ${said.email?.key}, ${said.phone}, ${said.name?.text}, ${said.name?.key},
      ${JSON.stringify(said.custom)}::jsonb, ${terms.fields}::text[], ${terms.values}::text[],
      ${newId()}::uuid, ${source.kind}, ${JSON.stringify(source.refs)}::jsonb, ${test}::boolean)`);
  const contactId = String(row?.['o_contact']);
  const created = row?.['o_created'] === true;
  if (created) recordCreated(tx, contactId, test);
  const filled = (row?.['o_filled'] ?? []) as string[];
  const ended = filled.includes('email') && (await moveConsent(tx, contactId));
  const agreed =
    marketingConsent &&
    !test &&
    (await sayConsent(
      tx,
      contactId,
      { given: true, source: { kind: source.kind, ...source.refs } },
      { emailKey: said.email?.key },
    ));
  const resolved: Resolved = {
    contactId,
    created,
    filled: [...filled, ...(agreed || ended ? ['marketing_consent'] : [])],
    restored: row?.['o_restored'] === true,
    conflict: (row?.['o_conflict'] as string | null) ?? undefined,
  };
  recordChange(tx, resolved);
  return resolved;
}
