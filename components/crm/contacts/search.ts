import { fail, normalized } from '@steward/kernel';
import { statement, type Row, type Statement, type TenantContext } from '@steward/sql';
import { readEmail } from '../identity/email.ts';
import { isCountry, readPhone } from '../identity/phone.ts';
import { readContacts } from '../permissions.ts';
import type { ContactSchema } from '../schema/field.ts';
import { activeSchema, firstSchema, presentSchema } from '../schema/schema.ts';
import { readValue } from '../schema/value.ts';
import { folded, trimmed } from '../text.ts';
import { contactColumns, presentContact, type Contact } from './contact.ts';
import { reversedDigits, termsOfValue, wordsOf } from './terms.ts';

export interface ContactFilter {
  /** Whatever is at hand: an e-mail address or its beginning, `@domain`, the end of a phone number or the beginning of one with `+`, or beginnings of
   * words of a name. Where no name begins with a single word, addresses are looked at. */
  readonly query?: string | undefined;
  /** An address, or `@domain` for all of one. */
  readonly email?: string | undefined;
  /** In any spelling. */
  readonly phone?: string | undefined;
  /** Beginnings of words of the name, in any order, case and with or without accents. */
  readonly name?: string | undefined;
  /** Values of custom fields, each of which the contact has. */
  readonly custom?: Readonly<Record<string, unknown>> | undefined;
  /** Of a phone that does not name its country; the schema's where it is not given. */
  readonly defaultCountry?: string | undefined;
  /** Archived ones too. */
  readonly archived?: boolean | undefined;
}

export interface ContactPage {
  readonly items: Contact[];
  /** The id to go on before; null on the last page. */
  readonly nextCursor: string | null;
}

/** Where a filter stands in the caller's request. */
export type FilterPointer = (filter: string) => string;

/**
 * Contacts that meet all filters, newest first. `limit` 1–200; `before` is the last id of the page before.
 * @throws Problem `invalid_request` (400)
 */
