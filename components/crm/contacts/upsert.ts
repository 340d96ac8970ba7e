import { type FieldError, jsonPointer, Problem } from '@steward/kernel';
import { sqlState, type TenantContext, type TenantTransaction } from '@steward/sql';
import { crmFail } from '../errors.ts';
import { isCountry } from '../identity/phone.ts';
import { writeContacts } from '../permissions.ts';
import { isBuiltIn, type ContactSchema } from '../schema/field.ts';
import { contactSchemaIn } from '../schema/schema.ts';
import { isBlank } from '../schema/value.ts';
import { changeContact, conflictWith } from './change.ts';
import { insertContact, lockedContact, type Contact } from './contact.ts';
import { contactIn } from './get.ts';
import { invalidContact } from './invalid.ts';
import { readMapped, type Said } from './mapped.ts';
import { ownersOf } from './owners.ts';
import { recordCreated, recordShelved, recordUpdated } from './record.ts';

export interface ContactInput {
  /** Changes this contact; without it the contact is found by e-mail address, else phone, else name. */
  readonly contactId?: string | undefined;
  /** What is given is written over what is there; null or blank takes it away. */
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  readonly name?: string | null | undefined;
  /** By key; null takes a value away, what is not named stays. */
  readonly custom?: Readonly<Record<string, unknown>> | undefined;
  /** Of a phone that does not name its country; ISO 3166. */
  readonly defaultCountry?: string | undefined;
  readonly archived?: boolean | undefined;
  /** Changes nothing unless the contact that `contactId` names is at this version. */
  readonly expectedVersion?: number | undefined;
}

export interface Upserted {
  readonly contact: Contact;
  readonly created: boolean;
  /** `email`, `phone`, `name`, `custom.<key>`, `test`; empty where all was so already. */
  readonly changed: readonly string[];
}

/**
 * Adds a contact, or writes what is given over the one that is found. Found by address, phone or name it is in use again where
 * it was archived; a contact that was merged is the one it was merged into.
 * @throws Problem `invalid_request`, `contact_identity_required` (400), `not_found` (404), `contact_conflict`,
 * `stale_contact` (409)
 */
export async function upsertContact(context: TenantContext, input: ContactInput): Promise<Upserted> {
  return writing(context, async (tx) => upsertIn(tx, await contactSchemaIn(tx), input));
}

/** Contacts in one call at most. */
export const mostAtOnce = 500;

/** One entry for each that was given, in their order. */
export interface BatchEntry {
  readonly status: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly contactId?: string;
  readonly changed?: readonly string[];
  /** Why nothing was written of this one. */
  readonly problem?: Problem;
}

/**
 * As `upsertContact`, for up to 500: what is right is written, what is not is refused with its reason, each by itself. The
 * same person twice is one contact, written twice.
 */
export async function upsertContacts(context: TenantContext, inputs: readonly ContactInput[]): Promise<BatchEntry[]> {
  return writing(context, async (tx) => {
    const schema = await contactSchemaIn(tx);
    const entries: BatchEntry[] = [];
    for (const input of inputs) {
      try {
        const { contact, created, changed } = await upsertIn(tx, schema, input);
        const status = created ? 'created' : changed.length > 0 ? 'changed' : 'unchanged';
        entries.push({ status, contactId: contact.id, changed });
      } catch (error) {
        // A refusal comes before anything is written; any other failure undoes them all.
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        entries.push({ status: 'refused', problem: error });
      }
    }
    return entries;
  });
}

async function writing<T>(context: TenantContext, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  const scope = context.require(writeContacts);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scope.write(async (tx) => work(tx));
    } catch (error) {
      // Somebody was given the same address or phone at this moment: it is theirs, as the next attempt sees.
      if (attempt >= 3 || sqlState(error) !== '23505') throw error;
    }
  }
}

