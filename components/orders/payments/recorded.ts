import { type DerivedRows, instantOf, madeAt, type RecordedRows, rowOf } from '@steward/verification';
import { settingsContents } from './settings.ts';

const paymentId = `(e.payload ->> 'payment_id')::uuid`;
const operationId = `(e.payload ->> 'operation_id')::uuid`;
const rowOfPayment = rowOf('orders.payment', 'payment_id', paymentId);
/** What is of tests is deleted together; none of its rows is compared with what the log says. */
const live = `e.payload ->> 'mode' = 'live'`;
/** Amounts of events without their points are minor units. */
const minor = (member: string): string => `replace(e.payload ->> '${member}', '.', '')::numeric`;
const operations = [
  'commerce.payment.captured',
  'commerce.payment.received',
  'commerce.payment.reversed',
  'commerce.payment.voided',
  'commerce.payment.refunded',
];

/** Every amount and state of payments, and what orders say of them. */
export const recordedPayments: readonly (RecordedRows | DerivedRows)[] = [
  {
    what: 'payment settings',
    types: ['commerce.payment_settings.changed'],
    held: `select s.tenant_id, s.tenant_id::text as key, concat_ws(' ', 'version', s.version, s.updated_at, c.digest) as says
      from orders.payment_setting s join (${settingsContents}) c on c.tenant_id = s.tenant_id`,
    told: `select e.tenant_id::text as key, concat_ws(' ', 'version', e.payload ->> 'version', ${instantOf('updated_at')}, e.payload ->> 'content_sha256') as says
      from (select) o left join orders.payment_setting r on r.tenant_id = e.tenant_id`,
  },
  madeAt('payment of an order', 'commerce.payment.started', {
    table: 'orders.payment',
    id: 'payment_id',
    column: 'created_at',
    key: paymentId,
  }),
  {
    what: 'payment that was begun',
    types: ['commerce.payment.started'],
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', 'of', checkout_id, handler, method, 'by ' || connection_id, attempt, amount, currency,
        'edit ' || edit_id, case when recorded then 'recorded' end) as says
      from orders.payment where mode = 'live'`,
    told: `select e.payload ->> 'payment_id' as key, concat_ws(' ', 'of', e.payload ->> 'checkout_id', e.payload ->> 'handler', e.payload ->> 'method',
      'by ' || (e.payload ->> 'connection_id'), e.payload ->> 'attempt', ${minor('amount')}, e.payload ->> 'currency',
      'edit ' || (e.payload ->> 'edit_id'), case e.payload ->> 'recorded' when 'true' then 'recorded' end) as says where ${live}`,
  },
  {
    what: 'last day of payment',
    types: ['commerce.payment.started', 'commerce.payment.extended'],
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', 'by', pay_by) as says from orders.payment where mode = 'live'`,
    told: `select e.payload ->> 'payment_id' as key, concat_ws(' ', 'by', e.payload ->> 'pay_by') as says where ${live}`,
  },
  {
    what: 'state of payment',
    types: [
      'commerce.payment.started',
      'commerce.payment.settled',
      'commerce.payment.attached',
      'commerce.payment.extended',
      ...operations,
    ],
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', state, 'order ' || order_id, captured, refunded, voided, 'as ' || reference,
      decline_reason, 'version', version, updated_at) as says from orders.payment where mode = 'live'`,
    told: `select e.payload ->> 'payment_id' as key, concat_ws(' ', e.payload ->> 'state', 'order ' || (e.payload ->> 'order_id'), ${minor('captured')},
      ${minor('refunded')}, ${minor('voided')}, 'as ' || (e.payload ->> 'reference'), e.payload ->> 'decline_reason', 'version', e.payload ->> 'version',
      ${instantOf('updated_at')}) as says ${rowOfPayment} where ${live}`,
  },
  {
    what: 'operation of payment',
    types: operations,
    held: `select m.tenant_id, m.operation_id::text as key, concat_ws(' ', m.kind, m.amount, 'of', m.payment_id, 'for', m.source_kind, m.source_id, m.created_at, 'on ' || m.received_on) as says
      from orders.payment_operation m join orders.payment p on p.tenant_id = m.tenant_id and p.payment_id = m.payment_id where p.mode = 'live'`,
    told: `select e.payload ->> 'operation_id' as key, concat_ws(' ', case e.type when 'commerce.payment.captured' then 'capture'
        when 'commerce.payment.received' then 'received' when 'commerce.payment.reversed' then 'reversed' when 'commerce.payment.voided' then 'void' else 'refund' end, ${minor('amount')}, 'of',
        e.payload ->> 'payment_id', 'for', e.payload ->> 'source_kind', e.payload ->> 'source_id', ${instantOf('created_at')}, 'on ' || (e.payload ->> 'received_on')) as says
      ${rowOf('orders.payment_operation', 'operation_id', operationId)} where ${live}`,
  },
  {
    what: 'figures of payment',
    from: 'its operations',
    held: `select tenant_id, payment_id::text as key, concat_ws(' ', captured, 'refunded', refunded, 'voided', voided) as says from orders.payment
      where captured > 0 or refunded > 0 or voided > 0`,
    due: `select tenant_id, payment_id::text as key, concat_ws(' ', coalesce(sum(case kind when 'reversed' then -amount else amount end)
          filter (where kind in ('capture', 'received', 'reversed')), 0), 'refunded', coalesce(sum(amount) filter (where kind = 'refund'), 0), 'voided', coalesce(sum(amount) filter (where kind = 'void'), 0)) as says
      from orders.payment_operation group by tenant_id, payment_id having sum(case kind when 'reversed' then -amount else amount end) > 0`,
  },
  {
    what: 'what a provider is asked for',
    types: ['commerce.payment.requested'],
    held: `select r.tenant_id, r.request_id::text as key, concat_ws(' ', r.kind, r.amount, 'of', r.payment_id, 'for', r.source_kind, r.source_id) as says
      from orders.payment_request r join orders.payment p on p.tenant_id = r.tenant_id and p.payment_id = r.payment_id where p.mode = 'live'`,
    told: `select e.payload ->> 'request_id' as key, concat_ws(' ', e.payload ->> 'kind', ${minor('amount')}, 'of', e.payload ->> 'payment_id', 'for',
      e.payload ->> 'source_kind', e.payload ->> 'source_id') as says where ${live}`,
  },
  {
    what: 'what is being captured of a payment',
    from: 'what its provider is asked for',
    held: `select tenant_id, payment_id::text as key, capturing::text as says from orders.payment where capturing > 0`,
    due: `select tenant_id, payment_id::text as key, sum(amount)::text as says from orders.payment_request
      where kind = 'capture' and state = 'asked' group by tenant_id, payment_id`,
  },
  {
    what: 'figures of order',
    from: 'its payments',
    held: `select tenant_id, order_id::text as key, concat_ws(' ', authorized, captured, refunded) as says from orders.sales_order
      where authorized > 0 or captured > 0 or refunded > 0`,
    // Money of a test pays no live order.
    due: `select p.tenant_id, p.order_id::text as key, concat_ws(' ',
        coalesce(sum(p.amount - p.captured - p.voided) filter (where p.state = 'authorized'), 0), sum(p.captured), sum(p.refunded)) as says
      from orders.payment p join orders.sales_order o on o.tenant_id = p.tenant_id and o.order_id = p.order_id and o.mode = p.mode
      group by p.tenant_id, p.order_id having sum(p.captured) > 0 or bool_or(p.state = 'authorized')`,
  },
];
