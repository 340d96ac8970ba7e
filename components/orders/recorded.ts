import { type DerivedRows, instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';
import { contents } from './contents.ts';
import { recordedEdits } from './edits/recorded.ts';
import { unsentOf } from './fulfilments/left.ts';
import { recordedLetters } from './letters/recorded.ts';
import { recordedPayments } from './payments/recorded.ts';
import { recordedRefunds } from './refunds/recorded.ts';
import { recordedReturns } from './returns/recorded.ts';

const orderId = `(e.payload ->> 'order_id')::uuid`;
const fulfilmentId = `(e.payload ->> 'fulfilment_id')::uuid`;
/** Orders of tests are deleted together; none of their rows is compared with what the log says. */
const live = `e.payload ->> 'mode' = 'live'`;

/** Amounts of events without their points are minor units. */
const minor = (member: string): string => `replace(e.payload ->> '${member}', '.', '')::numeric`;

/** Orders as they were placed, by whom, and their sums. */
export const recorded: readonly (RecordedRows | DerivedRows)[] = [
  madeAt('order', 'commerce.order.placed', {
    table: 'orders.sales_order',
    id: 'order_id',
    column: 'placed_at',
    key: orderId,
  }),
  {
    what: 'order',
    types: ['commerce.order.placed', 'commerce.order.edited'],
    held: `select o.tenant_id, o.order_id::text as key, concat_ws(' ', o.number, o.checkout_id, o.brand_id, 'by ' || o.contact_id, o.currency, o.net,
      o.tax, o.total, o.units, c.digest) as says
      from orders.sales_order o join (${contents.order}) c on c.tenant_id = o.tenant_id and c.key = o.order_id where o.mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, concat_ws(' ', e.payload ->> 'number', e.payload ->> 'checkout_id', e.payload ->> 'brand_id',
      'by ' || (e.payload ->> 'contact_id'), e.payload ->> 'currency', ${minor('net')}, ${minor('tax')}, ${minor('total')}, e.payload ->> 'units',
      e.payload ->> 'content_sha256') as says where ${live}`,
  },
  {
    what: 'buyer of order',
    types: ['commerce.order.placed', 'commerce.order.edited', 'commerce.order.erased'],
    held: `select o.tenant_id, o.order_id::text as key, case
        when o.erased_at is null then c.digest
        when num_nonnulls(o.email, o.name, o.phone, o.vat_number, o.shipping_address, o.billing_address, o.buyer_note) = 0 then 'erased ' || o.erased_at
        else 'somebody, although erased' end as says
      from orders.sales_order o join (${contents.buyer}) c on c.tenant_id = o.tenant_id and c.key = o.order_id where o.mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, case e.type when 'commerce.order.erased' then 'erased ' || (${instantOf('erased_at')})
        else e.payload ->> 'buyer_sha256' end as says
      ${rowOf('orders.sales_order', 'order_id', orderId)} where ${live}`,
  },
  {
    what: 'standing of order',
    types: ['commerce.order.placed', 'commerce.order.cancelled'],
    held: `select tenant_id, order_id::text as key, case when cancelled_at is null and cancel_reason is null then 'in force'
        else concat_ws(' ', 'cancelled', cancel_reason, cancelled_at) end as says
      from orders.sales_order where mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, case e.type when 'commerce.order.cancelled'
        then concat_ws(' ', 'cancelled', e.payload ->> 'reason', ${instantOf('cancelled_at')}) else 'in force' end as says
      ${rowOf('orders.sales_order', 'order_id', orderId)} where ${live}`,
  },
  {
    what: 'version of order',
    types: ['commerce.order.placed', 'commerce.order.updated', 'commerce.order.edited'],
    held: `select tenant_id, order_id::text as key, concat_ws(' ', 'version', version, updated_at) as says from orders.sales_order where mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')}) as says
      ${rowOf('orders.sales_order', 'order_id', orderId)} where ${live}`,
  },
  {
    what: 'note on order',
    types: ['commerce.order.placed', 'commerce.order.updated', 'commerce.order.erased'],
    held: `select tenant_id, key::text as key, digest as says from (${contents.note}) c where mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, e.payload ->> 'note_sha256' as says where ${live}`,
  },
  {
    what: 'tags of order',
    types: ['commerce.order.placed', 'commerce.order.updated', 'commerce.order.erased'],
    held: `select tenant_id, key::text as key, digest as says from (${contents.tags}) c where mode = 'live'`,
    told: `select e.payload ->> 'order_id' as key, e.payload ->> 'tags_sha256' as says where ${live}`,
  },
  madeAt('fulfilment', 'commerce.order.fulfilled', {
    table: 'orders.fulfilment',
    id: 'fulfilment_id',
    column: 'created_at',
    key: fulfilmentId,
  }),
  {
    what: 'fulfilment',
    types: ['commerce.order.fulfilled', 'commerce.fulfilment.updated', 'commerce.fulfilment.tracked'],
    held: `select f.tenant_id, f.fulfilment_id::text as key, concat_ws(' ', 'version', f.version, f.updated_at, c.digest) as says
      from orders.fulfilment f join (${contents.fulfilment}) c on c.tenant_id = f.tenant_id and c.key = f.fulfilment_id where c.mode = 'live'`,
    told: `select e.payload ->> 'fulfilment_id' as key, concat_ws(' ', 'version', coalesce(e.payload ->> 'version', '1'), ${instantOf('updated_at')},
        e.payload ->> 'content_sha256') as says
      ${rowOf('orders.fulfilment', 'fulfilment_id', fulfilmentId)} where ${live}`,
  },
  {
    what: 'what is sent of a line',
    from: 'the fulfilments',
    held: `select tenant_id, concat_ws(' ', order_id, line_id) as key, fulfilled::text as says from orders.line where fulfilled <> 0`,
    due: `select tenant_id, concat_ws(' ', order_id, line_id) as key, sum(quantity)::text as says from orders.fulfilment_line
      group by tenant_id, order_id, line_id`,
  },
  {
    what: 'numbers of orders',
    from: 'the orders',
    held: `select tenant_id, 'next number' as key, concat_ws(' ', next, 'after', next - 1001) as says from orders.counter where mode = 'live'`,
    due: `select tenant_id, 'next number' as key, concat_ws(' ', max(number) + 1, 'after', count(*)) as says
      from orders.sales_order where mode = 'live' group by tenant_id`,
  },
  {
    what: 'sums of order',
    from: 'its lines',
    held: `select tenant_id, order_id::text as key, concat_ws(' ', subtotal, discount, net, tax, total, 'units', units, units_fulfilled, units_returned) as says
      from orders.sales_order`,
    due: `select o.tenant_id, o.order_id::text as key, concat_ws(' ', sum(l.gross), sum(d.amount) + coalesce(s.discount, 0), sum(l.net) + coalesce(s.net, 0),
        sum(l.tax) + coalesce(s.tax, 0), sum(l.total) + coalesce(s.total, 0), 'units', sum(l.quantity), sum(l.fulfilled), sum(l.returned)) as says
      from orders.sales_order o join orders.line l on l.tenant_id = o.tenant_id and l.order_id = o.order_id
      cross join lateral (select coalesce(sum((x ->> 'amount')::bigint), 0) as amount from jsonb_array_elements(l.discounts) x) d
      cross join lateral (select (o.shipping ->> 'net')::bigint as net, (o.shipping ->> 'tax')::bigint as tax, (o.shipping ->> 'total')::bigint as total,
        (select sum((x ->> 'amount')::bigint) from jsonb_array_elements(o.shipping -> 'discounts') x) as discount) s
      group by o.tenant_id, o.order_id, s.net, s.tax, s.total, s.discount`,
  },
  {
    what: 'units of order that were paid back before they left',
    from: 'its refunds and fulfilments',
    held: `select tenant_id, order_id::text as key, units_unsent::text as says from orders.sales_order where units_unsent > 0`,
    due: `select tenant_id, order_id::text as key, sum(unsent)::text as says from (
        select l.tenant_id, l.order_id, ${unsentOf} as unsent from orders.line l
        where exists (select from orders.refund_line x where x.tenant_id = l.tenant_id and x.order_id = l.order_id and x.line_id = l.line_id)) u
      group by tenant_id, order_id having sum(unsent) > 0`,
  },
  ...recordedEdits,
  ...recordedPayments,
  ...recordedLetters,
  ...recordedReturns,
  ...recordedRefunds,
];
