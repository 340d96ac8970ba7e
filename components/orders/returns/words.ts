export const returnStates = ['requested', 'approved', 'received', 'refunded', 'rejected'] as const;

/** Why something comes back or is paid back. */
export const reasons = [
  'changed_mind',
  'damaged',
  'defective',
  'wrong_item',
  'not_as_described',
  'not_delivered',
  'cancelled',
  'goodwill',
  'other',
] as const;

/** Lines in one call: an event holds no longer list. */
export const mostReturned = 200;
