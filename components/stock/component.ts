import type { Route } from '@steward/contract';
import type { Identity } from '@steward/identity';
import type { Addresses } from '@steward/kernel';
import type { Catalogue, Tool } from '@steward/tools';
import { stockRoutes } from './levels/routes.ts';
import { levelTools } from './levels/tools.ts';
import { locationRoutes } from './locations/routes.ts';
import { locationTools } from './locations/tools.ts';
import type { StockPorts } from './ports.ts';

export const name = 'stock';
export const tools: readonly Tool<StockPorts>[] = [...locationTools, ...levelTools];
export { stockNouns as nouns } from './nouns.ts';
export const migrations = new URL('./migrations/', import.meta.url);
export { recorded } from './recorded.ts';
export { stockFail as errors } from './errors.ts';
export { grammar, published } from './events.ts';
export type { StockPorts } from './ports.ts';
export type { Mode, Policy } from './words.ts';
export { locationIn } from './locations/location-in.ts';
export { locationsInUse, placesIn, selectPlaces } from './locations/location.ts';
export { availability, availabilityOf, buyable, type Availability } from './reservations/availability.ts';
export { type AtLocation, stockAt, variantsTaking } from './reservations/at-location.ts';
export { followLevels } from './levels/follow.ts';
export { variantsSharing } from './reservations/sharing.ts';
export { reserve, type Reserving } from './reservations/reserve.ts';
export { reserveSome } from './reservations/reserve-some.ts';
export { release, releaseAll } from './reservations/release.ts';
export { keep } from './reservations/keep.ts';
export { ship, type MovementSource, type SourceLine } from './reservations/ship.ts';
export { restock } from './reservations/restock.ts';
export { forgetTests } from './reservations/forget-tests.ts';
export { costsOf, type MovedCost } from './costs/of.ts';
export { costedBetween, stockValue } from './costs/between.ts';
export { type Asked, type Shortfall, shortfallsOf } from './reservations/asked.ts';

export interface StockNeeds extends StockPorts {
  readonly identity: Identity;
  readonly addresses: Pick<Addresses, 'commerce'>;
  readonly toolCatalogue: Pick<Catalogue, 'bind'>;
}

/** Its routes are served at commerce's address: `/api/stock…` and `/api/locations…`. */
export function create({
  identity,
  addresses,
  toolCatalogue,
  variantsIn,
  variantsNamed,
  baseCurrency,
  pickupsAt,
}: StockNeeds): {
  readonly serves: readonly [{ readonly at: 'commerce'; readonly routes: readonly Route[] }];
} {
  const ports: StockPorts = { variantsIn, variantsNamed, baseCurrency, pickupsAt };
  toolCatalogue.bind(tools, ports);
  const guard = identity.tenant(addresses.commerce);
  return { serves: [{ at: 'commerce', routes: [...locationRoutes(guard, ports), ...stockRoutes(guard, ports)] }] };
}
