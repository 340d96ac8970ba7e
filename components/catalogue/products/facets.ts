import { caseFolded, formatAmount } from '@steward/kernel';
import type { Row } from '@steward/sql';
import { z } from 'zod';
import type { Buyable } from '../deps.ts';
import { anyVariant, type OfVariants, type Prices, satisfied } from './sieve.ts';
import { all, type Chosen, facetOfOption, fieldOf, type Say, several, type Several } from './terms.ts';
import type { Walk } from './walk.ts';

/** Of how many products at most it is said what they have: counts of more cost as much, and say that there are more. */
const mostCounted = 2_000;
const mostValues = 50;
const mostFacets = 10;

const named = /^(?:tag|type|vendor|collection|available|price|option:[^]{1,255})$/;

export const facetsAsked = several(
  z
    .string()
    .max(262)
    .regex(
      named,
      'Give tag, type, vendor, collection, available, price, or option: and the name of an option, such as option:Colour',
    ),
  mostFacets,
)
  .optional()
  .meta({
    description:
      'What products are counted by, for filters: `tag`, `type`, `vendor`, `collection`, `available`, `price` (needs `currency`), or ' +
      '`option:` and the name of an option, such as `option:Colour`. At most 10.',
  });

const value = z.object({
  /** What a filter takes. */
  value: z.string(),
  /** As one of the products writes it. */
  label: z.string(),
  /** Products that the list would have if this alone were chosen of the facet. */
  count: z.int(),
  chosen: z.boolean(),
});

const facet = z.object({
  /** As it was asked for. */
  name: z.string(),
  /** Of most products first, at most 50. What is chosen is among them, also where no product has it. */
  values: z.array(value),
  /** Whether there are values beside these. */
  more: z.boolean(),
  /** false: only the first 2,000 products of the list are counted. */
  exact: z.boolean(),
  /** Of `price`: lowest and highest of one piece. Null where nothing is sold in the currency. */
  range: z.object({ currency: z.string(), lowest: z.string(), highest: z.string() }).nullable(),
});
export type Facet = z.output<typeof facet>;

/** What a list says of facets where it is asked. */
export const facets = z.array(facet).optional();

/** A facet that is asked for, and what it is chosen by. */
export interface Asked {
  readonly name: string;
  readonly key: string;
}

/** Two that are one, such as two cases of an option, are told once. */
export const askedOf = (said: Several | undefined): readonly Asked[] => {
  const keys = new Map<string, Asked>();
  for (const name of all(said)) {
    const key = name.startsWith('option:') ? facetOfOption(name.slice('option:'.length)) : name;
    if (!keys.has(key)) keys.set(key, { name, key });
  }
  return [...keys.values()];
};

/** Of a list, what its facets are counted by. */
export interface Counted {
  readonly buyable: Buyable;
  /** SQL: what is paid for one by a price `c` of a variant `v`. */
  readonly paid: string;
  /** Collections `k` that are counted, and what names one in a filter. */
  readonly collections: { readonly value: string; readonly shown: string };
}

/** What facets are counted of. */
interface Counting {
  readonly chosen: Chosen;
  readonly walk: Walk;
  readonly sieve: (but: string | undefined) => string | undefined;
  readonly ofVariants: (but: string) => OfVariants;
  readonly prices: Prices | undefined;
  readonly sheet: Counted;
  readonly say: Say;
}

/** One row for each facet: `key`, `exact`, and what is told of it. */
export function tallies(asked: readonly Asked[], counting: Counting): string {
  const { walk, sieve, chosen } = counting;
  const { from, conditions, order } = walk;
  const [{ key } = { key: '' }] = asked;
  const but = chosen.has(key) ? key : undefined;
  const sieved = sieve(but);
  return `with walked as materialized (
      select p.tenant_id, p.product_id, row_number() over (order by ${order}) as place
      from ${from} where ${conditions.join(' and ')} order by ${order} limit ${mostCounted + 1}
    ), within as materialized (select * from walked where place <= ${mostCounted}), matched as materialized (
      select p.tenant_id, p.product_id, p.place from within p${sieved === undefined ? '' : ` where ${sieved}`}
    ) ${asked.map(({ key: one }, at) => `select ${at} as at, (select count(*) <= ${mostCounted} from walked) as exact, f.* from (${tally(one, counting)}) f`).join(' union all ')}`;
}

