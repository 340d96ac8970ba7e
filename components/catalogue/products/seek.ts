import { type Row, statement, type Statement } from '@steward/sql';
import { askedOf, type Counted, type Facet, facetsIn, tallies } from './facets.ts';
import { anyVariant, hasVariant, costing, type OfVariants, type Priced, pricesOf, satisfied } from './sieve.ts';
import { all, type Chosen, chosenOf, fieldOf, found, type Finding, having, type Say, type Several } from './terms.ts';
import { type Walk, walk, type Walked, walkedIn } from './walk.ts';

/** What a list is asked for. All holds together; of several values of one member, any. */
export interface Sought extends Finding, Priced {
  readonly available?: boolean | undefined;
  readonly facets?: Several | undefined;
}

/** A list that products are sought in. */
export interface Sheet extends Counted {
  /** `$1` is the tenant; what else stands at the first places. */
  readonly first: readonly unknown[];
  readonly columns: string;
  /** What of them is asked for. */
  readonly chosenCollections: readonly string[];
  /** Its products in their order. @param whole whether those of all collections */
  among(say: Say, whole: boolean): Walk;
  /** Conditions on what comes after the page before. */
  after(say: Say): readonly string[];
}

/** Statements of one round trip that answer what is sought, and how their rows are read. */
export interface Seeking {
  statements(words: string | undefined, limit: number): Statement[];
  /** @param rows of these statements */
  read(rows: readonly (readonly Row[])[]): Walked & { readonly facets: readonly Facet[] };
}

/** For an answer: facets, where they were asked for. */
export const counted = (
  { facets }: Sought,
  found: { readonly facets: readonly Facet[] },
): { readonly facets?: Facet[] } => (facets === undefined ? {} : { facets: [...found.facets] });

/** @throws Problem as `pricesOf` says */
export function seeking(tenant: string, sheet: Sheet, sought: Sought): Seeking {
  const prices = pricesOf(sought, all(sought.facets).includes('price'));
  const chosen: Chosen = new Map([
    ...chosenOf(sought),
    ...(sheet.chosenCollections.length === 0 ? [] : [['collection', sheet.chosenCollections] as const]),
    ...(sought.available === undefined ? [] : [['available', [String(sought.available)]] as const]),
    ...(prices?.from === undefined && prices?.to === undefined ? [] : [['price', []] as const]),
  ]);
  const asked = askedOf(sought.facets);
  /** Facets of which something is chosen are each counted among products of their own, the others among those that are listed. */
  const groups = [...Map.groupBy(asked, ({ key }) => (chosen.has(key) ? key : undefined))];

  const conditionsOn = (words: string | undefined, say: Say, but: string | undefined) => {
    const walked = sheet.among(say, but === 'collection');
    return {
      ...walked,
      conditions: [...walked.conditions, ...found({ ...sought, query: words }, chosen, say, but)],
    };
  };
  const ofVariants = (say: Say, but: string | undefined): OfVariants => ({
    others: [...having(chosen, say, but), ...(but === 'price' ? [] : costing(prices, sheet.paid, say))],
    available: but === 'available' ? undefined : sought.available,
  });
  /** What no key leads to: SQL, or nothing. One option alone has its key. */
  const sieveBut = (say: Say, but: string | undefined): string | undefined => {
    const options = [...chosen.keys()].filter((facet) => facet !== but && fieldOf(facet) === 'option').length;
    const priced = but !== 'price' && chosen.has('price');
    const sold = but !== 'available' && sought.available !== undefined;
    return options > 1 || priced || sold
      ? satisfied(ofVariants(say, but), sheet.buyable, anyVariant).join(' and ')
      : undefined;
  };
  const made = (text: (say: Say) => string): Statement => {
    const values: unknown[] = [tenant, ...sheet.first];
    const said = text((value) => `$${values.push(value)}`);
    return statement(said, values);
  };

  return {
    statements: (words, limit) => [
      made((say) => {
        const whole = conditionsOn(words, say, undefined);
        return walk(
          `${sheet.columns}, ${hasVariant([sheet.buyable('v.variant_id')])} as available`,
          { ...whole, conditions: [...whole.conditions, ...sheet.after(say)] },
          `${say(limit + 1)}::int`,
          sieveBut(say, undefined),
        );
      }),
      ...groups.map(([but, facets]) =>
        made((say) =>
          tallies(facets, {
            chosen,
            walk: conditionsOn(words, say, but),
            sieve: (own) => sieveBut(say, own),
            ofVariants: (own) => ofVariants(say, own),
            prices,
            sheet,
            say,
          }),
        ),
      ),
    ],
    read: ([listed = [], ...counted]) => ({
      ...walkedIn(listed),
      facets: facetsIn(
        asked,
        groups.map(([, facets], at) => [facets, counted[at] ?? []] as const),
        chosen,
        prices?.currency,
      ),
    }),
  };
}
