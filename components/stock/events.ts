import { defineEvents, payload } from '@steward/kernel';
import { z } from 'zod';
import { modes, policies, reasons } from './words.ts';

const id = z.uuid();
const version = z.int().min(1);
const mode = z.enum(modes);
const policy = z.enum(policies);
/** More than a number of JSON may hold. */
const minor = z.string().regex(/^-?\d{1,18}$/);
/** How much more there is on hand, and how much there is then. */
const moved = z.array(z.object({ item_id: id, location_id: id, change: z.int(), on_hand: z.int() }));
const change = { change_id: id, levels: moved };

/** They carry ids and numbers: no name, note or address. */
export const { grammar, published, event, announcement } = defineEvents('commerce', {
  recorded: {
    'commerce.location.created': payload({ location_id: id }),
    'commerce.location.updated': payload({
      location_id: id,
      fields: z.array(z.enum(['name', 'code', 'country', 'address', 'postalAddress', 'priority'])),
      version,
    }),
    'commerce.location.archived': payload({ location_id: id, version }),
    'commerce.location.restored': payload({ location_id: id, version }),
    'commerce.stock_item.created': payload({ items: z.array(z.object({ item_id: id, policy })) }),
    'commerce.stock_item.updated': payload({
      item_id: id,
      fields: z.array(z.enum(['sku', 'name', 'policy'])),
      policy,
      version,
    }),
    /** The whole of what each variant takes from now on. */
    'commerce.stock.required': payload({
      variants: z.array(
        z.object({ variant_id: id, items: z.array(z.object({ item_id: id, quantity: z.int().min(1) })) }),
      ),
    }),
    'commerce.stock.adjusted': payload({ ...change, reason: z.enum(reasons) }),
    'commerce.stock.counted': payload(change),
    'commerce.stock.transferred': payload(change),
    'commerce.stock.expected': payload({
      change_id: id,
      levels: z.array(z.object({ item_id: id, location_id: id, incoming: z.int().min(0) })),
    }),
    'commerce.stock.shipped': payload({ source_kind: z.string(), source_id: id, mode, levels: moved }),
    'commerce.stock.restocked': payload({ source_kind: z.string(), source_id: id, mode, levels: moved }),
    /** What pieces that were moved cost, where it is known: as rows of movements say it. Minor units of the base currency. */
    'commerce.stock.costed': payload({
      source_id: id,
      movements: z.array(
        z.object({
          movement_id: id,
          item_id: id,
          costed: z.int(),
          cost: minor,
          late_costed: z.int().min(0),
          late_cost: minor,
        }),
      ),
    }),
    'commerce.stock.tests_deleted': payload({ levels: z.int().min(0), movements: z.int().min(0) }),
  },
  published: {
    /** What there is of these items may have changed: adjusted, counted, transferred, expected, ordered, released or returned. */
    'commerce.stock.changed': payload({ mode, itemIds: z.array(id) }),
    /** What was moved for a source has a known cost, with whose order it was, if any; nothing of tests. */
    'commerce.stock.costed': payload({ sourceKind: z.string(), sourceId: id, holderId: id.nullable() }),
  },
  // Nobody else may have the log say what became of stock.
  reserved: ['commerce.stock.**'],
});
