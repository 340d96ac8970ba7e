import { restOf } from '@steward/access';
import type { Guard, Route } from '@steward/contract';
import type { Admitted } from '@steward/identity';
import { captureOrderPayment } from './capture-order.ts';
import { extendOrderPayment } from './extend.ts';
import { getOrderPayments } from './list.ts';
import { recordOrderPayment } from './record.ts';
import { getPaymentSettings, updatePaymentSettings } from './settings.ts';
import { voidOrderPayment } from './void-order.ts';

const changed = { 200: 'The payment.' };
const settings = { 200: 'The payment settings.' };

export function paymentRoutes(guard: Guard<Admitted>): Route[] {
  const rest = restOf({ guard, tag: 'Payments of orders' });
  return [
    rest('GET', '/api/orders/:orderId/payments', getOrderPayments, {
      summary: 'List payments of an order',
      answers: { 200: 'Its payments and what moved their money.' },
    }),
    rest('POST', '/api/orders/:orderId/payments/received', recordOrderPayment, {
      summary: 'Record that an order was paid',
      description: 'Money that arrived by other means than a provider. More than is open is refused.',
      answers: changed,
    }),
    rest('POST', '/api/orders/:orderId/payments/capture', captureOrderPayment, {
      summary: 'Capture a payment of an order',
      answers: changed,
    }),
    rest('POST', '/api/orders/:orderId/payments/void', voidOrderPayment, {
      summary: 'Void the open payment of an order',
      answers: changed,
    }),
    rest('POST', '/api/orders/:orderId/payments/extend', extendOrderPayment, {
      summary: 'Give a buyer more time to pay',
      answers: { 200: 'The last day.' },
    }),
    rest('GET', '/api/payment-settings', getPaymentSettings, {
      summary: 'Read the payment settings',
      answers: settings,
    }),
    rest('PATCH', '/api/payment-settings', updatePaymentSettings, {
      summary: 'Change the payment settings',
      description: 'Members that are not given stay as they are.',
      answers: settings,
    }),
  ];
}
