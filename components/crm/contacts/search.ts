import { operation } from '@steward/access';
import { type Fixed, pageCursor, pageLimit, pageOf } from '@steward/contract';
import { caseFolded, fail, type FieldError, normalized, Problem, searchWords } from '@steward/kernel';
import { afterAllIds, page, type PageRequest, parseCursor, type Row, statement, type Statement } from '@steward/sql';
import { z } from 'zod';
import { readEmail } from '../identity/email.ts';
import { isCountry, readPhone } from '../identity/phone.ts';
import { reads } from '../operations.ts';
import type { ContactSchema } from '../schema/field.ts';
import { activeSchema, firstSchema, presentSchema } from '../schema/schema.ts';
import { readValue } from '../schema/value.ts';
import { trimmed } from '../text.ts';
import { contact } from './contact.ts';
import { contactCursor } from './cursor.ts';
import { reversedDigits, termsOfValue } from './terms.ts';
import { country } from './upsert.ts';

const filter = {
  query: z.string().min(1).max(400).optional().meta({
    description: 'An e-mail address or its beginning, @domain, the last digits of a phone, or part of a name.',
  }),
  email: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .meta({ description: 'An e-mail address, or @domain for all addresses of a domain.' }),
  phone: z.string().min(1).max(100).optional().meta({ description: 'A phone number in any spelling.' }),
  name: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .meta({ description: 'Beginnings of words of the name, in any case and order.' }),
};
const narrowing = {
  defaultCountry: country,
  archived: z.boolean().optional().meta({ default: false, description: 'true: archived ones too.' }),
  test: z.boolean().optional().meta({ description: 'true: only contacts made by test keys. false: only the others.' }),
};
const paging = {
  limit: pageLimit,
  cursor: pageCursor(contactCursor),
};
const input = z.strictObject({
  ...filter,
  custom: z
    .record(z.string().max(200), z.unknown())
    .optional()
    .meta({ description: 'Values of custom fields by key. Contacts that have all of them are found.' }),
  ...narrowing,
  ...paging,
});
/** All hold together. */
export type ContactFilter = Omit<Fixed<z.output<typeof input>>, 'limit' | 'cursor'>;

const search = { ...reads, name: 'service_search_contacts', answer: pageOf(contact.answer) } as const;

/**
 * Contacts that meet all filters, newest first. A cursor is the creation time and id of the last contact, so the list continues correctly if that contact
 * was merged or erased meanwhile. If no name begins with a single word of `query`, addresses are searched.
 * @throws Problem `invalid_request` (400)
 */
export const searchContacts = operation({ ...search, input }, async (scope, { limit, cursor, ...wanted }) => {
  const { tenant } = scope.context;
  const reading = wanted.phone !== undefined || wanted.query !== undefined || wanted.custom !== undefined;
  const schema = reading ? presentSchema((await scope.read(activeSchema(tenant)))[0]) : firstSchema;
  const find = async (sources: readonly Source[]): Promise<Row[]> =>
    scope.read(searchStatement(tenant, sources, wanted, { limit, cursor }));
  let rows = await find(sourcesOf(schema, wanted));
  // A word may as well begin an address: many contacts have no name.
  const word = trimmed(wanted.query ?? '');
  if (rows.length === 0 && /^[^\s@]+$/.test(word)) {
    const others = sourcesOf(schema, { ...wanted, query: undefined });
    rows = await find([{ by: 'email', value: caseFolded(word), prefix: true }, ...others]);
  }
  return page(rows, limit, contact.read, ({ id }, row) => `${String(row['at'])}.${id}`);
});

/** The same for an address, in which a custom field and its value are separate parameters. */
export const listContacts = operation(
  {
    ...search,
    input: z.strictObject({
      ...filter,
      ...narrowing,
      field: z.string().max(63).optional(),
      value: z.string().max(10_000).optional(),
      ...paging,
    }),
  },
  async ({ context }, { field, value, ...wanted }) => {
    if ((field === undefined) !== (value === undefined)) {
      const pointer = field === undefined ? '/field' : '/value';
      throw fail('invalid_request', 'Give field and value together.', {
        errors: [{ pointer, code: 'required', detail: 'Give both field and value, or neither.' }],
      });
    }
    const custom = field === undefined ? undefined : { [field]: value };
    try {
      return await searchContacts(context, { ...wanted, custom });
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === undefined) throw error;
      throw ofValue(error, error.errors);
    }
  },
);

/** `field` names a custom field here, and an error in it points at `value`. */
function ofValue({ code, status, title, detail }: Problem, errors: readonly FieldError[]): Problem {
  const place = errors.some((one) => one.code === 'unknown_field') ? '/field' : '/value';
  const placed = (text: string): string => text.replace(/^\/custom\/[^:]*/, place);
  return new Problem(code, status, title, placed(detail), {
    errors: errors.map((one) => ({ ...one, pointer: placed(one.pointer) })),
  });
}

/** One condition: where to look, by equality or by the beginning. */
export interface Source {
  readonly by: 'email' | 'phone' | 'term';
  readonly field?: string;
  readonly value: string;
  readonly prefix: boolean;
}

