import { amount, count, id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import { namesOfItem } from '../items/named.ts';
import { kinds } from '../words.ts';

/** One change of a level: of `stock.movement` named `m`, beside `stock.item` `i`. */
export const movement = shape('m', {
  id: id('m.movement_id'),
  kind: oneOf(kinds),
  itemId: id(),
  ...namesOfItem,
  locationId: id(),
  /** By how much each changed. */
  onHand: count(),
  reserved: count(),
  incoming: count(),
  /** What those cost that were moved on hand, of as many as have a known cost; below 0: they left. Null: none has. */
  costed: count('m.costed + m.late_costed'),
  cost: nullable(amount('case when m.costed <> 0 or m.late_costed <> 0 then m.cost + m.late_cost end')),
  reason: nullable(text()),
  note: nullable(text()),
  /** What it was done for: `change` by a member, `holder` of a reservation, or what its maker says. */
  sourceKind: text(),
  sourceId: id(),
  /** Who did it. */
  actor: text(),
  createdAt: moment(),
});
