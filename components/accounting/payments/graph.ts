import type { GraphModule } from '@steward/graphql';
import { doing, weigh } from '@steward/graphql/field';
import { type Allocation, allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { attachmentsOf, attachmentType } from '../attachments/graph.ts';
import { partiesById } from '../parties/batch.ts';
import { partyType } from '../parties/graph.ts';
import { idArgument, optionalId, pageArguments, textArgument } from '../graph-arguments.ts';
import { day } from '../journal/graph.ts';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import { revalue } from '../subledger/revalue.ts';
import { getPayment } from './get.ts';
import { listPayments } from './list.ts';
import { type Payment, type PaymentAllocation, paymentMethods } from './payment.ts';
import { recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

/** Payments and what they pay in the GraphQL API. */
export const paymentGraph: GraphModule = (builder) => {
  const money = moneyType(builder);
  const party = partyType(builder);
  const method = builder.enumType('PaymentMethod', { values: paymentMethods });
  const direction = builder.enumType('PaymentDirection', { values: ['received', 'made'] as const });
  const part = builder.objectRef<PaymentAllocation>('PaymentAllocation').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      itemId: t.exposeID('itemId', { description: 'The document or payment on the other side.' }),
      date: t.exposeString('date'),
      amount: t.expose('amount', { type: money }),
      entryId: t.exposeID('entryId', {
        nullable: true,
        description: 'Of the exchange difference, where there is one.',
      }),
    }),
  });
  const payment = builder.objectRef<Payment>('Payment').implement({
    description: 'Money received or made, and what it pays.',
    fields: (t) => ({
      id: t.exposeID('id'),
      number: t.exposeString('number'),
      direction: t.expose('direction', { type: direction }),
      refund: t.exposeBoolean('refund'),
      partyId: t.exposeID('partyId'),
      partyName: t.exposeString('partyName'),
      party: t.field({
        type: party,
        nullable: true,
        extensions: doing('service_get_party'),
        resolve: async ({ partyId }, _args, context) => context.load(partiesById, partyId),
      }),
      accountId: t.exposeID('accountId'),
      date: t.exposeString('date'),
      amount: t.expose('amount', { type: money }),
      rate: t.exposeString('rate'),
      baseAmount: t.expose('baseAmount', { type: money }),
      open: t.expose('open', { type: money, description: 'What is not allocated.' }),
      reference: t.exposeString('reference', { nullable: true }),
      entryId: t.exposeID('entryId'),
      voidOn: t.exposeString('voidOn', { nullable: true }),
      method: t.expose('method', { type: method }),
      attachments: t.field({
        type: [attachmentType(builder).type],
        extensions: { ...weigh({ size: 2 }), ...doing('service_list_attachments') },
        resolve: async (one, _args, context) => attachmentsOf(one, context),
      }),
      allocations: t.expose('allocations', { type: [part], extensions: weigh({ size: 4 }) }),
    }),
  });
  const page = pageType(builder, 'PaymentPage', payment);
  const allocation = builder.objectRef<Allocation>('Allocation').implement({
    fields: (t) => ({
      id: t.exposeID('id'),
      creditId: t.exposeID('creditId'),
      chargeId: t.exposeID('chargeId'),
      date: t.exposeString('date'),
      amount: t.expose('amount', { type: money }),
      entryId: t.exposeID('entryId', { nullable: true }),
    }),
  });
  builder.queryFields((t) => ({
    payment: t.field({
      extensions: doing('service_list_payments'),
      type: payment,
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, { tenant }) => getPayment(tenant, idArgument(id)),
    }),
    payments: t.field({
      extensions: doing('service_list_payments'),
      type: page,
      description: 'The latest number first.',
      args: {
        partyId: t.arg.id(),
        direction: t.arg({ type: direction }),
        from: t.arg.string(),
        to: t.arg.string(),
        open: t.arg.boolean({ defaultValue: false, description: 'Only those with something left to allocate.' }),
        limit: t.arg.int({ defaultValue: 50 }),
        cursor: t.arg.string(),
      },
      resolve: async (_root, args, { tenant }) =>
        listPayments(
          tenant,
          {
            partyId: optionalId(args.partyId),
            direction: args.direction ?? undefined,
            from: day(args.from),
            to: day(args.to),
            open: args.open ?? false,
          },
          pageArguments(args, 'number'),
        ),
    }),
  }));
  const partInput = builder.inputType('AllocationInput', {
    fields: (t) => ({
      itemId: t.id({ required: true, description: 'The document, or of a refund what is given back.' }),
      amount: t.string({ required: true }),
    }),
  });
  const input = builder.inputType('PaymentInput', {
    fields: (t) => ({
      direction: t.field({ type: direction, required: true }),
      refund: t.boolean({ description: 'Money back: made to a customer, or received from a supplier.' }),
      partyId: t.id({ required: true }),
      account: t.string({
        extensions: doing('service_get_account'),
        required: true,
        description: 'Code or id of the bank, cash or card account.',
      }),
      date: t.string({ required: true }),
      currency: t.string({ required: true }),
      amount: t.string({ required: true }),
      rate: t.string({ description: 'Where it is not the rate set for that day.' }),
      reference: t.string(),
      method: t.field({ type: method, description: 'Card and network payments are not on Forms 1099.' }),
      allocations: t.field({ type: [partInput] }),
      idempotencyKey: t.string({ description: 'The same key and content again answers with what was recorded.' }),
    }),
  });
  const parts = (given: readonly { itemId: string; amount: string }[]) =>
    given.map(({ itemId, amount }) => ({ itemId: idArgument(itemId), amount }));
  builder.mutationFields((t) => ({
    recordPayment: t.field({
      type: payment,
      extensions: doing('service_record_payment'),
      args: { input: t.arg({ type: input, required: true }) },
      resolve: async (_root, { input: given }, { tenant }) => {
        const done = await recordPayment(tenant, {
          direction: given.direction,
          refund: given.refund ?? undefined,
          partyId: idArgument(given.partyId),
          account: given.account,
          date: day(given.date) ?? '',
          currency: given.currency,
          amount: given.amount,
          rate: given.rate ?? undefined,
          reference: textArgument(given.reference),
          method: given.method ?? undefined,
          allocations: parts(given.allocations ?? []),
          idempotencyKey: textArgument(given.idempotencyKey),
        });
        return done.payment;
      },
    }),
    allocateCredit: t.field({
      type: [allocation],
      extensions: doing('service_allocate_payment'),
      description: 'Sets what is left of a payment or credit note against documents of the same party.',
      args: {
        creditId: t.arg.id({ required: true }),
        date: t.arg.string({ required: true }),
        allocations: t.arg({ type: [partInput], required: true }),
      },
      resolve: async (_root, { creditId, date, allocations }, { tenant }) => {
        const wish = { creditId: idArgument(creditId), date: day(date) ?? '', allocations: parts(allocations) };
        return (await allocateCredit(tenant, wish)).allocations;
      },
    }),
    undoAllocation: t.field({
      type: 'String',
      extensions: doing('service_unallocate_payment'),
      description: 'Takes an allocation back; answers the day it was open again.',
      args: { id: t.arg.id({ required: true }), date: t.arg.string() },
      resolve: async (_root, { id, date }, { tenant }) =>
        (
          await undoAllocation(tenant, {
            id: idArgument(id),
            date: day(date),
          })
        ).date,
    }),
    voidPayment: t.field({
      type: payment,
      extensions: doing('service_void_payment'),
      args: { id: t.arg.id({ required: true }), date: t.arg.string() },
      resolve: async (_root, { id, date }, { tenant }) =>
        (await voidPayment(tenant, { id: idArgument(id), date: day(date) })).payment,
    }),
    revalueOpenItems: t.field({
      type: 'Int',
      extensions: doing('service_revalue_open_items'),
      description: 'Values what is open in other currencies at the rate of a day; answers how many items changed.',
      args: { day: t.arg.string({ required: true }) },
      resolve: async (_root, args, { tenant }) => (await revalue(tenant, day(args.day) ?? '')).items,
    }),
  }));
};