export async function searchContacts(
  context: TenantContext,
  filter: ContactFilter,
  page: { readonly limit: number; readonly before?: string | undefined },
  pointer: FilterPointer = (name) => `/${name}`,
): Promise<ContactPage> {
  const scope = context.require(readContacts);
  const reads = filter.phone !== undefined || filter.query !== undefined || filter.custom !== undefined;
  const schema = reads ? presentSchema((await scope.read(activeSchema(context.tenant)))[0]) : firstSchema;
  const find = async (sources: readonly Source[]): Promise<Row[]> =>
    scope.read(searchStatement(context.tenant, sources, filter, page));
  let rows = await find(sourcesOf(schema, filter, pointer));
  // A word may as well begin an address: many contacts have no name.
  const word = trimmed(filter.query ?? '');
  if (rows.length === 0 && /^[^\s@]+$/.test(word)) {
    const others = sourcesOf(schema, { ...filter, query: undefined }, pointer);
    rows = await find([{ by: 'email', value: folded(word), prefix: true }, ...others]);
  }
  const items = rows.slice(0, page.limit).map(presentContact);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

/** One condition: where to look, by equality or by the beginning. */
export interface Source {
  readonly by: 'email' | 'phone' | 'term';
  readonly field?: string;
  readonly value: string;
  readonly prefix: boolean;
}

export function sourcesOf(schema: ContactSchema, filter: ContactFilter, pointer: FilterPointer): Source[] {
  const country = filter.defaultCountry ?? schema.defaultCountry ?? undefined;
  const wrong = (name: string, detail: string): Error =>
    fail('invalid_request', `${pointer(name)}: ${detail}`, {
      errors: [{ pointer: pointer(name), code: 'invalid_value', detail }],
    });
  if (filter.defaultCountry !== undefined && !isCountry(filter.defaultCountry))
    throw wrong('defaultCountry', 'A country of ISO 3166 in capital letters, such as DE.');
  const named = (name: string, text: string): Source[] => {
    const words = wordsOf(text).slice(0, 8);
    if (words.length === 0) throw wrong(name, 'Give a letter or a digit to look for.');
    return words.map((value) => ({ by: 'term', field: 'name', value, prefix: true }));
  };
  const sources: Source[] = [];
  if (filter.email !== undefined) {
    const found = addressOf(filter.email);
    if (found === undefined) throw wrong('email', 'Give an e-mail address, or @ and a domain.');
    sources.push(found);
  }
  if (filter.phone !== undefined) {
    const phone = readPhone(filter.phone, country);
    if (phone === undefined) throw wrong('phone', 'Give a phone number, best with its country code.');
    sources.push({ by: 'phone', value: phone, prefix: false });
  }
  if (filter.name !== undefined) sources.push(...named('name', filter.name));
  if (filter.query !== undefined) sources.push(...anyOf(filter.query, country, (text) => named('query', text)));
  for (const [key, given] of Object.entries(filter.custom ?? {})) {
    const field = schema.fields.find((one) => one.key === key);
    if (field === undefined) throw wrong(`custom/${key}`, 'Contacts have no such field.');
    // Contacts may still hold what nobody can give any more.
    const open = { ...field, maxLength: null, options: field.options.map((option) => ({ ...option, retired: false })) };
    const { value, fault } = readValue(open, given, country);
    if (value === undefined) throw wrong(`custom/${key}`, fault ?? 'The value is not one of its type.');
    for (const term of termsOfValue(value))
      sources.push({ by: 'term', field: `custom.${key}`, value: term, prefix: false });
  }
  return sources;
}

function addressOf(text: string): Source | undefined {
  const given = trimmed(text);
  if (given.startsWith('@')) {
    const domain = readEmail(`a${given}`)?.domain;
    return domain === undefined ? undefined : { by: 'term', field: 'email', value: domain, prefix: false };
  }
  const key = readEmail(given)?.key;
  return key === undefined ? undefined : { by: 'email', value: key, prefix: false };
}

function anyOf(query: string, country: string | undefined, named: (text: string) => Source[]): Source[] {
  const text = trimmed(query);
  if (text.includes('@') && !/\s/.test(text)) {
    const whole = addressOf(text);
    return [whole ?? { by: 'email', value: folded(text), prefix: true }];
  }
  const dialled = /^[+(\p{Nd}][\p{Nd}\s()./-]*$/u.test(text) ? normalized(text, 'NFKC').replaceAll(/[^0-9+]/g, '') : '';
  if (dialled.replace('+', '').length < 4) return named(text);
  const phone = readPhone(text, country);
  if (dialled.startsWith('+'))
    return [{ by: 'phone', value: phone ?? dialled, prefix: phone === undefined || !phone.includes(';') }];
  // However much of the number is given: its end, without the zeros before area or country codes.
  return [{ by: 'term', field: 'phone', value: reversedDigits(dialled.replace(/^0+/, '')), prefix: true }];
}

/** After everything that begins with the text, in the order of bytes. */
const afterAll = (text: string): string => `${text}\u{10FFFF}`;

export function searchStatement(
  tenant: string,
  sources: readonly Source[],
  filter: ContactFilter,
  page: { readonly limit: number; readonly before?: string | undefined },
): Statement {
  const values: unknown[] = [tenant, page.before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff', page.limit + 1];
  const say = (value: unknown): string => `$${values.push(value)}`;
  const [first, ...rest] = sources;
  const condition = ({ by, field, value, prefix }: Source): string => {
    const column = by === 'term' ? 'value' : by === 'email' ? 'email_key' : 'phone';
    const held = prefix
      ? `${column} >= ${say(value)} and ${column} < ${say(afterAll(value))}`
      : `${column} = ${say(value)}`;
    return `tenant_id = $1::uuid and ${by === 'term' ? `field = ${say(field)} and ` : ''}${held}`;
  };
  const led = 'coalesce(merged_into, contact_id)';
  const ids = (source: Source): string =>
    source.by === 'term'
      ? `select contact_id from crm.contact_term where ${condition(source)} and contact_id < $2::uuid`
      : `select ${led} from crm.contact where ${condition(source)}`;
  // Joined, so that the planner begins with whichever leaves the fewest and asks the others about those alone.
  const also = (source: Source): string =>
    source.by === 'term'
      ? `exists (select from crm.contact_term where ${condition(source)} and contact_id = f.id)`
      : `exists (select from crm.contact where ${condition(source)} and ${led} = f.id)`;
  const shown = `c.merged_into is null${filter.archived === true ? '' : ' and c.archived_at is null'}`;
  if (first === undefined)
    return statement(
      `select ${contactColumns} from crm.contact c
       where c.tenant_id = $1::uuid and c.contact_id < $2::uuid and ${shown} order by c.contact_id desc limit $3::int`,
      values,
    );
  // The ids first and newest first, then each contact by its key until the page is full.
  return statement(
    `with found (id) as materialized (
       select distinct f.id from (${ids(first)}) f (id) where ${['f.id < $2::uuid', ...rest.map(also)].join(' and ')}
     )
     select c.* from (select id from found order by id desc) f
     cross join lateral (
       select ${contactColumns} from crm.contact c
       where c.tenant_id = $1::uuid and c.contact_id = f.id and ${shown} offset 0
     ) c
     order by f.id desc limit $3::int`,
    values,
  );
}
