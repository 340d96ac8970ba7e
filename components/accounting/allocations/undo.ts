import { operation } from '@steward/access';
import { moneyShape } from '@steward/contract';
import { fail, money } from '@steward/kernel';
import { sql } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { booksFail } from '../errors.ts';
import { mirror } from '../journal/reverse.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { dated } from '../subledger/hold.ts';
import { type Item, lockItems } from '../subledger/items.ts';
import { booked, shown } from '../subledger/shown.ts';

/**
 * Takes an allocation back: both sides are open again by what they were, and a gain or loss on exchange is undone by its
 * mirror. It is of `date`, or of the latest day anything happened to either of the two where none is given.
 * @throws Problem `not_found` (404), `not_allocated`, `period_closed` (409), `date_too_early` (422)
 */
export const undoAllocation = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_unallocate_payment',
    input: z.strictObject({
      id: z.uuid().meta({ description: 'An allocation of service_list_payments.' }),
      date: dayText.optional(),
    }),
    answer: booked.extend({
      id: z.uuid(),
      date: z.string(),
      amount: moneyShape,
      /** What both sides are called. */
      credit: z.string(),
      charge: z.string(),
    }),
    errors: { not_found: null, not_allocated: 'id', period_closed: 'date', date_too_early: 'date' },
  },
  async (scope, { id, date }) =>
    scope.write(async (tx) => {
      const { tenant } = scope.context;
      const [found] = await tx.query<{ credit_id: string; charge_id: string }>(sql`
      select credit_id, charge_id from accounting.allocation
      where tenant_id = ${tenant}::uuid and allocation_id = ${id}::uuid`);
      if (found === undefined)
        throw fail('not_found', 'There is no such allocation in this tenant: read the payment for its allocations.');
      const items = await lockItems(tx, [found.credit_id, found.charge_id]);
      const credit = items.get(found.credit_id) as Item;
      const charge = items.get(found.charge_id) as Item;
      const latest = credit.movedOn > charge.movedOn ? credit.movedOn : charge.movedOn;
      const day = date ?? latest;
      if (day < latest)
        throw booksFail(
          'date_too_early',
          `The document or the payment last changed on ${latest}: choose that day or a later one.`,
        );
      const [row] = await tx.query<{ entry_id: string | null; amount: bigint }>(sql`
      select entry_id, amount from accounting.allocation
      where tenant_id = ${tenant}::uuid and allocation_id = ${id}::uuid and undone_on is null`);
      if (row === undefined) throw booksFail('not_allocated', 'This allocation was already undone.');
      const narration = 'Settlement taken back';
      const posted =
        row.entry_id === null ? undefined : await mirror(tx, row.entry_id, { date: day, narration, sourceId: id });
      // Gives both open items back with it.
      const update = sql`
      update accounting.allocation set undone_on = ${day}::date
      where tenant_id = ${tenant}::uuid and allocation_id = ${id}::uuid`;
      await dated(tx, update, day);
      const facts = {
        allocation_id: id,
        date: day,
        ...(posted === undefined ? {} : { entry_id: posted.id }),
      };
      tx.record(event('accounting.allocation.undone', facts));
      tx.publish(announcement('accounting.allocation.undone', facts, { subject: id }));
      const between = { amount: money(row.amount, credit.currency), credit: credit.name, charge: charge.name };
      return { id, date: day, ...between, ...(await shown(tx, posted === undefined ? [] : [posted.id])) };
    }),
);
