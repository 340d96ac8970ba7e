import { type DerivedRows, instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';

const returnId = `(e.payload ->> 'return_id')::uuid`;
const live = `e.payload ->> 'mode' = 'live'`;
const types = [
  'commerce.return.requested',
  'commerce.return.approved',
  'commerce.return.rejected',
  'commerce.return.received',
  'commerce.return.refunded',
];

/** Returns, and how much of each line came back. */
export const recordedReturns: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('return', 'commerce.return.requested', {
    table: 'orders.return',
    id: 'return_id',
    column: 'created_at',
    key: returnId,
  }),
  {
    what: 'return',
    types,
    held: `select tenant_id, return_id::text as key, concat_ws(' ', state, 'of', order_id, reason, 'to ' || location_id, 'version', version, updated_at) as says
      from orders.return where mode = 'live'`,
    told: `select e.payload ->> 'return_id' as key, concat_ws(' ', e.payload ->> 'state', 'of', e.payload ->> 'order_id', e.payload ->> 'reason',
      'to ' || (e.payload ->> 'location_id'), 'version', e.payload ->> 'version', ${instantOf('updated_at')}) as says
      ${rowOf('orders.return', 'return_id', returnId)} where ${live}`,
  },
  {
    what: 'line of return',
    types,
    held: `select x.tenant_id, concat_ws(' ', x.return_id, x.line_id) as key, concat_ws(' ', 'of', x.order_id, x.quantity, 'came', x.received, x.damaged) as says
      from orders.return_line x join orders.return r on r.tenant_id = x.tenant_id and r.return_id = x.return_id where r.mode = 'live'`,
    told: `select concat_ws(' ', e.payload ->> 'return_id', l ->> 'line_id') as key, concat_ws(' ', 'of', e.payload ->> 'order_id', l ->> 'quantity', 'came',
      l ->> 'received', l ->> 'damaged') as says from jsonb_array_elements(e.payload -> 'lines') l where ${live}`,
  },
  {
    what: 'units of order line returned',
    from: 'its returns',
    held: `select tenant_id, line_id::text as key, returned::text as says from orders.line where returned > 0`,
    due: `select tenant_id, line_id::text as key, sum(received)::text as says from orders.return_line group by tenant_id, line_id having sum(received) > 0`,
  },
];