async function upsertIn(tx: TenantTransaction, schema: ContactSchema, input: ContactInput): Promise<Upserted> {
  const change = readInput(schema, input);
  const { id, created } = await target(tx, input, change.said);
  if (created) recordCreated(tx, id);
  const changed = created && input.archived !== true ? [] : await changeFound(tx, id, input, change);
  return { contact: await contactIn(tx, id), created, changed };
}

interface Read {
  readonly said: Said;
  readonly cleared: ReadonlySet<string>;
}

function readInput(schema: ContactSchema, input: ContactInput): Read {
  const { email, phone, name, custom = {}, defaultCountry } = input;
  const errors: FieldError[] = [];
  const wrong = (pointer: string, code: string, detail: string): void => {
    errors.push({ pointer, code, detail });
  };
  if (defaultCountry !== undefined && !isCountry(defaultCountry))
    wrong('/defaultCountry', 'invalid_value', 'A country of ISO 3166 in capital letters, such as DE.');
  const pointer = (key: string): string => jsonPointer(isBuiltIn(key) ? [key] : ['custom', key]);
  for (const key of Object.keys(custom).filter(isBuiltIn))
    wrong(`/custom/${key}`, 'unknown_field', `${key} is no custom field: give it beside custom.`);
  const known = new Set(schema.fields.map(({ key }) => key));
  const blanks = Object.keys(custom).filter((key) => isBlank(custom[key]) && !isBuiltIn(key));
  for (const key of blanks.filter((one) => !known.has(one)))
    wrong(pointer(key), 'unknown_field', 'Contacts have no such field.');
  const own = Object.fromEntries(Object.entries(custom).filter(([key]) => !isBuiltIn(key)));
  const read = readMapped(schema, { ...own, email, phone, name }, { defaultCountry, pointer });
  errors.push(...read.errors);
  if (errors.length > 0) throw invalidContact(errors);
  const cleared = new Set([
    ...blanks,
    ...Object.entries({ email, phone, name })
      .filter(([, given]) => given !== undefined && isBlank(given))
      .map(([key]) => key),
  ]);
  return { said: read.said, cleared };
}

/** The contact to be written, made where there is none. */
async function target(
  tx: TenantTransaction,
  { contactId }: ContactInput,
  said: Said,
): Promise<{ id: string; created: boolean }> {
  if (contactId !== undefined) return { id: contactId, created: false };
  if (said.email === undefined && said.phone === undefined && said.name === undefined)
    throw crmFail('contact_identity_required', 'Give an e-mail address, a phone or a name, or the id of the contact.');
  for (;;) {
    const id = await insertContact(tx, said, { kind: 'upsert' });
    if (id !== undefined) return { id, created: true };
    const owners = await ownersOf(tx, said);
    if (owners.email !== undefined && owners.phone !== undefined && owners.email !== owners.phone)
      throw conflictWith('phone', [owners.email, owners.phone]);
    if (owners.email !== undefined) return { id: owners.email, created: false };
    if (owners.phone !== undefined) {
      const found = await lockedContact(tx, owners.phone);
      // Another address is another person, until somebody who knows says otherwise.
      if (said.email !== undefined && found.email !== null) throw conflictWith('phone', [found.id]);
      return { id: found.id, created: false };
    }
    if (said.email === undefined && said.phone === undefined && owners.name !== undefined)
      return { id: owners.name, created: false };
  }
}

async function changeFound(
  tx: TenantTransaction,
  id: string,
  { contactId, archived, expectedVersion }: ContactInput,
  change: Read,
): Promise<string[]> {
  const before = await lockedContact(tx, id);
  if (expectedVersion !== undefined && expectedVersion !== before.version)
    throw crmFail('stale_contact', `The contact is at version ${before.version}: read it again and decide.`);
  const shelved = archived ?? (contactId === undefined ? false : before.archived);
  const changed = await changeContact(tx, before, { ...change, archived: shelved });
  if (changed.length > 0) recordUpdated(tx, before.id, changed);
  if (shelved !== before.archived)
    recordShelved(tx, before.id, shelved ? 'crm.contact.archived' : 'crm.contact.restored');
  return changed;
}
