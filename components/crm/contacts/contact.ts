import { randomUUID } from 'node:crypto';
import { count, field, type Field, flag, id, moment, nullable, type Of, shape, text, texts } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { camelRefs, refs, type Refs } from '../refs.ts';
import { marketingConsent } from './consent.ts';
import { readEmail, type Email } from '../identity/email.ts';
import { longestName, readName, type Name } from '../identity/name.ts';
import { readPhone } from '../identity/phone.ts';
import { emailFault, phoneFault, valueSchema, type Value } from '../schema/value.ts';

const merged = (column: 'email' | 'phone'): string =>
  `array(select m.${column} from crm.contact m where m.tenant_id = c.tenant_id and m.merged_into = c.contact_id and m.${column} is not null order by 1)`;

/**
 * What people say of a contact, by member: what they may write, how it is read (`undefined`: with a fault), what its columns hold, and how the
 * first of them is read again. Who writes, merges or compares contacts goes by this list.
 */
export const told = {
  email: {
    given: z.string().max(1000),
    description: 'E-mail address.',
    read: (text: string) => readEmail(text),
    fault: () => emailFault,
    columns: (email?: Email) => ({ email: email?.address, email_key: email?.key }),
    stored: (text: string) => readEmail(text),
  },
  phone: {
    given: z.string().max(200),
    description: 'In any spelling; stored as E.164.',
    read: readPhone,
    fault: phoneFault,
    columns: (phone?: string) => ({ phone }),
    stored: (text: string): string | undefined => text,
  },
  name: {
    given: z.string().max(1000),
    description: 'Whole name.',
    read: (text: string) => readName(text),
    fault: () => `Give a name of up to ${longestName} characters, without control characters.`,
    columns: (name?: Name) => ({ name: name?.text, name_key: name?.key }),
    stored: (text: string) => readName(text),
  },
} as const satisfies Readonly<Record<string, Telling>>;

interface Telling {
  readonly given: z.ZodString;
  readonly description: string;
  read(text: string, country: string | undefined): unknown;
  fault(text: string, country: string | undefined): string;
  columns(value?: never): Readonly<Record<string, string | undefined>>;
  stored(text: string): unknown;
}

export type ToldKey = keyof typeof told;
const tellings: Readonly<Record<ToldKey, Telling>> = told;
export const toldKeys = Object.keys(told) as readonly ToldKey[];
export const isTold = (key: string): key is ToldKey => Object.hasOwn(told, key);

/** What is said of a contact, read and found right. Blank values are left out. */
export type Said = { readonly [K in ToldKey]?: NonNullable<ReturnType<(typeof told)[K]['read']>> } & {
  readonly custom: Readonly<Record<string, Value>>;
};

const writing = ({ given, description }: Telling) => {
  const schema = given.nullable().optional();
  return description === undefined ? schema : schema.meta({ description });
};
/** What may be written: null or blank takes a value away. */
export const givenOf = Object.fromEntries(toldKeys.map((key) => [key, writing(tellings[key])])) as Readonly<
  Record<ToldKey, ReturnType<typeof writing>>
>;

export const toldColumns = (said: Said): [string, string | undefined][] =>
  toldKeys.flatMap((key) => Object.entries(told[key].columns(said[key] as never)));

/** The columns of what is said, for a statement with `values`: what is not said is null. */
export function settingTold(said: Said, values: unknown[]): string {
  const at = (value: unknown): string => `$${values.push(value ?? null)}`;
  return [...toldColumns(said), ['custom', JSON.stringify(said.custom)]]
    .map(([column, value]) => `${column} = ${at(value)}`)
    .join(', ');
}

const members = Object.fromEntries(toldKeys.map((key) => [key, nullable(text())])) as Readonly<
  Record<ToldKey, Field<z.ZodNullable<z.ZodString>>>
>;

/** Of `crm.contact` named `c`. */
export const contact = shape('c', {
  id: id('c.contact_id'),
  /** A phone is E.164, with `;ext=` where there is an extension. */
  ...members,
  /** Addresses and phones of contacts that were merged into this one: they still lead here. */
  otherEmails: texts(merged('email')),
  otherPhones: texts(merged('phone')),
  custom: field(z.record(z.string(), valueSchema)),
  /** Where it came from first: a `kind`, and ids of what others keep. */
  source: field(refs, undefined, (stored) => camelRefs(stored as Refs)),
  marketingConsent,
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

/** As much of a contact as people say of it. */
export type Telled = Pick<Contact, ToldKey | 'custom'>;

/** What a contact says of itself, as if it were said now. */
export const saidBy = (held: Telled): Said =>
  ({
    ...Object.fromEntries(
      toldKeys.flatMap((key) => {
        const text = held[key];
        const value = text === null ? undefined : told[key].stored(text);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
    custom: held.custom,
  }) as Said;

export const membersBy = <T>(of: (key: ToldKey) => T): Record<ToldKey, T> =>
  Object.fromEntries(toldKeys.map((key) => [key, of(key)])) as Record<ToldKey, T>;

/** What a member is once this is said. */
export const memberOf = (key: ToldKey, said: Said): string | undefined =>
  (told[key].columns(said[key] as never) as Readonly<Record<string, string | undefined>>)[key];

/**
 * An id for a new contact. Random: visitors see it, and a time in it would reveal since when somebody is known (docs/adr/0018).
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
