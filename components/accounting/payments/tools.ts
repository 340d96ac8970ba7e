import { pageLimit } from '@steward/contract';
import { keepBooks, readBooks } from '../permissions.ts';
import { tool, type Tool } from '@steward/tools';
import { counted, money, parseAmount, type Money } from '@steward/kernel';
import { z } from 'zod';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { forApproval, moving } from '../journal/tools.ts';
import { amountText, currencyCode, dayText, moneySchema, rateText } from '../money/schema.ts';
import { revalue } from '../subledger/revalue.ts';
import { listPayments } from './list.ts';
import { type Payment, paymentMethods } from './payment.ts';
import { recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

const ground = { pillar: 'accounting', area: 'sales', surfaces: ['public', 'internal'], personas: [] } as const;
const posts = {
  ...ground,
  kind: 'command',
  tier: 'approval',
  annotations: { destructiveHint: false },
  requires: keepBooks,
} as const;

const allocation = z.object({
  id: z.string(),
  item_id: z.string(),
  date: z.string(),
  amount: moneySchema,
  entry_id: z.string().nullable(),
});
const payment = z.object({
  id: z.string(),
  number: z.string(),
  direction: z.enum(['received', 'made']),
  refund: z.boolean(),
  party_id: z.string(),
  party_name: z.string(),
  account_id: z.string(),
  date: z.string(),
  currency: z.string(),
  amount: moneySchema,
  rate: z.string(),
  base_amount: moneySchema,
  open: moneySchema,
  reference: z.string().nullable(),
  method: z.enum(paymentMethods),
  entry_id: z.string(),
  void_on: z.string().nullable(),
  allocations: z.array(allocation),
});
const snake = ({
  partyId,
  partyName,
  accountId,
  baseAmount,
  entryId,
  voidOn,
  allocations,
  ...rest
}: Payment): z.infer<typeof payment> => ({
  ...rest,
  party_id: partyId,
  party_name: partyName,
  account_id: accountId,
  base_amount: baseAmount,
  entry_id: entryId,
  void_on: voidOn,
  allocations: allocations.map(({ itemId, entryId: entry, ...one }) => ({ ...one, item_id: itemId, entry_id: entry })),
});
const allocations = z.array(
  z.strictObject({
    document_id: z
      .uuid()
      .meta({ description: 'The document to be paid; of a refund, the credit or payment given back.' }),
    amount: amountText,
  }),
);
const items = (given: z.infer<typeof allocations>) =>
  given.map(({ document_id, amount }) => ({ itemId: document_id, amount }));

/** Allocations of one credit are in its currency. */
function allocated(made: readonly { readonly amount: Money }[]): Money | undefined {
  const [one] = made;
  if (one === undefined) return undefined;
  const { currency } = one.amount;
  const sum = made.reduce((total, { amount }) => total + (parseAmount(amount.amount, currency) ?? 0n), 0n);
  return money(sum, currency);
}

export const paymentTools: readonly Tool[] = [
  tool({
    ...posts,
    core: true,
    name: 'service_record_payment',
    title: 'Record a payment',
    description:
      'Records money received from a customer or made to a supplier, and what it pays. It is in the currency of what it ' +
      'pays. What is left over stays a credit, to be used with service_allocate_payment.',
    input: z.strictObject({
      direction: z.enum(['received', 'made']),
      refund: z
        .boolean()
        .default(false)
        .meta({ description: 'Money back: made to a customer, or received from a supplier.' }),
      party_id: z.uuid(),
      account: z.string().min(1).max(40).meta({ description: 'Code or id of the bank, cash or card account.' }),
      date: dayText,
      currency: currencyCode,
      amount: amountText,
      rate: rateText.optional(),
      reference: z.string().max(200).optional(),
      method: z
        .enum(paymentMethods)
        .optional()
        .meta({ description: 'transfer if left out. Card and network payments are not on Forms 1099.' }),
      allocations: allocations.max(100).default([]),
    }),
    output: z.object({ payment }),
    approval: {
      moneyOut: ({ direction }) => direction === 'made',
      amount: ({ amount, currency }) => ({ amount, currency }),
      payee: ({ direction, party_id }) => (direction === 'made' ? party_id : undefined),
    },
    run: async (call, { party_id, allocations: given, ...rest }) => {
      const done = await recordPayment(call.context, { ...rest, partyId: party_id, allocations: items(given) });
      const { number, amount, open } = done.payment;
      return {
        summary: call.preview
          ? `Would record a payment ${rest.direction === 'made' ? 'to' : 'from'} ${done.payment.partyName} of ${amount.amount} ${amount.currency}, of which ${open.amount} would not be allocated.`
          : `Payment ${number} of ${amount.amount} ${amount.currency}, of which ${open.amount} is not allocated.`,
        data: { payment: snake(done.payment) },
        ...forApproval(done),
      };
    },
  }),
  tool({
    ...posts,
    core: false,
    name: 'service_allocate_payment',
    title: 'Allocate a payment or credit',
    description:
      'Sets what is left of a payment, a credit note or a supplier credit against documents of the same party.',
    input: z.strictObject({
      credit_id: z.uuid().meta({ description: 'The payment, credit note or supplier credit.' }),
      date: dayText,
      allocations: allocations.min(1).max(100),
    }),
    output: z.object({
      allocations: z.array(
        z.object({ id: z.string(), document_id: z.string(), date: z.string(), amount: moneySchema }),
      ),
    }),
    approval: {
      moneyOut: false,
      amount: (_args, outcome) => allocated((outcome.data as { allocations: { amount: Money }[] }).allocations),
    },
    run: async (call, { credit_id, date, allocations: given }) => {
      const done = await allocateCredit(call.context, { creditId: credit_id, date, allocations: items(given) });
      return {
        summary: call.preview
          ? `Would make ${counted(done.allocations.length, 'allocation')}.`
          : `${counted(done.allocations.length, 'allocation')}.`,
        data: {
          allocations: done.allocations.map(({ id, chargeId, date: on, amount }) => ({
            id,
            document_id: chargeId,
            date: on,
            amount,
          })),
        },
        ...forApproval(done),
      };
    },
  }),
  tool({
    ...posts,
    core: false,
    name: 'service_unallocate_payment',
    title: 'Take an allocation back',
    description: 'Opens again what an allocation had settled, on both sides, with the exchange difference undone.',
    input: z.strictObject({ allocation_id: z.uuid(), date: dayText.optional() }),
    output: z.object({ allocation_id: z.string(), date: z.string() }),
    run: async (call, { allocation_id, date }) => {
      const done = await undoAllocation(call.context, { id: allocation_id, date });
      return {
        summary: call.preview ? `Would take an allocation back on ${done.date}.` : `Taken back on ${done.date}.`,
        data: { allocation_id: done.id, date: done.date },
        ...forApproval(done),
      };
    },
  }),
  tool({
    ...posts,
    annotations: { destructiveHint: true },
    final: true,
    core: false,
    name: 'service_void_payment',
    title: 'Void a payment',
    description: 'Undoes a payment, as when it bounced, by the mirror of its entry. Take its allocations back first.',
    input: z.strictObject({ payment_id: z.uuid(), date: dayText.optional() }),
    output: z.object({ payment }),
    approval: moving,
    run: async (call, { payment_id, date }) => {
      const done = await voidPayment(call.context, { id: payment_id, date });
      return {
        summary: call.preview
          ? `Would void payment ${done.payment.number} of ${done.payment.amount.amount} ${done.payment.amount.currency}, ${done.payment.partyName}.`
          : `Payment ${done.payment.number} is void.`,
        data: { payment: snake(done.payment) },
        ...forApproval(done),
      };
    },
  }),
  tool({
    ...ground,
    kind: 'query',
    tier: 'read',
    annotations: { idempotentHint: true },
    requires: readBooks,
    core: false,
    name: 'service_list_payments',
    title: 'List payments',
    description:
      'Lists payments with their allocations, the latest number first; with `open`, those with something left.',
    input: z.strictObject({
      party_id: z.uuid().optional(),
      direction: z.enum(['received', 'made']).optional(),
      from: dayText.optional(),
      to: dayText.optional(),
      open: z.boolean().default(false),
      limit: pageLimit,
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    }),
    output: z.object({ payments: z.array(payment), next_cursor: z.string().nullable() }),
    run: async (call, { party_id, limit, cursor, ...filter }) => {
      const page = await listPayments(call.context, { ...filter, partyId: party_id }, { limit, cursor });
      return {
        summary: `${counted(page.items.length, 'payment')}.${page.nextCursor === null ? '' : ' There are more.'}`,
        data: { payments: page.items.map(snake), next_cursor: page.nextCursor },
      };
    },
  }),
  tool({
    ...posts,
    core: false,
    name: 'service_revalue_open_items',
    title: 'Revalue what is open in other currencies',
    description:
      'Values open documents and payments in other currencies at the rate of a day, such as the last of a month: an entry ' +
      'for the unrealised gain or loss, and its mirror on the next day.',
    input: z.strictObject({ day: dayText }),
    output: z.object({ day: z.string(), revaluation_id: z.string().nullable(), items: z.int() }),
    approval: moving,
    run: async (call, { day }) => {
      const done = await revalue(call.context, day);
      return {
        summary: call.preview
          ? `Would revalue ${done.items} open documents and payments on ${day}.`
          : `${done.items} open documents and payments revalued on ${day}.`,
        data: { day, revaluation_id: done.id, items: done.items },
        ...forApproval(done),
      };
    },
  }),
];
