import { setImmediate } from 'node:timers/promises';
import { caseFolded, searchTerms, searchWords } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { readProducts, type WholeProduct } from './product.ts';
import { priceInput } from './input.ts';
import { mostAsked, renewSpellings } from './spelling.ts';

const mostValues = 20;

/** The database holds no NUL. */
const storable = (text: z.ZodString) =>
  text.refine((said) => !said.includes('\0'), { error: 'Remove NUL characters', params: { code: 'invalid_format' } });

/** One text or several, each once. */
export const several = (one: z.ZodString, most = mostValues) =>
  z.union([
    storable(one),
    z
      .array(storable(one))
      .min(1)
      .max(most)
      .refine((all) => new Set(all).size === all.length, {
        error: 'Give each value once',
        params: { code: 'duplicate' },
      }),
  ]);
export type Several = string | readonly string[];
export const all = (said: Several | undefined): readonly string[] =>
  said === undefined ? [] : typeof said === 'string' ? [said] : said;

const named = z.string().min(1).max(255);
const whole = /^[^:]+:[^]/;

/** What products are looked for by. All hold together; of several values of one of them, any. */
export const finders = {
  query: storable(z.string().min(1).max(200))
    .optional()
    .meta({
      description:
        'Words, or their beginnings from three letters on, of title, maker, kind, tags and SKUs, in any order. Where nothing is found, ' +
        'words with one mistake are corrected, from eight letters on with two; `corrections` says which.',
    }),
  tag: several(named).optional().meta({ description: 'Products with this tag, or any of these, in any case.' }),
  type: several(named).optional().meta({ description: 'Products of this kind, or of any of these, in any case.' }),
  vendor: several(named).optional().meta({ description: 'Products of this maker, or of any of these, in any case.' }),
  option: several(
    z.string().min(3).max(2_000).regex(whole, 'Give the name of an option and a value of it, such as Colour:Red'),
  )
    .optional()
    .meta({
      description:
        'Products with a variant of this value, such as `Colour:Red`, in any case. Of several values of one option, any; of several ' +
        'options, one variant has them all, and a page may then have fewer than `limit`, or none, and a next one.',
    }),
} as const;

const amount = z.string().min(1).max(30);

/** What no key leads to. A page of what is sieved may have fewer than `limit`, or none, and a next one. */
export const sieves = {
  available: z.boolean().optional().meta({
    description:
      'true: products of which one can be bought now, as far as stock goes; false: those that are sold out. A page of them may have fewer than `limit`, or none, and a next one.',
  }),
  priceFrom: amount.optional().meta({
    description:
      'Products with a variant that costs at least this for one, in `currency`. Pages are as those by `available`.',
  }),
  priceTo: amount.optional().meta({ description: 'Likewise, at most this.' }),
  currency: priceInput.shape.currency.optional().meta({ description: 'ISO 4217, upper case: of prices.' }),
} as const;

type Field = 'word' | 'tag' | 'type' | 'vendor' | 'sku' | 'option';
export interface Finding {
  readonly query?: string | undefined;
  readonly tag?: Several | undefined;
  readonly type?: Several | undefined;
  readonly vendor?: Several | undefined;
  readonly option?: Several | undefined;
  readonly sku?: string | undefined;
}

export const available = z
  .boolean()
  .meta({ description: 'Whether a variant of it can be bought now, as far as stock goes.' });

/** From how many letters on a word is taken for a beginning: fewer begin too many words. */
const shortestBeginning = 3;

/** Of an option's name, so that the first colon of a term ends it. */
const bare = (name: string): string => caseFolded(name).replaceAll('%', '%25').replaceAll(':', '%3a');
/** By which facet an option is chosen: `option:` and its name as terms begin with it. */
export const facetOfOption = (name: string): string => `option:${bare(name.trim())}`;
const nameIn = (term: string): string => term.slice(0, term.indexOf(':'));

/** What is chosen of each facet, by its key, as terms have it. */
export type Chosen = ReadonlyMap<string, readonly string[]>;

export const chosenOf = ({ tag, type, vendor, option }: Finding): Chosen => {
  const chosen = new Map<string, string[]>();
  const choose = (facet: string, value: string): void => {
    const values = chosen.get(facet) ?? [];
    if (!values.includes(value)) chosen.set(facet, [...values, value]);
  };
  for (const [facet, said] of Object.entries({ tag, type, vendor }))
    for (const value of all(said)) choose(facet, caseFolded(value.trim()));
  for (const value of all(option)) {
    // As a facet tells it, or as a person writes it.
    const term = caseFolded(value.trim());
    const name = nameIn(term)
      .trimEnd()
      .replaceAll(/%(?!25|3a)/g, '%25');
    choose(`option:${name}`, `${name}:${term.slice(term.indexOf(':') + 1).trimStart()}`);
  }
  return chosen;
};

const isField = (name: string): boolean => ['tag', 'type', 'vendor', 'option'].includes(name);
/** Of a facet's key. */
export const fieldOf = (facet: string): string => (facet.startsWith('option:') ? 'option' : facet);

/** Puts a value into a statement. */
export type Say = (value: unknown) => string;

const equal = (values: readonly string[], say: Say): string =>
  values.length === 1 ? `t.value = ${say(values[0])}` : `t.value = any (${say(values)}::text[])`;

