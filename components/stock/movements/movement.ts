import { count, id, moment, nullable, oneOf, shape, text } from '@steward/contract';
import { kinds } from '../words.ts';

/** One change of a level: of `stock.movement` named `m`. */
export const movement = shape('m', {
  id: id('m.movement_id'),
  kind: oneOf(kinds),
  itemId: id(),
  locationId: id(),
  /** By how much each changed. */
  onHand: count(),
  reserved: count(),
  incoming: count(),
  reason: nullable(text()),
  note: nullable(text()),
  /** What it was done for: `change` by a member, `holder` of a reservation, or what its maker says. */
  sourceKind: text(),
  sourceId: id(),
  /** Who did it. */
  actor: text(),
  createdAt: moment(),
});
