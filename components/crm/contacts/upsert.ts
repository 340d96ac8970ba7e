import { asItWas, isAsItWas, operation } from '@steward/access';
import { type Fixed, versionNumber } from '@steward/contract';
import { type FieldError, jsonPointer, Problem } from '@steward/kernel';
import { sqlState, type TenantScope, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { crmFail } from '../errors.ts';
import { isCountry } from '../identity/phone.ts';
import { writes } from '../operations.ts';
import type { ContactSchema } from '../schema/field.ts';
import { contactSchemaIn } from '../schema/schema.ts';
import { isBlank } from '../schema/value.ts';
import { changeContact, conflictWith } from './change.ts';
import { sayConsent } from './consent.ts';
import { contact, givenOf, isTold, lockedContact, membersBy, type Said, toldKeys } from './contact.ts';
import { contactIn } from './get.ts';
import { insertContact } from './insert.ts';
import { invalidContact } from './invalid.ts';
import { readMapped } from './mapped.ts';
import { ownersOf } from './owners.ts';
import { recordCreated, recordShelved, recordUpdated } from './record.ts';

/** Of a phone that does not name its country. */
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Give a country as its two capital letters of ISO 3166, such as DE')
  .optional()
  .meta({
    description:
      'Country of phone numbers without a country code: two letters of ISO 3166, such as DE. Default: that of the contact ' +
      'schema.',
  });

const given = {
  ...givenOf,
  custom: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .meta({ description: 'Values of custom fields by key, from service_get_contact_schema. null removes a value.' }),
  marketingConsent: z.boolean().optional().meta({
    description: 'Whether the person agrees to be sent news.',
  }),
  defaultCountry: country,
};

const input = z.strictObject({
  contactId: z.uuid().optional().meta({ description: 'Contact to change, from service_search_contacts.' }),
  ...given,
  archived: z.boolean().optional().meta({ description: 'true hides the contact from lists; false restores it.' }),
  expectedVersion: versionNumber
    .optional()
    .meta({ description: 'With contact_id: changes the contact only if it still has this version.' }),
});
export type ContactInput = Fixed<z.output<typeof input>>;

const upserted = z.object({
  contact: contact.answer,
  created: z.boolean(),
  /** `email`, `phone`, `name`, `custom.<key>`, `marketing_consent`, `test`; empty where all was so already. */
  changed: z.array(z.string()),
});
type Upserted = Fixed<z.output<typeof upserted>>;

/**
 * Adds a contact, or writes what is given over the one that is found: null or blank takes a value away, what is not named stays. Found by
 * address, phone or name it is in use again where it was archived; a contact that was merged is the one it was merged into.
 * @throws Problem `invalid_request`, `contact_identity_required` (400), `not_found` (404), `contact_conflict`,
 * `stale_contact` (409)
 */
export const upsertContact = operation(
  {
    ...writes,
    name: 'service_upsert_contact',
    input,
    answer: upserted,
    errors: ['contact_identity_required', 'contact_conflict'],
  },
  async (scope, one) => writing(scope, async (tx) => upsertIn(tx, await contactSchemaIn(tx), one)),
);

/** Contacts in one call at most. */
export const mostAtOnce = 500;

const outcomes = ['created', 'changed', 'unchanged', 'refused'] as const;

/** Why nothing was written of one of many, with pointers from the beginning of the body. */
const problem = z.object({ code: z.string(), detail: z.string(), errors: z.array(z.unknown()).optional() });

const batch = z.object({
  counts: z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
  items: z.array(
    z.object({
      status: z.enum(outcomes),
      contactId: z.uuid().optional().meta({ description: 'Contact to change, from service_search_contacts.' }),
      changed: z.array(z.string()).optional(),
      problem: problem.optional(),
    }),
  ),
});
type Entry = Fixed<z.output<typeof batch>>['items'][number];

/**
 * As `upsertContact`, for up to 500: what is right is written, what is not is refused with its reason, each by itself. The
 * same person twice is one contact, written twice.
 */
export const upsertContacts = operation(
  {
    ...writes,
    name: 'service_upsert_contacts',
    input: z.strictObject({
      contacts: z
        .array(z.strictObject(given))
        .min(1)
        .max(mostAtOnce)
        .meta({ description: 'Up to 500, each by itself.' }),
    }),
    answer: batch,
  },
  async (scope, { contacts }) =>
    writing(scope, async (tx) => {
      const schema = await contactSchemaIn(tx);
      const items: Entry[] = [];
      let same = true;
      for (const [index, one] of contacts.entries()) {
        try {
          const answer = await upsertIn(tx, schema, one);
          same &&= isAsItWas(answer);
          const { contact: written, created, changed } = answer;
          const status = created ? 'created' : changed.length > 0 ? 'changed' : 'unchanged';
          items.push({ status, contactId: written.id, changed });
        } catch (error) {
          // A refusal comes before anything is written; any other failure undoes them all.
          if (!(error instanceof Problem) || error.status >= 500) throw error;
          same = false;
          items.push({ status: 'refused', problem: placed(error, `/contacts/${index}`) });
        }
      }
      const answer = { counts: counted(items), items };
      return same ? asItWas(answer) : answer;
    }),
);

function counted(items: readonly Entry[]): Record<Entry['status'], number> {
  const counts = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

const placed = ({ code, detail, errors, members }: Problem, place: string): Fixed<z.output<typeof problem>> => ({
  ...members,
  code,
  detail,
  ...(errors === undefined
    ? {}
    : { errors: errors.map((error) => ({ ...error, pointer: `${place}${error.pointer}` })) }),
});

async function writing<T>(scope: TenantScope, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
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
  if (created) await consented(tx, id, input);
  const { changed, moved } =
    created && input.archived !== true ? { changed: [], moved: false } : await changeFound(tx, id, input, change);
  const answer = { contact: await contactIn(tx, id), created, changed };
  return created || moved || changed.length > 0 ? answer : asItWas(answer);
}

const consented = async (
  tx: TenantTransaction,
  id: string,
  { marketingConsent: given }: ContactInput,
): Promise<boolean> => given !== undefined && sayConsent(tx, id, { given, source: { kind: 'upsert' } });

interface Read {
  readonly said: Said;
  readonly cleared: ReadonlySet<string>;
}

function readInput(schema: ContactSchema, input: ContactInput): Read {
  const { custom = {}, defaultCountry } = input;
  const given = membersBy((key) => input[key]);
  const errors: FieldError[] = [];
  const wrong = (pointer: string, code: string, detail: string): void => {
    errors.push({ pointer, code, detail });
  };
  if (defaultCountry !== undefined && !isCountry(defaultCountry))
    wrong('/defaultCountry', 'invalid_value', 'Give a country as its two capital letters of ISO 3166, such as DE.');
  const pointer = (key: string): string => jsonPointer(isTold(key) ? [key] : ['custom', key]);
  for (const key of Object.keys(custom).filter(isTold))
    wrong(
      `/custom/${key}`,
      'unknown_field',
      `${key} is no custom field: move it out of custom, to the contact itself.`,
    );
  const known = new Set(schema.fields.map(({ key }) => key));
  const blanks = Object.keys(custom).filter((key) => isBlank(custom[key]) && !isTold(key));
  for (const key of blanks.filter((one) => !known.has(one)))
    wrong(pointer(key), 'unknown_field', 'Contacts have no such field: read the contact schema for its fields.');
  const own = Object.fromEntries(Object.entries(custom).filter(([key]) => !isTold(key)));
  const read = readMapped(schema, { ...own, ...given }, { defaultCountry, pointer });
  errors.push(...read.errors);
  if (errors.length > 0) throw invalidContact(errors);
  const cleared = new Set([...blanks, ...toldKeys.filter((key) => given[key] !== undefined && isBlank(given[key]))]);
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
    throw crmFail(
      'contact_identity_required',
      'Nothing names the contact: give an e-mail address, a phone, a name or the id of the contact.',
    );
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
  input: ContactInput,
  change: Read,
): Promise<{ changed: string[]; moved: boolean }> {
  const { contactId, archived, expectedVersion } = input;
  const before = await lockedContact(tx, id);
  if (expectedVersion !== undefined && expectedVersion !== before.version)
    throw crmFail(
      'stale_contact',
      `The contact was changed and now has version ${before.version}: read it again before you change it.`,
    );
  const shelved = archived ?? (contactId === undefined ? false : before.archived);
  const changed = await changeContact(tx, before, { ...change, archived: shelved });
  if (await consented(tx, before.id, input)) {
    if (!changed.includes('marketing_consent')) changed.push('marketing_consent');
    if (before.test && !changed.includes('test')) changed.push('test');
  }
  if (changed.length > 0) recordUpdated(tx, before.id, changed);
  const moved = shelved !== before.archived;
  if (moved) recordShelved(tx, before.id, shelved ? 'crm.contact.archived' : 'crm.contact.restored');
  return { changed, moved };
}
