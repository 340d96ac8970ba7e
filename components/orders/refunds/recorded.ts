import { type DerivedRows, madeAt, type RecordedRows } from '@steward/verification';

const refundId = `(e.payload ->> 'refund_id')::uuid`;
const live = `e.payload ->> 'mode' = 'live'`;
/** Amounts of events without their points are minor units. */
const minor = (text: string): string => `replace(${text}, '.', '')::numeric`;

/** What was given back, in all and of each line. */
export const recordedRefunds: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('refund', 'commerce.order.refunded', {
    table: 'orders.refund',
    id: 'refund_id',
    column: 'created_at',
    key: refundId,
  }),
  {
    what: 'refund',
    types: ['commerce.order.refunded'],
    held: `select tenant_id, refund_id::text as key, concat_ws(' ', 'of', order_id, 'return ' || return_id, reason, currency, 'shipping', shipping_net,
      shipping_tax, 'and', adjustment, 'balance', balance, 'credited', credited, 'in all', total) as says from orders.refund where mode = 'live'`,
    told: `select e.payload ->> 'refund_id' as key, concat_ws(' ', 'of', e.payload ->> 'order_id', 'return ' || (e.payload ->> 'return_id'),
      e.payload ->> 'reason', e.payload ->> 'currency', 'shipping', ${minor(`e.payload #>> '{shipping,net}'`)}, ${minor(`e.payload #>> '{shipping,tax}'`)},
      'and', ${minor(`e.payload ->> 'adjustment'`)}, 'balance', ${minor(`e.payload ->> 'balance'`)}, 'credited', coalesce(${minor(`e.payload ->> 'credited'`)}, 0), 'in all', ${minor(`e.payload ->> 'total'`)}) as says where ${live}`,
  },
  {
    what: 'line of refund',
    types: ['commerce.order.refunded'],
    held: `select x.tenant_id, concat_ws(' ', x.refund_id, x.line_id) as key, concat_ws(' ', 'of', x.order_id, x.quantity, 'for', x.net, x.tax) as says
      from orders.refund_line x join orders.refund f on f.tenant_id = x.tenant_id and f.refund_id = x.refund_id where f.mode = 'live'`,
    told: `select concat_ws(' ', e.payload ->> 'refund_id', l ->> 'line_id') as key, concat_ws(' ', 'of', e.payload ->> 'order_id', l ->> 'quantity', 'for',
      ${minor(`l ->> 'net'`)}, ${minor(`l ->> 'tax'`)}) as says from jsonb_array_elements(e.payload -> 'lines') l where ${live}`,
  },
  {
    what: 'total of refund',
    from: 'its lines',
    held: `select tenant_id, refund_id::text as key, (total + credited)::text as says from orders.refund`,
    due: `select f.tenant_id, f.refund_id::text as key, (f.shipping_net + f.shipping_tax + f.adjustment + f.balance + coalesce(sum(x.net + x.tax), 0))::text as says
      from orders.refund f left join orders.refund_line x on x.tenant_id = f.tenant_id and x.refund_id = f.refund_id
      group by f.tenant_id, f.refund_id`,
  },
  {
    what: 'payments of refund',
    from: 'its total',
    held: `select tenant_id, source_id::text as key, sum(amount)::text as says from orders.payment_operation where kind = 'refund'
      group by tenant_id, source_id`,
    due: `select tenant_id, refund_id::text as key, total::text as says from orders.refund where total > 0`,
  },
  {
    what: 'units of order line paid back',
    from: 'its refunds',
    held: `select tenant_id, line_id::text as key, refunded::text as says from orders.line where refunded > 0`,
    due: `select tenant_id, line_id::text as key, sum(quantity)::text as says from orders.refund_line group by tenant_id, line_id`,
  },
  {
    what: 'balance of order paid back',
    from: 'its refunds',
    held: `select tenant_id, order_id::text as key, balance_refunded::text as says from orders.sales_order where balance_refunded > 0`,
    due: `select tenant_id, order_id::text as key, sum(balance)::text as says from orders.refund
      group by tenant_id, order_id having sum(balance) > 0`,
  },
  {
    what: 'credited of order',
    from: 'its refunds',
    held: `select tenant_id, order_id::text as key, credited::text as says from orders.sales_order where credited > 0`,
    due: `select tenant_id, order_id::text as key, sum(credited)::text as says from orders.refund
      group by tenant_id, order_id having sum(credited) > 0`,
  },
  {
    what: 'shipping of order paid back',
    from: 'its refunds',
    held: `select tenant_id, order_id::text as key, shipping_refunded::text as says from orders.sales_order where shipping_refunded > 0`,
    due: `select tenant_id, order_id::text as key, sum(shipping_net + shipping_tax)::text as says from orders.refund
      group by tenant_id, order_id having sum(shipping_net + shipping_tax) > 0`,
  },
];
