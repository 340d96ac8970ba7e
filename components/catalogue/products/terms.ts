import { setImmediate } from 'node:timers/promises';
import { caseFolded, searchTerms, searchWords } from '@steward/kernel';
import { statement, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { Buyable } from '../deps.ts';
import { readProducts, type WholeProduct } from './product.ts';
import { mostAsked, renewSpellings } from './spelling.ts';

/** What products are looked for by. All hold together. */
export const finders = {
  query: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'Words, or their beginnings from three letters on, of title, maker, kind, tags and SKUs, in any order. Where nothing is found, ' +
        'words with one mistake are corrected, from eight letters on with two; `corrections` says which.',
    }),
  tag: z.string().min(1).max(255).optional().meta({ description: 'Products with this tag, in any case.' }),
  type: z.string().min(1).max(255).optional().meta({ description: 'Products of this kind, in any case.' }),
  vendor: z.string().min(1).max(255).optional().meta({ description: 'Products of this maker, in any case.' }),
} as const;

/** What no key leads to. */
export const sieves = {
  available: z.boolean().optional().meta({
    description:
      'true: products of which one can be bought now, as far as stock goes; false: those that are sold out. A page of them may have fewer than `limit`, or none, and a next one.',
  }),
} as const;

type Field = 'word' | 'tag' | 'type' | 'vendor' | 'sku';
export interface Finding {
  readonly query?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: string | undefined;
  readonly vendor?: string | undefined;
  readonly sku?: string | undefined;
}

export const available = z
  .boolean()
  .meta({ description: 'Whether a variant of it can be bought now, as far as stock goes.' });

/** Whether a product `p` has a variant that can be bought. */
export const anyBuyable = (buyable: Buyable): string =>
  `exists (select from catalogue.variant v where v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null
     and ${buyable('v.variant_id')})`;

/** What a walk sieves for: SQL, or nothing. */
export const sieveOf = (available: boolean | undefined, buyable: Buyable): string | undefined =>
  available === undefined ? undefined : `${available ? '' : 'not '}${anyBuyable(buyable)}`;

/** From how many letters on a word is taken for a beginning: fewer begin too many words. */
const shortestBeginning = 3;

/** Conditions on products named `p`, one for each thing that is looked for. @param say puts a value into the statement */
export function found({ query, ...exact }: Finding, say: (value: unknown) => string): string[] {
  const having = (field: Field, condition: string): string =>
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
    ...(['tag', 'type', 'vendor', 'sku'] as const).flatMap((field) => {
      const value = exact[field];
      return value === undefined ? [] : [having(field, `t.value = ${say(caseFolded(value.trim()))}`)];
    }),
  ];
}

/** Members that change what a product is found by. */
const telling = new Set(['title', 'vendor', 'type', 'tags', 'variants']);

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
      `insert into catalogue.product_term (tenant_id, field, value, product_id)
       select $1::uuid, t.field, t.value, t.product_id
       from jsonb_to_recordset($2::jsonb) t (field text, value text, product_id uuid) on conflict do nothing`,
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
}

/** Of a product: what comes after is found by its tag, kind, maker and SKU alone. */
const mostCharacters = 1_000;
const mostWords = 100;

function termsOf({ id, title, vendor, type, tags, variants }: WholeProduct): Term[] {
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
  ];
}
