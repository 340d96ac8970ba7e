import { counted, money, type Money, parseAmount } from '@steward/kernel';
import { type Outcome, toolOf, type Tool } from '@steward/tools';
import { captureOrderPayment } from './capture-order.ts';
import { extendOrderPayment } from './extend.ts';
import { getOrderPayments } from './list.ts';
import { recordOrderPayment } from './record.ts';
import { getPaymentSettings, type PaymentSettings, updatePaymentSettings } from './settings.ts';
import { voidOrderPayment } from './void-order.ts';
import type { ChangedPayment } from './of-order.ts';

/** What is there of a payment, without what changes with each touch. */
const figures = ({ orderNumber, moved, payment }: ChangedPayment) => {
  const { version: _version, updatedAt: _at, ...rest } = payment;
  return { orderNumber, moved, payment: rest };
};
const movedIn = ({ preview }: Outcome) => (preview as Pick<ChangedPayment, 'moved'> | undefined)?.moved;
const sum = ({ amount, currency }: Money): string => `${amount} ${currency}`;
/** An edit that left less to pay gave up the rest. */
const wanted = ({ amount, voided }: ChangedPayment['payment']): string => {
  const minor = (of: Money): bigint => parseAmount(of.amount, of.currency) ?? 0n;
  return sum(money(minor(amount) - minor(voided), amount.currency));
};
/** Whoever decides reads where buyers would pay to, and what becomes of orders that they do not pay. */
function offered({ method, instructions, payWithinDays }: PaymentSettings['manualMethods'][number]): string {
  const within = payWithinDays === null ? '' : ` within ${counted(payWithinDays, 'day')}, or the order is cancelled`;
  const called = `${method.replaceAll('_', ' ')}${within}`;
  if (instructions === null) return called;
  const told = [...instructions.replaceAll(/\s+/g, ' ')];
  return `${called} (“${told.length > 100 ? `${told.slice(0, 99).join('')}…` : told.join('')}”)`;
}
const said = ({ captureAt, manualMethods }: PaymentSettings): string =>
  `Authorized money is taken at ${captureAt}; buyers may also pay by ${
    manualMethods.map(offered).join(', ') || 'nothing else'
  }.`;

export const paymentTools: readonly Tool[] = [
  toolOf(getOrderPayments, {
    core: false,
    title: 'List payments of an order',
    description:
      'Lists the payments of an order, each attempt, with their state and what was captured, voided and refunded, what moved ' +
      'money, and what providers are asked to do. A request that is `refused` was not done: a person is to look at the provider.',
    say: ({ payments }) => `${counted(payments.length, 'payment')}.`,
  }),
  toolOf(recordOrderPayment, {
    core: false,
    annotations: { destructiveHint: false },
    final: true,
    title: 'Record that an order was paid',
    description:
      'Records that money arrived for an order by invoice, bank transfer or cash on delivery, all of it or a part, also ' +
      'where another payment was given up. Moves no money itself. More than is left to pay is refused.',
    approval: {
      moneyOut: false,
      amount: (_args, outcome) => movedIn(outcome),
    },
    preview: figures,
    keepsPreview: true,
    say: ({ orderNumber, moved, payment, receivedOn }, preview) =>
      `${preview ? 'Would record' : 'Recorded'} that ${sum(moved)} arrived${receivedOn === null ? '' : ` on ${receivedOn}`} for order ${orderNumber}; ${sum(payment.captured)} of ${wanted(payment)} are paid then.`,
  }),
  toolOf(captureOrderPayment, {
    core: false,
    annotations: { destructiveHint: false },
    title: 'Capture a payment of an order',
    description:
      'Takes money that the buyer of an order has authorized, all of it or a part. Without it, that is done at placement or ' +
      'at fulfilment, as the payment settings say. A card is captured by its provider moments later, once: what is left of the payment is released.',
    preview: figures,
    say: ({ orderNumber, moved, payment }, preview) =>
      `${preview ? 'Would capture' : payment.state === 'authorized' ? 'The provider is asked to capture' : 'Captured'} ${sum(moved)} of order ${orderNumber}.`,
  }),
  toolOf(voidOrderPayment, {
    core: false,
    annotations: { destructiveHint: true },
    final: true,
    title: 'Void the open payment of an order',
    description:
      'Gives up what an order has authorized or awaits and has not captured: nothing more is taken by it. What the order comes ' +
      'to stays due: what arrives of it later is recorded with service_record_order_payment. Cancel an order that need not be ' +
      'paid. To give back what was captured, use service_refund_order.',
    approval: { moneyOut: false, amount: (_args, outcome) => movedIn(outcome) },
    preview: figures,
    keepsPreview: true,
    say: ({ orderNumber, moved }, preview) =>
      `${preview ? 'Would give up' : 'Gave up'} ${sum(moved)} of order ${orderNumber}.`,
  }),
  toolOf(extendOrderPayment, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Give a buyer more time to pay',
    description:
      'Moves the last day to pay an order by invoice, transfer or cash to a later one: an order of which nothing was paid by then is ' +
      'cancelled. The page of the order tells its buyer the new day; no letter is sent.',
    say: ({ orderNumber, payBy }, preview) =>
      `${preview ? 'Would give' : 'Gave'} the buyer of order ${orderNumber} until ${payBy} to pay.`,
  }),
  toolOf(getPaymentSettings, {
    rare: true,
    core: false,
    title: 'Read the payment settings',
    description:
      'Reads when authorized money is taken, and which methods buyers are offered beside those of providers, with their ' +
      'instructions.',
    say: said,
  }),
  toolOf(updatePaymentSettings, {
    rare: true,
    core: false,
    annotations: { destructiveHint: false, idempotentHint: true },
    title: 'Change the payment settings',
    description:
      'Changes only the given members of the payment settings. Buyers pay to where the instructions say, so a person ' +
      'approves it.',
    approval: { moneyOut: false },
    say: (changed, preview) => (preview ? `Would change the payment settings: ${said(changed)}` : said(changed)),
  }),
];