function tally(key: string, counting: Counting): string {
  const { sheet, ofVariants, prices, say } = counting;
  switch (fieldOf(key) as string) {
    case 'available': {
      const { others } = ofVariants(key);
      return `select json_agg(json_build_array(g.can::text, g.products, null) order by g.products desc, g.can::text) as told, false as more
        from (select ${anyVariant([...others, sheet.buyable('v.variant_id')])} as can, count(*)::int as products from matched p
          ${others.length === 0 ? '' : `where ${anyVariant(others)}`} group by 1) g`;
    }
    case 'price': {
      const { others, available } = ofVariants(key);
      const such = [...others, ...(available === true ? [sheet.buyable('v.variant_id')] : [])];
      return `select json_build_array(min(x.paid)::text, max(x.paid)::text) as told, false as more
        from matched p join catalogue.variant v on v.tenant_id = p.tenant_id and v.product_id = p.product_id and v.removed_at is null
        join catalogue.price c on c.tenant_id = v.tenant_id and c.variant_id = v.variant_id and c.min_quantity = 1
          and c.currency = ${say(prices?.currency)}
        cross join lateral (select ${sheet.paid} as paid) x${such.length === 0 ? '' : ` where ${such.join(' and ')}`}`;
    }
    case 'collection': {
      const { value: named, shown } = sheet.collections;
      return ranked(
        `select ${named} as value, count(*)::int as products, array[k.title] as spelled
         from matched p join catalogue.collection_product q on q.tenant_id = p.tenant_id and q.product_id = p.product_id
         join catalogue.collection k on k.tenant_id = q.tenant_id and k.collection_id = q.collection_id
         where ${shown} group by 1, k.title`,
        'r.spelled',
        key,
        counting,
      );
    }
    case 'option':
      return tallyOfOption(key, counting);
    default:
      return ranked(
        `select t.value, count(*)::int as products, min(p.place) as first
         from matched p join catalogue.product_term t on t.tenant_id = p.tenant_id and t.product_id = p.product_id and t.field = '${key}'
         group by t.value`,
        `(select ${key === 'tag' ? 'n.tags' : `array[n.${key === 'type' ? 'product_type' : 'vendor'}]`} from within w
            join catalogue.product n on n.tenant_id = w.tenant_id and n.product_id = w.product_id where w.place = r.first)`,
        key,
        counting,
      );
  }
}

/** A product counts for a value that a variant has which is all else that is sought: so what a value promises is there when it is chosen. */
function tallyOfOption(key: string, counting: Counting): string {
  const { sheet, ofVariants, say } = counting;
  const begin = `${key.slice('option:'.length)}:`;
  const of = (conditions: readonly string[]): string =>
    `exists (select from unnest(t.variant_ids) one join catalogue.variant v on v.tenant_id = t.tenant_id and v.variant_id = one
       where ${['v.removed_at is null', ...conditions].join(' and ')})`;
  const such = satisfied(ofVariants(key), sheet.buyable, of);
  return ranked(
    `select t.value, count(*)::int as products, (array_agg(t.variant_ids[1] order by p.place))[1] as one
     from within p join catalogue.product_term t on t.tenant_id = p.tenant_id and t.product_id = p.product_id and t.field = 'option'
       and t.value >= ${say(begin)} and t.value < ${say(`${begin}\u{10FFFF}`)}
     ${such.length === 0 ? '' : `where ${such.join(' and ')}`} group by t.value`,
    `(select v.option_values from catalogue.variant v where v.tenant_id = $1::uuid and v.variant_id = r.one)`,
    key,
    counting,
  );
}

/** Those of most products first, and what is chosen in any case. @param spelled texts one of which it is, as a product writes it */
const ranked = (counts: string, spelled: string, key: string, { chosen, say }: Counting): string =>
  `select json_agg(json_build_array(r.value, r.products, ${spelled}) order by r.products desc, r.value collate "C")
     filter (where r.rank <= ${mostValues}) as told, coalesce(bool_or(r.rank > ${mostValues}), false) as more
   from (select * from (select c.*, row_number() over (order by c.value = any (${say(chosen.get(key) ?? [])}::text[]) desc, c.products desc,
     c.value collate "C") as rank from (${counts}) c) d where d.rank <= ${mostValues + 1}) r`;

type Told = readonly (readonly [value: string, products: number, spelled: readonly string[] | null])[];

/** From the rows of `tallies`, in the order in which they were asked for. */
export function facetsIn(
  asked: readonly Asked[],
  groups: readonly (readonly [asked: readonly Asked[], rows: readonly Row[]])[],
  chosen: Chosen,
  currency = '',
): Facet[] {
  const rows = new Map(
    groups.flatMap(([facets, counted]) => counted.map((row) => [facets[Number(row['at'])]?.key ?? '', row] as const)),
  );
  return asked.map(({ name, key }) => {
    const { told, more, exact } = rows.get(key) ?? {};
    const about = { name, more: more === true, exact: exact === true };
    if (key === 'price') {
      const [lowest, highest] = (told ?? []) as readonly (string | null)[];
      return {
        ...about,
        values: [],
        range:
          lowest === null || lowest === undefined || highest === null || highest === undefined
            ? null
            : {
                currency,
                lowest: formatAmount(BigInt(lowest), currency),
                highest: formatAmount(BigInt(highest), currency),
              },
      };
    }
    const own = new Set(chosen.get(key));
    const counted = ((told ?? []) as Told).map(([one, count, spelled]) => ({
      value: one,
      label: labelOf(key, one, spelled ?? []),
      count,
      chosen: own.has(one),
    }));
    const there = new Set(counted.map((one) => one.value));
    const none = [...own]
      .filter((one) => !there.has(one))
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map((one) => ({ value: one, label: labelOf(key, one, []), count: 0, chosen: true }));
    const surplus = Math.max(0, counted.length + none.length - mostValues);
    const spared = new Set(
      counted
        .filter((one) => !one.chosen)
        .toReversed()
        .slice(0, surplus),
    );
    const values = [...counted.filter((one) => !spared.has(one)), ...none];
    return { ...about, values, more: about.more || surplus > 0, range: null };
  });
}

function labelOf(key: string, one: string, spelled: readonly string[]): string {
  const field: string = fieldOf(key);
  if (field === 'collection' || field === 'available') return spelled[0] ?? one;
  const plain = field === 'option' ? one.slice(one.indexOf(':') + 1) : one;
  return spelled.find((text) => caseFolded(text) === plain) ?? plain;
}
