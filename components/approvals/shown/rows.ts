import { isCurrency, money } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import type { Noun, Unbound } from '@steward/tools';

/** A thing as its row says. */
export interface Thing {
  readonly noun: string;
  readonly id: string;
  /** What people call it. */
  readonly name: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly ids: readonly string[];
  readonly codes: readonly string[];
  /** What it alone changes is found, too. */
  readonly command?: string;
  /** Of these nouns, whatever the command; of all where it is left out. */
  readonly only?: ReadonlySet<string>;
}

/** Reads things by id, and what is said of them where they are found by the codes that arguments name them by. */
export type ReadThings = (tx: TenantTransaction, asked: Asked) => Promise<Thing[]>;

interface ThingRow extends Record<string, unknown> {
  readonly noun: string;
  readonly id: string;
  readonly name: string | null;
  readonly facts: string;
}

/** Planning a statement over all nouns takes many times as long as carrying it out, and its plan depends on no parameter. */
const plannedOnce = sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`;
const plannedAsEver = sql`select set_config('plan_cache_mode', 'auto', true)`;

/** @returns one statement for all nouns that are asked for: whatever of the ids there is, in one round trip */
export function thingReader(nouns: readonly Noun[], unbound: readonly Unbound[]): ReadThings {
  const everywhere = nouns.find(({ key, changedBy }) => key === 'tenant_id' && changedBy === undefined);
  if (everywhere !== undefined)
    throw new TypeError(`each command would show ${everywhere.noun}: say which command changes it`);
  const byName = new Map(nouns.map((noun) => [noun.noun, noun]));
  const hidden = new Set(unbound.filter(({ how }) => how === 'hidden').map(({ at }) => at));
  let columns: Columns | undefined;
  const texts = new Map<string, string>();
  return async (tx, { ids, codes, command, only }) => {
    const asked = nouns.filter(({ noun, changedBy }) =>
      only === undefined ? changedBy === undefined || changedBy === command : only.has(noun),
    );
    if (asked.length === 0 || (ids.length === 0 && codes.length === 0 && command === undefined)) return [];
    columns ??= await readable(tx, nouns, hidden);
    const which = asked.map(({ noun }) => noun).join();
    const text = texts.get(which) ?? textOf(asked, columns);
    texts.set(which, text);
    const [, rows = []] = await tx.queryAll([
      plannedOnce,
      statement(text, [tx.context.tenant, ids, codes]),
      plannedAsEver,
    ]);
    return (rows as ThingRow[]).map(({ noun, id, name, facts }) => ({
      noun,
      id,
      name,
      facts: priced(exactly(facts) as Record<string, unknown>, byName.get(noun)?.money ?? {}),
    }));
  };
}

type Columns = ReadonlyMap<string, readonly string[]>;

/** What there is to read of each table, as the database has it: a new column is shown and bound without anybody's care. */
async function readable(tx: TenantTransaction, nouns: readonly Noun[], hidden: ReadonlySet<string>): Promise<Columns> {
  const tables = nouns.flatMap(({ table, parts = {} }) => [table, ...Object.values(parts).map((part) => part.table)]);
  const rows = await tx.query<{ table: string; columns: string[] }>(sql`
    select n.nspname || '.' || c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname || '.' || c.relname = any (${tables}::text[]) and a.attnum > 0 and not a.attisdropped
      -- What is generated says nothing that the columns it is made of do not.
      and a.attgenerated = '' and has_column_privilege(c.oid, a.attnum, 'select') group by 1`);
  return new Map(
    rows.map(({ table, columns }) => [
      table,
      columns.filter((name) => name !== 'tenant_id' && !hidden.has(`*.${name}`) && !hidden.has(`${table}.${name}`)),
    ]),
  );
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Names come from components and from the catalogue; nothing that a caller said is among them. */
function textOf(nouns: readonly Noun[], columns: Columns): string {
  const object = (table: string, row: string, key: string): string => {
    const names = (columns.get(table) ?? []).filter((name) => name !== key).map((name) => `${row}."${name}"`);
    return `(select to_jsonb(r) from (select ${names.join()}) r)`;
  };
  const selects = nouns.map(({ noun, table, key, keyType, code, called, parts = {}, also = {} }) => {
    const members = [
      ...Object.entries(parts).map(
        ([name, part]) => `${literal(name)}, (
          select coalesce(jsonb_agg(${object(part.table, 'p', part.key)} order by ${part.order}), '[]')
          from ${part.table} p where p.tenant_id = t.tenant_id and p.${part.key} = t.${key})`,
      ),
      ...Object.entries(also).map(([name, expression]) => `${literal(name)}, (${expression})`),
    ];
    const found =
      keyType === 'text'
        ? `t.${key} = any ($3::text[])`
        : key === 'tenant_id'
          ? 'true' // Of the tenant in any case.
          : `(t.${key} = any ($2::uuid[])${code === undefined ? '' : ` or t.${code} = any ($3::text[])`})`;
    return `select ${literal(noun)} as noun, t.${key}::text as id, (${called})::text as name,
      (${object(table, 't', key)} || jsonb_build_object(${members.join(', ')}))::text as facts
      from ${table} t where t.tenant_id = $1::uuid and ${found}`;
  });
  // The first line types the parameters, whether or not every one of them is used.
  return `with asked as (select $1::uuid, $2::uuid[], $3::text[])\n${selects.join('\nunion all\n')}`;
}

/** JSON with its numbers as text: an amount of 19 digits stays itself, and no fraction ends with zeros. */
const exactly = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? shortest(source) : value) as (key: string, value: unknown) => unknown);

function shortest(number: string): string {
  if (!number.includes('.')) return number;
  let end = number.length;
  while (number[end - 1] === '0') end -= 1;
  return number.slice(0, number[end - 1] === '.' ? end - 1 : end);
}

const priced = (facts: Record<string, unknown>, moneyOf: Readonly<Record<string, string>>): Record<string, unknown> => {
  const places = Object.entries(moneyOf).map(([place, currencyOf]) => [place.split('.'), currencyOf] as const);
  const said = places.reduce<unknown>((so, [place, currencyOf]) => pricedAt(so, place, currencyOf, undefined), facts);
  // Beside an amount that says its currency, the currency is said twice.
  return places.reduce<unknown>(
    (so, [place, currencyOf]) => withoutAt(so, place.slice(0, -1), currencyOf),
    said,
  ) as typeof facts;
};

/** Only of what is within a row: one that is no currency is shown, as its amount was not read by it. */
function withoutAt(held: unknown, place: readonly string[], currencyOf: string, depth = 0): unknown {
  if (Array.isArray(held)) return held.map((one) => withoutAt(one, place, currencyOf, depth));
  if (typeof held !== 'object' || held === null) return held;
  const { [currencyOf]: currency, ...others } = held as Readonly<Record<string, unknown>>;
  const [name, ...rest] = place;
  if (name === undefined) return depth > 0 && typeof currency === 'string' && isCurrency(currency) ? others : held;
  return name in held
    ? { ...held, [name]: withoutAt((held as Readonly<Record<string, unknown>>)[name], rest, currencyOf, depth + 1) }
    : held;
}

/** The currency of an amount is named beside it, or else in a fact around it; of members by `*`, by their own name. */
function pricedAt(held: unknown, place: readonly string[], currencyOf: string, around: unknown): unknown {
  if (Array.isArray(held)) return held.map((one) => pricedAt(one, place, currencyOf, around));
  if (typeof held !== 'object' || held === null) return held;
  const facts = held as Readonly<Record<string, unknown>>;
  const currency = facts[currencyOf] ?? around;
  const [name = '', ...rest] = place;
  const of = (member: string): unknown =>
    rest.length > 0
      ? pricedAt(facts[member], rest, currencyOf, currency)
      : price(facts[member], name === '*' ? member : currency);
  const members = name === '*' ? Object.keys(facts) : name in facts ? [name] : [];
  return { ...facts, ...Object.fromEntries(members.map((member) => [member, of(member)])) };
}

const price = (value: unknown, currency: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,19}$/.test(value) && typeof currency === 'string' && isCurrency(currency)
    ? money(BigInt(value), currency)
    : value;
