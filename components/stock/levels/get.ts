import { operation } from '@steward/access';
import { pageCursor, pageLimit, pageOf } from '@steward/contract';
import { beforeAllIds, page, parseCursor } from '@steward/sql';
import { z } from 'zod';
import { variantsOfItem, withVariants } from '../items/named.ts';
import { noLocation, selectLocations } from '../locations/location.ts';
import { reads } from '../operations.ts';
import { mode, mostQuantity } from '../words.ts';
import type { StockPorts } from '../ports.ts';
import { level, selectLevels } from './level.ts';

const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const most = 200;
/** A level, and what people call the variants that take of it. */
const answer = level.answer.extend(variantsOfItem);
const ids = z.array(z.uuid()).min(1).max(most);

/**
 * A page of levels in the order of items and locations. What has expired is not reserved any more. Of tests: levels that a test has
 * taken from; the others are as the live ones. A page may end early, or be empty, where few levels are below a number.
 * @throws Problem `not_found` (404) for a location that is not there
 */
export const getStock = operation(
  {
    ...reads,
    name: 'service_get_stock',
    input: z.strictObject({
      variantIds: ids.optional().meta({ description: `Up to ${most} variants: the items that they take.` }),
      itemIds: ids.optional().meta({ description: `Up to ${most} stock items.` }),
      locationId: z.uuid().optional().meta({ description: 'From service_list_locations.' }),
      below: z
        .int()
        .min(0)
        .max(mostQuantity)
        .optional()
        .meta({ description: 'Only where less than this is available. A page may have few; follow next_cursor.' }),
      mode,
      limit: pageLimit,
      cursor: pageCursor(z.string().regex(form)),
    }),
    answer: pageOf(answer),
    errors: ['insufficient_role', 'not_found'],
  },
  async (
    { context, read, readAll },
    { limit, cursor = `${beforeAllIds}.${beforeAllIds}`, ...filter },
    ports: StockPorts,
  ) => {
    const [itemId = '', locationId = ''] = parseCursor(cursor, form);
    const { locationId: named } = filter;
    const [rows = [], [end] = [], there = []] = await readAll([
      ...selectLevels(context.tenant, filter, [itemId, locationId], limit + 1),
      ...(named === undefined ? [] : [selectLocations('p.location_id = $2::uuid', context.tenant, named)]),
    ]);
    if (named !== undefined && there.length === 0) throw noLocation();
    const found = page(rows, limit, level.read, (last) => `${last.itemId}.${last.locationId}`);
    const more =
      found.nextCursor ?? (end === undefined ? null : `${String(end['item_id'])}.${String(end['location_id'])}`);
    return { items: await withVariants({ context, query: read }, ports, found.items), nextCursor: more };
  },
);
