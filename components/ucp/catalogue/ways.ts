import type { Pickups } from '@steward/checkout';
import type { TenantContext } from '@steward/sql';
import { names } from '../negotiation/versions.ts';
import type { CatalogueContext, CatalogueFilters } from '../shown/given.ts';
import { apart } from '../shown/titles.ts';
import type { Visit } from '../visit.ts';
import type { Priced } from './show.ts';

/** How a shop hands goods over. */
export interface Ways {
  readonly ships: boolean;
  readonly pickups: Awaited<ReturnType<Pickups['of']>>;
}

export const waysOf = async (context: TenantContext, pickups: Pickups): Promise<Ways> => ({
  ships: await pickups.ships(context),
  pickups: await pickups.of(context),
});

/** What somebody wants of it: one place, and some methods alone. */
export interface Wish {
  readonly place: string | undefined;
  readonly methods: readonly string[] | undefined;
}

export const wishOf = (filters: CatalogueFilters, about: CatalogueContext): Wish => ({
  place: filters?.fulfills_to?.location ?? about?.location ?? undefined,
  methods: filters?.methods?.length ? filters.methods : undefined,
});

interface Method {
  readonly type: string;
  readonly description?: { readonly plain: string };
  readonly availability: { readonly available: boolean; readonly status: string };
  readonly location?: string;
  readonly options?: readonly { readonly id: string; readonly title: string }[];
}

/**
 * The methods of a variant as the catalogue shows them (2026-08-25, fulfillment): at most one of each type, since each is about one place. A place is named
 * where it is wished for or the only one; it and its options are those that a checkout takes.
 */
export function methodsOf({ variant }: Priced, currency: string, { ships, pickups }: Ways, { place }: Wish): Method[] {
  if (!variant.requiresShipping) return [];
  const availability = { available: variant.available, status: variant.available ? 'in_stock' : 'out_of_stock' };
  const near = pickups.filter(
    ({ price, location }) => price.currency === currency && (place === undefined || location.id === place),
  );
  const places = [...new Map(near.map(({ location }) => [location.id, location.name]))];
  const [[only] = []] = places;
  const where = places.map(([, name]) => name).join(', ');
  const titles = apart(near.map(({ name }) => name));
  return [
    ...(ships ? [{ type: 'shipping', availability }] : []),
    ...(only === undefined
      ? []
      : [
          {
            type: 'pickup',
            description: { plain: `Pickup at ${where}`.slice(0, 1_000) },
            availability,
            ...(places.length === 1
              ? { location: only, options: near.map(({ id }, at) => ({ id, title: titles[at] ?? '' })) }
              : {}),
          },
        ]),
  ];
}

/** Whether both sides speak of it in the catalogue: only the newer release has a place for it. */
export const tellsWays = ({ version, active }: Pick<Visit, 'version' | 'active'>): boolean =>
  version === '2026-08-25' && active.has(names.fulfillment);

/** Those that can be had in one of the ways that are wished for. */
export const withWays = (all: readonly Priced[], currency: string, ways: Ways, wish: Wish): readonly Priced[] =>
  wish.methods === undefined
    ? all
    : all.filter((one) => methodsOf(one, currency, ways, wish).some(({ type }) => wish.methods?.includes(type)));