export function sourcesOf(schema: ContactSchema, filter: ContactFilter): Source[] {
  const country = filter.defaultCountry ?? schema.defaultCountry ?? undefined;
  const wrong = (name: string, detail: string, code = 'invalid_value'): Error =>
    fail('invalid_request', `/${name}: ${detail}`, {
      errors: [{ pointer: `/${name}`, code, detail }],
    });
  if (filter.defaultCountry !== undefined && !isCountry(filter.defaultCountry))
    throw wrong('defaultCountry', 'Give a country as its two capital letters of ISO 3166, such as DE.');
  const named = (name: string, text: string): Source[] => {
    const words = searchWords(text).slice(0, 8);
    if (words.length === 0) throw wrong(name, 'Give at least one letter or digit to search for.');
    return words.map((value) => ({ by: 'term', field: 'name', value, prefix: true }));
  };
  const sources: Source[] = [];
  if (filter.email !== undefined) {
    const found = addressOf(filter.email);
    if (found === undefined) throw wrong('email', 'Give an e-mail address, or @ and a domain, such as @example.com.');
    sources.push(found);
  }
  if (filter.phone !== undefined) {
    const phone = readPhone(filter.phone, country);
    if (phone === undefined) throw wrong('phone', 'Give a phone number, preferably with its country code.');
    sources.push({ by: 'phone', value: phone, prefix: false });
  }
  if (filter.name !== undefined) sources.push(...named('name', filter.name));
  if (filter.query !== undefined) sources.push(...anyOf(filter.query, country, (text) => named('query', text)));
  for (const [key, given] of Object.entries(filter.custom ?? {})) {
    const field = schema.fields.find((one) => one.key === key);
    if (field === undefined)
      throw wrong(
        `custom/${key}`,
        'Contacts have no such field: read the contact schema for its fields.',
        'unknown_field',
      );
    // Contacts may still hold what nobody can give any more.
    const open = { ...field, maxLength: null, options: field.options.map((option) => ({ ...option, retired: false })) };
    const { value, fault } = readValue(open, given, country);
    if (value === undefined) throw wrong(`custom/${key}`, fault ?? 'The value does not match the type of the field.');
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
    return [whole ?? { by: 'email', value: caseFolded(text), prefix: true }];
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

/** Of a time as the database keeps it, which is finer than a `Date`. */
const microseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint::text`;
/** After every contact that there can be. */
const ahead = `${'9'.repeat(17)}.${afterAllIds}`;

export function searchStatement(
  tenant: string,
  sources: readonly Source[],
  filter: ContactFilter,
  { limit, cursor = ahead }: PageRequest,
): Statement {
  const values: unknown[] = [tenant, ...parseCursor(cursor, /^(\d+)\.(.+)$/), limit + 1];
  const say = (value: unknown): string => `$${values.push(value)}`;
  const [first, ...rest] = sources;
  const condition = ({ by, field, value, prefix }: Source): string => {
    const column = by === 'term' ? 'o.value' : by === 'email' ? 'o.email_key' : 'o.phone';
    const held = prefix
      ? `${column} >= ${say(value)} and ${column} < ${say(afterAll(value))}`
      : `${column} = ${say(value)}`;
    return `o.tenant_id = $1::uuid and ${by === 'term' ? `o.field = ${say(field)} and ` : ''}${held}`;
  };
  const earlier = (of: string): string =>
    `(${of}created_at, ${of}contact_id) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)`;
  const led = 'coalesce(o.merged_into, o.contact_id)';
  const found = (source: Source): string =>
    source.by === 'term'
      ? `select o.created_at, o.contact_id from crm.contact_term o where ${condition(source)}`
      : `select case when o.merged_into is null then o.created_at else (
           select k.created_at from crm.contact k where k.tenant_id = $1::uuid and k.contact_id = o.merged_into) end, ${led}
         from crm.contact o where ${condition(source)}`;
  // Joined, so that the planner begins with whichever leaves the fewest and asks the others about those alone.
  const also = (source: Source): string =>
    source.by === 'term'
      ? `exists (select from crm.contact_term o where ${condition(source)} and o.created_at = f.created_at and o.contact_id = f.contact_id)`
      : `exists (select from crm.contact o where ${condition(source)} and ${led} = f.contact_id)`;
  const tested = filter.test === undefined ? '' : ` and ${filter.test ? '' : 'not '}c.test`;
  const shown = `c.merged_into is null${filter.archived === true ? '' : ' and c.archived_at is null'}${tested}`;
  const columns = `${contact.columns}, ${microseconds('c.created_at')} as at`;
  if (first === undefined)
    return statement(
      `select ${columns} from crm.contact c
       where c.tenant_id = $1::uuid and ${earlier('c.')} and ${shown} order by c.created_at desc, c.contact_id desc limit $4::int`,
      values,
    );
  // The ids first and newest first, then each contact by its key until the page is full. The index has the contacts of one value of
  // one field in this order, and each contact once, so no more of it is read than fills the page.
  const once = first.by === 'term' && !first.prefix && rest.length === 0;
  const met = [earlier('f.'), ...rest.map(also)].join(' and ');
  return statement(
    `with found (created_at, contact_id) as ${once ? 'not ' : ''}materialized (
       select ${once ? '' : 'distinct '}f.* from (${found(first)}) f (created_at, contact_id) where ${met}
     )
     select c.* from (select * from found order by created_at desc, contact_id desc) f
     cross join lateral (
       select ${columns} from crm.contact c
       where c.tenant_id = $1::uuid and c.contact_id = f.contact_id and ${shown} offset 0
     ) c
     order by f.created_at desc, f.contact_id desc limit $4::int`,
    values,
  );
}
