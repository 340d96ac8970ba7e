import type { Noun } from '@steward/tools';

/** What ids of orders name. */
export const ordersNouns: readonly Noun[] = [
  {
    noun: 'order',
    table: 'orders.sales_order',
    key: 'order_id',
    called: `case t.mode when 'test' then 'TEST-' else '' end || t.number`,
    parts: { lines: { table: 'orders.line', key: 'order_id', order: 'position' } },
    money: {
      subtotal: 'currency',
      discount: 'currency',
      net: 'currency',
      tax: 'currency',
      total: 'currency',
      authorized: 'currency',
      captured: 'currency',
      refunded: 'currency',
      'lines.unit_price': 'currency',
      'lines.gross': 'currency',
      'lines.net': 'currency',
      'lines.tax': 'currency',
      'lines.total': 'currency',
    },
  },
  {
    noun: 'line of an order',
    table: 'orders.line',
    key: 'line_id',
    called: `concat_ws(' ', t.quantity || ' ×', t.title, (select string_agg(o.value, ' / ') from jsonb_each_text(t.options) o))`,
    also: {
      currency: `select o.currency from orders.sales_order o where o.tenant_id = t.tenant_id and o.order_id = t.order_id`,
    },
    money: { unit_price: 'currency', gross: 'currency', net: 'currency', tax: 'currency', total: 'currency' },
  },
  {
    noun: 'payment of an order',
    table: 'orders.payment',
    key: 'payment_id',
    called: `'payment by ' || replace(t.method, '_', ' ') || ' of ' || t.created_at::date`,
    money: { amount: 'currency', captured: 'currency', refunded: 'currency', voided: 'currency' },
  },
  {
    noun: 'return',
    table: 'orders.return',
    key: 'return_id',
    called: `'return of ' || t.created_at::date`,
    parts: { lines: { table: 'orders.return_line', key: 'return_id', order: 'p.line_id' } },
  },
  {
    noun: 'refund',
    table: 'orders.refund',
    key: 'refund_id',
    called: `'refund of ' || t.created_at::date`,
    parts: { lines: { table: 'orders.refund_line', key: 'refund_id', order: 'p.line_id' } },
    money: {
      shipping_net: 'currency',
      shipping_tax: 'currency',
      adjustment: 'currency',
      total: 'currency',
      'lines.net': 'currency',
      'lines.tax': 'currency',
    },
  },
  {
    noun: 'fulfilment',
    table: 'orders.fulfilment',
    key: 'fulfilment_id',
    called: `concat_ws(' ', 'what left on', t.created_at::date, t.tracking_number)`,
    parts: { lines: { table: 'orders.fulfilment_line', key: 'fulfilment_id', order: 'p.line_id' } },
  },
];
