import type { Noun } from '@steward/tools';

/** What ids of locations and of counted items name. What there is of an item changes with every sale and is no fact of it. */
export const stockNouns: readonly Noun[] = [
  { noun: 'location', table: 'stock.location', key: 'location_id', called: 't.name' },
  {
    noun: 'stock item',
    table: 'stock.item',
    key: 'item_id',
    called: `coalesce(t.name, t.sku, 'item ' || t.item_id)`,
  },
];
