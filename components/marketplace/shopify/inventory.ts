import type { Ask } from './client.ts';
import { idOf, lineOf, listOf, membersOf, nodesOf, UnexpectedAnswer, wholeOf } from './read.ts';

/** Where a shop keeps goods. */
export interface ShopLocation {
  readonly id: string;
  readonly name: string;
}

/** What a shop has of an inventory item at a location. */
export interface ShopLevel {
  readonly available: number;
  /** Sold, and not sent yet. */
  readonly committed: number;
}

/** One level that is to be set. */
export interface LevelChange {
  readonly itemId: string;
  /** What it is known to be: if it is another number by then, nothing is set. */
  readonly from: number;
  readonly to: number;
}

/** `stale`: the shop has changed it meanwhile. */
export type LevelOutcome = 'set' | 'stale' | 'not_stocked' | 'refused';

/** Items in one query or mutation; Shopify sets up to 250, and answers about as many for a thousand points. */
export const mostLevels = 50;

const locationsQuery = `query Locations { locations(first: 100) { nodes { id name } } }`;
const levelsQuery = `query Levels($ids: [ID!]!, $location: ID!) { nodes(ids: $ids) { ... on InventoryItem { id tracked
  inventoryLevel(locationId: $location) { quantities(names: ["available", "committed"]) { name quantity } } } } }`;
const setMutation = `mutation SetStock($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { code } } }`;

const activateMutation = `mutation StockItem($item: ID!, $location: ID!, $available: Int!, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location, available: $available) @idempotent(key: $key) { userErrors { field } } }`;

/** The locations of a shop that are in use, up to 100. */
export async function readLocations(ask: Ask): Promise<readonly ShopLocation[]> {
  const { locations } = await ask(locationsQuery);
  return nodesOf(locations).map(({ id, name }) => ({ id: idOf(id), name: lineOf(name) ?? 'Location' }));
}

const locationOf = (id: string): string => `gid://shopify/Location/${id}`;
const itemOf = (id: string): string => `gid://shopify/InventoryItem/${id}`;

/** What a shop has of these items, up to `mostLevels`; null of what it counts, but not at this location; without those that it does not count. */
export async function readLevels(
  ask: Ask,
  locationId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ShopLevel | null>> {
  const { nodes } = await ask(levelsQuery, { ids: itemIds.map(itemOf), location: locationOf(locationId) });
  return new Map(
    listOf(nodes).flatMap((item): [string, ShopLevel | null][] => {
      const level = item['inventoryLevel'];
      if (item['id'] === undefined || item['tracked'] !== true || level === undefined) return [];
      if (level === null) return [[idOf(item['id']), null]];
      const named = new Map(
        listOf(membersOf(level)['quantities']).map(({ name, quantity }) => [String(name), wholeOf(quantity)]),
      );
      const [available, committed] = [named.get('available'), named.get('committed')];
      if (available === undefined || committed === undefined)
        throw new UnexpectedAnswer('Shopify answered a level without its quantities');
      return [[idOf(item['id']), { available, committed }]];
    }),
  );
}

/**
 * Sets what a shop can sell of items, each only from what it is known to be. All of them at once; where one cannot be set, each by itself.
 * @param newKey makes the name of a request: one that arrives twice is carried out once
 * @throws ProviderRefused, ProviderUnavailable; it may have been carried out then
 */
export async function setAvailable(
  ask: Ask,
  locationId: string,
  changes: readonly LevelChange[],
  newKey: () => string,
): Promise<ReadonlyMap<string, LevelOutcome>> {
  const set = async (some: readonly LevelChange[]): Promise<LevelOutcome> => {
    const { inventorySetQuantities: answered } = await ask(setMutation, {
      key: newKey(),
      input: {
        name: 'available',
        reason: 'correction',
        quantities: some.map(({ itemId, from, to }) => ({
          inventoryItemId: itemOf(itemId),
          locationId: locationOf(locationId),
          quantity: to,
          changeFromQuantity: from,
        })),
      },
    });
    const faults = membersOf(answered)['userErrors'];
    if (!Array.isArray(faults)) throw new UnexpectedAnswer('Shopify answered nothing to what was set');
    return outcomeOf(listOf(faults).map(({ code }) => String(code)));
  };
  const whole = await set(changes);
  if (whole === 'set' || changes.length === 1) return new Map(changes.map(({ itemId }) => [itemId, whole]));
  const outcomes = new Map<string, LevelOutcome>();
  for (const one of changes) outcomes.set(one.itemId, await set([one]));
  return outcomes;
}

/**
 * Has a shop count an item at a location from now on, with so much to sell. If it does so already, it refuses and nothing changes.
 * @throws ProviderRefused, ProviderUnavailable; it may have been carried out then
 */
export async function activate(
  ask: Ask,
  locationId: string,
  { itemId, to }: Pick<LevelChange, 'itemId' | 'to'>,
  key: string,
): Promise<'set' | 'refused'> {
  const { inventoryActivate: answered } = await ask(activateMutation, {
    item: itemOf(itemId),
    location: locationOf(locationId),
    available: to,
    key,
  });
  const faults = membersOf(answered)['userErrors'];
  if (!Array.isArray(faults)) throw new UnexpectedAnswer('Shopify answered nothing to what was set');
  return faults.length === 0 ? 'set' : 'refused';
}

/** A request that is under way, or whose key was used, is made again after the level was read anew: as one that is stale. */
const again: ReadonlySet<string> = new Set([
  'CHANGE_FROM_QUANTITY_STALE',
  'IDEMPOTENCY_CONCURRENT_REQUEST',
  'IDEMPOTENCY_KEY_PARAMETER_MISMATCH',
  'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED',
]);

function outcomeOf(codes: readonly string[]): LevelOutcome {
  if (codes.length === 0) return 'set';
  if (codes.every((code) => again.has(code))) return 'stale';
  return codes.includes('ITEM_NOT_STOCKED_AT_LOCATION') ? 'not_stocked' : 'refused';
}
