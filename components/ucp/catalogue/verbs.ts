import { currencyOfBooks } from '@steward/accounting';
import { listPublished, publishedNamed, type PublishedProduct } from '@steward/catalogue';
import type { Pickups } from '@steward/checkout';
import { createFreshCache, createWriteMarks, fail, isCurrency } from '@steward/kernel';
import type { Tenancy } from '@steward/sql';
import { ucpFail } from '../errors.ts';
import { buyable } from '@steward/stock';
import { notFound } from '../checkout/refusals.ts';
import { names } from '../negotiation/versions.ts';
import { serveAgents } from '../permissions.ts';
import type { LookupGiven, ProductGiven, SearchGiven } from '../shown/given.ts';
import { amountOf } from '../shown/money.ts';
import { envelope, nothing, type Outcome } from '../shown/outcome.ts';
import type { Visit } from '../visit.ts';
import { detailOptions, selectVariants } from './select.ts';
import { type Priced, pricedIn, showProduct, showVariant } from './show.ts';
import { methodsOf, tellsWays, type Ways, waysOf, type Wish, wishOf, withWays } from './ways.ts';

export interface CatalogueVerbs {
  search(visit: Visit, given: SearchGiven): Promise<Outcome>;
  lookup(visit: Visit, given: LookupGiven): Promise<Outcome>;
  product(visit: Visit, given: ProductGiven): Promise<Outcome>;
}

const usualPage = 10;
/** A product has up to a thousand variants, and all are shown. */
const mostPage = 30;
const mostLooked = 30;

const freshFor = 1_000;
const cacheBytes = 16 * 1024 * 1024;
/** With what was answered of it. */
const bytesOfVariant = 4_000;
const mostAnswers = 4;

/** What was read of a brand. */
interface Read {
  readonly own: string;
  readonly products: readonly PublishedProduct[];
  readonly ways: Ways;
  /** What was answered of it, by currency and by what both sides can. */
  readonly answers: Map<string, Outcome>;
}

/**
 * What the brand sells, as the protocol asks for it and is answered it. Named products are kept as pages of products are: for a second at most, until a
 * price list begins or ends, and until this process writes for the tenant.
 */
