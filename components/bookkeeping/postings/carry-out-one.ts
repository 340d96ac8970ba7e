import { booked, dayText } from '@steward/accounting';
import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { z } from 'zod';
import { decides } from '../operations.ts';
import type { BookPorts } from '../ports.ts';
import { carryOut } from './carry-out.ts';
import { posting } from './posting.ts';

/**
 * Puts what an order owes the books into them now, whatever the profile says: a draft is issued, what waits is tried at once.
 * @throws Problem `not_found` (404), and whatever the books refuse
 */
export const carryOutOrderPosting = operation(
  {
    ...decides,
    name: 'service_carry_out_order_posting',
    input: z.strictObject({
      postingId: z.uuid().meta({ description: 'From service_list_order_postings.' }),
      date: dayText.optional().meta({
        description:
          'Day to post on, YYYY-MM-DD, such as where the month of the order is closed. Default: the day of the order, or on which goods ' +
          'were moved. Not for a draft.',
      }),
    }),
    answer: booked.extend({ posting: posting.answer }),
    errors: {
      not_found: 'postingId',
      posting_account_missing: null,
      posting_differs: null,
      invoice_not_issued: null,
      payment_not_posted: null,
      over_allocated: null,
      not_matching: null,
      idempotency_conflict: null,
      party_archived: null,
      period_closed: 'date',
      rate_missing: 'date',
      account_unusable: null,
      amount_too_large: null,
    },
  },
  async (scope, { postingId, date }, ports: BookPorts) =>
    scope.write(async (tx) => {
      const done = await carryOut(tx, ports, postingId, { people: true, date });
      if (done === undefined)
        throw fail('not_found', 'There is no such posting in this tenant: list the postings of orders for their ids.');
      const answer = { ...done.booked, posting: done.posting };
      return done.booked.entries.length === 0 ? asItWas(answer) : answer;
    }),
);