/**
 * Conditions on products named `p`, one for each thing that is looked for.
 * @param say puts a value into the statement
 * @param but a facet that is not asked of them
 */
export function found({ query, sku }: Finding, chosen: Chosen, say: Say, but?: string): string[] {
  const having = (field: string, condition: string): string =>
    `p.product_id in (select t.product_id from catalogue.product_term t where t.tenant_id = $1::uuid and t.field = '${field}' and ${condition})`;
  const words = query === undefined ? [] : searchWords(query).slice(0, mostAsked);
  return [
    // What has no letter or digit is found nowhere.
    ...(query !== undefined && words.length === 0 ? ['false'] : []),
    ...words.map((word) =>
      having(
        'word',
        Array.from(word).length < shortestBeginning
          ? `t.value = ${say(word)}`
          : `t.value >= ${say(word)} and t.value < ${say(`${word}\u{10FFFF}`)}`,
      ),
    ),
    ...(sku === undefined ? [] : [having('sku', `t.value = ${say(caseFolded(sku.trim()))}`)]),
    ...[...chosen].flatMap(([facet, values]) =>
      facet === but || !isField(fieldOf(facet)) ? [] : [having(fieldOf(facet), equal(values, say))],
    ),
  ];
}

/** Conditions on a variant `v` of a product `p`: that it has what is chosen of each option. */
export const having = (chosen: Chosen, say: Say, but?: string): string[] =>
  [...chosen].flatMap(([facet, values]) =>
    facet === but || fieldOf(facet) !== 'option'
      ? []
      : [
          `exists (select from catalogue.product_term t where t.tenant_id = v.tenant_id and t.product_id = v.product_id and t.field = 'option'
             and ${equal(values, say)} and v.variant_id = any (t.variant_ids))`,
        ],
  );

/** Members that change what a product is found by. */
const telling = new Set(['title', 'vendor', 'type', 'tags', 'options', 'variants']);

/** Makes what products are found by be what they say now. @param fields by product: what changed of it */
export async function renewTerms(tx: TenantTransaction, fields: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const ids = [...fields].flatMap(([id, names]) => (names.some((name) => telling.has(name)) ? [id] : []));
  if (ids.length === 0) return;
  const { tenant } = tx.context;
  const terms: Term[] = [];
  for (const one of (await readProducts(tx, ids)).values()) {
    terms.push(...termsOf(one));
    // Between two, others have their turn: some texts take milliseconds to normalize.
    await setImmediate();
  }
  const had = await tx.query<{ field: string; value: string }>(
    statement(
      `delete from catalogue.product_term where tenant_id = $1::uuid and product_id = any ($2::uuid[]) returning field, value`,
      [tenant, ids],
    ),
  );
  const words = ({ field }: { readonly field: string }): boolean => field === 'word';
  await tx.queryAll([
    statement(
      `insert into catalogue.product_term (tenant_id, field, value, product_id, variant_ids)
       select $1::uuid, t.field, t.value, t.product_id, t.variant_ids
       from jsonb_to_recordset($2::jsonb) t (field text, value text, product_id uuid, variant_ids uuid[]) on conflict do nothing`,
      [tenant, JSON.stringify(terms)],
    ),
    ...renewSpellings(
      tx,
      had.filter(words).map(({ value }) => value),
      terms.filter(words).map(({ value, product_id: productId }) => ({ word: value, productId })),
    ),
  ]);
}

interface Term {
  readonly field: Field;
  readonly value: string;
  readonly product_id: string;
  readonly variant_ids?: readonly string[];
}

/** Of an option's name and value in UTF-8, which an index takes: what is longer is not found. */
const longestTerm = 2_000;

function optionTerms({ id, variants }: WholeProduct): Term[] {
  const having = new Map<string, string[]>();
  for (const { id: variantId, options } of variants)
    for (const [name, said] of Object.entries(options)) {
      const value = `${bare(name)}:${caseFolded(said)}`;
      const ids = having.get(value);
      if (ids === undefined) having.set(value, [variantId]);
      else if (ids.at(-1) !== variantId) ids.push(variantId);
    }
  return [...having].flatMap(([value, ids]) =>
    Buffer.byteLength(value) > longestTerm ? [] : [{ field: 'option', value, product_id: id, variant_ids: ids }],
  );
}

/** Of a product: what comes after is found by its tag, kind, maker and SKU alone. */
const mostCharacters = 1_000;
const mostWords = 100;

function termsOf(product: WholeProduct): Term[] {
  const { id, title, vendor, type, tags, variants } = product;
  const skus = [...new Set(variants.flatMap(({ sku }) => sku ?? []))];
  const said = (field: Field, values: readonly (string | null)[]): Term[] =>
    values.flatMap((value) => (value === null ? [] : [{ field, value: caseFolded(value), product_id: id }]));
  const words = new Set<string>();
  let left = mostCharacters;
  for (const text of [title, vendor, type, ...tags, ...skus]) {
    if (text === null) continue;
    left -= text.length;
    if (left < 0 || words.size >= mostWords) break;
    for (const word of searchTerms(text)) words.add(word);
  }
  return [
    ...[...words].slice(0, mostWords).map((value): Term => ({ field: 'word', value, product_id: id })),
    ...said('tag', tags),
    ...said('type', [type]),
    ...said('vendor', [vendor]),
    ...said('sku', skus),
    ...optionTerms(product),
  ];
}
