import { operation } from '@steward/access';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { mirror } from '../journal/reverse.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { type Item, lockItems } from '../subledger/items.ts';
import { booked, shown } from '../subledger/shown.ts';
import { payment, paymentIn, unknownPayment } from './payment.ts';

/**
 * Undoes a payment by the mirror of its entry, as when it bounced, on `date` in an open month, or on the latest day anything happened to
 * it where none is given. Its allocations are taken back first.
 * @throws Problem `not_found` (404), `already_void`, `allocated`, `period_closed` (409), `date_too_early` (422)
 */
export const voidPayment = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_void_payment',
    input: z.strictObject({
      id: z.uuid().meta({ description: 'From service_list_payments.' }),
      date: dayText.optional(),
    }),
    answer: booked.extend({ payment: payment.answer }),
    errors: {
      not_found: null,
      already_void: 'id',
      allocated: 'id',
      period_closed: 'date',
      date_too_early: 'date',
    },
  },
  async (scope, { id, date }) =>
    scope.write(async (tx) => {
      const item = (await lockItems(tx, [id])).get(id.toLowerCase()) as Item;
      if (item.kind !== 'payment') throw unknownPayment();
      if (item.voidOn !== null) throw booksFail('already_void', 'The payment is already void.');
      if (item.open !== item.amount)
        throw booksFail('allocated', 'This payment is allocated: undo its allocations first.');
      const day = date ?? item.movedOn;
      if (day < item.movedOn)
        throw booksFail(
          'date_too_early',
          `This payment last changed on ${item.movedOn}: void it on that day or a later one.`,
        );
      const before = await paymentIn(tx, id);
      const posted = await mirror(tx, before.entryId, {
        date: day,
        narration: `Void payment ${before.number}`,
        sourceId: id,
      });
      await tx.query(sql`
      update accounting.payment set void_on = ${day}::date
      where tenant_id = ${tx.context.tenant}::uuid and payment_id = ${id}::uuid`);
      const facts = { payment_id: before.id, entry_id: posted.id };
      tx.record(event('accounting.payment.voided', facts));
      tx.publish(announcement('accounting.payment.voided', facts, { subject: before.id }));
      return { payment: await paymentIn(tx, id), ...(await shown(tx, [posted.id])) };
    }),
);
