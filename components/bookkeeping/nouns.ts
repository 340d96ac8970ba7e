import type { Noun } from '@steward/tools';

/** What ids of bookkeeping name. */
export const bookkeepingNouns: readonly Noun[] = [
  {
    noun: 'posting of an order',
    table: 'bookkeeping.posting',
    key: 'posting_id',
    called: `t.kind || coalesce(' of order ' || t.order_id, ' of stock')`,
  },
  {
    noun: 'posting profile',
    table: 'bookkeeping.profile',
    key: 'tenant_id',
    changedBy: 'service_update_posting_profile',
    called: `'what orders post, and to which accounts'`,
  },
];
