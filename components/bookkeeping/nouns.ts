import type { Noun } from '@steward/tools';

/** What ids of bookkeeping name. */
export const bookkeepingNouns: readonly Noun[] = [
  {
    noun: 'posting of an order',
    table: 'bookkeeping.posting',
    key: 'posting_id',
    called: `t.kind || coalesce(' of order ' || t.order_id, ' of stock')`,
  },
];