export function catalogueVerbs(
  { tenancy }: { readonly tenancy: Pick<Tenancy, 'onWrite'> },
  pickups: Pickups,
): CatalogueVerbs {
  const marks = createWriteMarks((then) => tenancy.onWrite(then));
  const cache = createFreshCache<Read>({
    milliseconds: freshFor,
    capacity: cacheBytes,
    missing: 1,
    weigh: ({ products }) =>
      products.reduce((sum, { variants }) => sum + (1 + variants.length) * bytesOfVariant, bytesOfVariant),
  });
  const deps = ({ shop }: Visit) => ({
    mediaAt: shop.mediaAt,
    buyable: (variantId: string) => buyable(variantId, shop.mode),
  });
  /** A hint: what is not sold in it is shown as the books have it. */
  const currenciesOf = (own: string, given: { readonly currency?: string | null | undefined } | null | undefined) => {
    const asked = given?.currency?.toUpperCase();
    return { own, asked: asked !== undefined && isCurrency(asked) ? asked : own };
  };
  const currencyOf = async ({ context }: Visit): Promise<string> =>
    currencyOfBooks({ context, query: context.require(serveAgents).read } as Parameters<typeof currencyOfBooks>[0]);
  const named = async (visit: Visit, ids: readonly string[]): Promise<Read> => {
    const { context, shop } = visit;
    const key = JSON.stringify([marks.of(context.tenant), context.tenant, shop.brandId, shop.mode, shop.mediaAt, ids]);
    const found = await cache.get(key, async () => {
      const [own, { products, lasts }, ways] = await Promise.all([
        currencyOf(visit),
        publishedNamed(context, shop.brandId, ids, deps(visit)),
        waysOf(context, pickups),
      ]);
      return { value: { own, products, ways, answers: new Map() }, lives: lasts };
    });
    if (found === undefined) throw new Error('what was read is there');
    return found;
  };
  /** A variant as it is shown, with how it can be had where both sides speak of that. */
  const shownOf =
    (
      visit: Visit,
      { product, currency, ways, wish }: { product: PublishedProduct; currency: string; ways: Ways; wish: Wish },
    ) =>
    (one: Priced) => {
      const methods = tellsWays(visit) ? methodsOf(one, currency, ways, wish) : [];
      return { ...showVariant(product, one, currency), ...(methods.length === 0 ? {} : { fulfillment: { methods } }) };
    };
  const priced = (product: PublishedProduct, { own, asked }: { own: string; asked: string }) => {
    const sold = product.variants.flatMap(({ prices }) => prices.map(({ currency }) => currency)).toSorted();
    for (const currency of [asked, own, ...sold]) {
      const all = pricedIn(product, currency);
      if (all.length > 0) return { currency, all };
    }
    return { currency: own, all: [] };
  };

  return {
    search: async (visit, { query, filters, pagination, context: about }) => {
      const words = query?.trim();
      const price = filters?.price;
      const categories = filters?.categories ?? [];
      const ofWays = tellsWays(visit) && (filters?.fulfills_to != null || !!filters?.methods?.length);
      if (!words && categories.length === 0 && price?.min == null && price?.max == null && !ofWays)
        throw fail('invalid_request', 'Give a query, or filters: a search of nothing finds nothing.');
      const currencies = currenciesOf(await currencyOf(visit), about);
      const limit = Math.min(pagination?.limit ?? usualPage, mostPage);
      const { items, nextCursor } = await listPublished(
        visit.context,
        visit.shop.brandId,
        {
          limit,
          ...(words ? { query: words } : {}),
          ...(pagination?.cursor ? { cursor: pagination.cursor } : {}),
          ...(categories.length === 0 ? {} : { type: [...new Set(categories)] }),
          ...(price?.min == null ? {} : { priceFrom: amountOf(price.min, currencies.asked) }),
          ...(price?.max == null ? {} : { priceTo: amountOf(price.max, currencies.asked) }),
          ...(price?.min == null && price?.max == null ? {} : { currency: currencies.asked }),
        },
        deps(visit),
      );
      const read = await named(
        visit,
        items.map(({ id }) => id),
      );
      const found = new Map(read.products.map((one) => [one.id, one]));
      const wish = wishOf(tellsWays(visit) ? filters : undefined, about);
      const products = items.flatMap(({ id }) => {
        const product = found.get(id);
        if (product === undefined) return [];
        const { currency, all: sold } = priced(product, currencies);
        const all = withWays(sold, currency, read.ways, wish);
        if (all.length === 0) return [];
        return [
          showProduct(product, all, currency, all.map(shownOf(visit, { product, currency, ways: read.ways, wish }))),
        ];
      });
      return {
        status: 200,
        body: {
          ucp: envelope(visit, names.search),
          products,
          pagination: { has_next_page: nextCursor !== null, ...(nextCursor === null ? {} : { cursor: nextCursor }) },
        },
      };
    },
    lookup: async (visit, { ids: given, context: about, filters }) => {
      const ids = [...new Set(given)];
      if (ids.length > mostLooked)
        throw ucpFail('request_too_large', `Look up at most ${mostLooked} identifiers at once.`);
      const read = await named(visit, ids);
      const currencies = currenciesOf(read.own, about);
      const ucp = envelope(visit, names.lookup);
      // All that an answer follows from beside what was read of these identifiers.
      const wish = wishOf(tellsWays(visit) ? filters : undefined, about);
      const answer = JSON.stringify([currencies.asked, ucp, wish.place, wish.methods]);
      const known = read.answers.get(answer);
      if (known !== undefined) return known;
      const resolved = new Set<string>();
      const products = read.products.flatMap((product) => {
        const { currency, all: sold } = priced(product, currencies);
        const all = withWays(sold, currency, read.ways, wish);
        const shownAs = shownOf(visit, { product, currency, ways: read.ways, wish });
        const inputs = inputsOf(product, all, ids);
        const shown = all.filter(({ variant }) => inputs.has(variant.id));
        if (shown.length === 0) return [];
        for (const those of inputs.values()) for (const { id } of those) resolved.add(id);
        const exactFirst = shown.toSorted((a, b) => rank(inputs.get(a.variant.id)) - rank(inputs.get(b.variant.id)));
        return [
          showProduct(
            product,
            all,
            currency,
            exactFirst.map((one) => ({
              ...shownAs(one),
              inputs: inputs.get(one.variant.id) ?? [],
            })),
          ),
        ];
      });
      const missing = ids.filter((id) => !resolved.has(id));
      const body = {
        ucp,
        products,
        ...(missing.length === 0
          ? {}
          : {
              messages: missing.map((id) => ({
                type: 'info',
                code: 'not_found',
                content: `Nothing is sold as ${id}.`,
              })),
            }),
      };
      const outcome = { status: 200, body, text: JSON.stringify(body) };
      if (read.answers.size < mostAnswers) read.answers.set(answer, outcome);
      return outcome;
    },
    product: async (visit, { id, selected, preferences, context: about, filters }) => {
      const chosen = selected ?? [];
      if (new Set(chosen.map(({ name }) => name)).size < chosen.length)
        throw fail('invalid_request', 'Select each option once.');
      const { own, products, ways } = await named(visit, [id]);
      const currencies = currenciesOf(own, about);
      const [product] = products;
      if (product === undefined) return nothing(visit.version, [notFound('product')]);
      const { currency, all: sold } = priced(product, currencies);
      const wish = wishOf(tellsWays(visit) ? filters : undefined, about);
      const all = withWays(sold, currency, ways, wish);
      if (all.length === 0) return nothing(visit.version, [notFound('product')]);
      const exact = all.find(({ variant }) => variant.id === id || variant.sku === id);
      const found = selectVariants(product, all, { exact, selected: chosen, preferences: preferences ?? [] });
      const shown = showProduct(
        product,
        all,
        currency,
        found.variants.map(shownOf(visit, { product, currency, ways, wish })),
      );
      return {
        status: 200,
        body: {
          ucp: envelope(visit, names.lookup),
          product: {
            ...shown,
            ...(product.options.length === 0 ? {} : { options: detailOptions(product, all, found.selected) }),
            selected: found.selected,
          },
        },
      };
    },
  };
}

interface Input {
  readonly id: string;
  readonly match: 'exact' | 'featured';
}

const rank = (inputs: readonly Input[] | undefined): number =>
  inputs?.some(({ match }) => match === 'exact') === true ? 0 : 1;

/** Which of the identifiers lead to which variant, and how. */
function inputsOf(product: PublishedProduct, all: readonly Priced[], ids: readonly string[]): Map<string, Input[]> {
  const found = new Map<string, Input[]>();
  const add = (variantId: string, input: Input) => found.set(variantId, [...(found.get(variantId) ?? []), input]);
  const first = all.find(({ variant }) => variant.available) ?? all[0];
  for (const id of ids) {
    if ((id === product.id || id === product.handle) && first !== undefined)
      add(first.variant.id, { id, match: 'featured' });
    for (const { variant } of all) if (variant.id === id || variant.sku === id) add(variant.id, { id, match: 'exact' });
  }
  return found;
}
