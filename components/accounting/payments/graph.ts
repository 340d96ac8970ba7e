import type { GraphModule } from '@steward/graphql';
import { doing, enumOf, inputOf, objectOf, taking, weigh } from '@steward/graphql/field';
import { allocateCredit, allocation } from '../allocations/make.ts';
import { allocationInput } from '../allocations/plan.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { attached } from '../attachments/graph.ts';
import { ofParty } from '../parties/graph.ts';
import { z } from 'zod';
import { moneyType } from '../money/graph.ts';
import { pageType } from '../page-type.ts';
import { revalue } from '../subledger/revalue.ts';
import { getPayment } from './get.ts';
import { listPayments } from './list.ts';
import { payment, paymentAllocation, paymentDirection, paymentMethod } from './payment.ts';
import { paymentInput, recordPayment } from './record.ts';
import { voidPayment } from './void.ts';

/** Payments and what they pay in the GraphQL API. */
export const paymentGraph: GraphModule = (builder) => {
  moneyType(builder);
  enumOf(builder, 'PaymentMethod', paymentMethod);
  enumOf(builder, 'PaymentDirection', paymentDirection);
  objectOf(builder, 'PaymentAllocation', paymentAllocation, {
    members: {
      itemId: 'The document or payment on the other side.',
      entryId: 'The entry of the exchange difference, if there is one.',
    },
  });
  const type = objectOf(builder, 'Payment', payment.answer, {
    description: 'A payment received or made, and the documents that it pays.',
    members: { open: 'The amount that is not allocated.', allocations: { extensions: weigh({ size: 4 }) } },
    without: ['currency'],
    fields: (t) => ({
      party: t.field(ofParty(builder)),
      attachments: t.field(attached(builder)),
    }),
  });
  const page = pageType(builder, 'PaymentPage', type);
  const made = objectOf(builder, 'Allocation', allocation);
  builder.queryFields((t) => ({
    payment: t.field({
      extensions: doing('service_list_payments'),
      type,
      ...taking(builder, getPayment.input, async (args, { tenant }) => getPayment(tenant, args)),
    }),
    payments: t.field({
      extensions: doing('service_list_payments'),
      type: page,
      description: 'The latest number first.',
      ...taking(builder, listPayments.input, async (args, { tenant }) => listPayments(tenant, args), {
        members: { open: 'true: only payments with an open amount.' },
      }),
    }),
  }));
  inputOf(builder, 'AllocationInput', allocationInput, {
    members: { itemId: 'The document to pay; for a refund, the credit or payment that is refunded.' },
  });
  inputOf(builder, 'PaymentInput', paymentInput, {
    members: {
      refund: 'true: a refund, made to a customer or received from a supplier.',
      account: {
        description: 'Code or id of the bank, cash or card account.',
        extensions: doing('service_get_account'),
      },
      rate: 'Default: the rate that is set for that day.',
      method: 'Card and network payments are not on Forms 1099.',
      idempotencyKey: 'A repeat with the same key and content answers the same payment.',
    },
  });
  builder.mutationFields((t) => ({
    recordPayment: t.field({
      type,
      extensions: doing('service_record_payment'),
      ...taking(
        builder,
        z.strictObject({ input: paymentInput }),
        async ({ input: { allocations = [], ...rest } }, { tenant }) =>
          (await recordPayment(tenant, { ...rest, allocations })).payment,
      ),
    }),
    allocateCredit: t.field({
      type: [made],
      extensions: doing('service_allocate_payment'),
      description:
        'Allocates the open amount of a payment, credit note or supplier credit to documents of the same party.',
      ...taking(
        builder,
        allocateCredit.input,
        async (args, { tenant }) => (await allocateCredit(tenant, args)).allocations,
      ),
    }),
    undoAllocation: t.field({
      type: 'String',
      extensions: doing('service_unallocate_payment'),
      description: 'Undoes an allocation. Answers the day on which it was undone.',
      ...taking(builder, undoAllocation.input, async (args, { tenant }) => (await undoAllocation(tenant, args)).date),
    }),
    voidPayment: t.field({
      type,
      extensions: doing('service_void_payment'),
      ...taking(builder, voidPayment.input, async (args, { tenant }) => (await voidPayment(tenant, args)).payment),
    }),
    revalueOpenItems: t.field({
      type: 'Int',
      extensions: doing('service_revalue_open_items'),
      description: 'Revalues open items in foreign currencies at the rate of a day. Answers how many items changed.',
      ...taking(builder, revalue.input, async (args, { tenant }) => (await revalue(tenant, args)).items),
    }),
  }));
};
