import { operation } from '@steward/access';
import { type Fixed, moneyShape } from '@steward/contract';
import { formatAmount, money, newId } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { announcement, event } from '../events.ts';
import { contentOf } from '../contents.ts';
import { dayText } from '../money/schema.ts';
import { decides } from '../operations.ts';
import { dated } from '../subledger/hold.ts';
import { lockItems } from '../subledger/items.ts';
import { booked, shown } from '../subledger/shown.ts';
import { holdAll, postDifference } from './difference.ts';
import { allocationInput, placesOf, plan, type Planned } from './plan.ts';

/** Part of a credit (a payment, a credit note) that pays part of a charge (an invoice, a bill, a refund). */
export const allocation = z.object({
  id: z.uuid(),
  creditId: z.uuid(),
  chargeId: z.uuid(),
  /** The day asked for, or the latest on which anything happened to either. */
  date: z.string(),
  amount: moneyShape,
  /** The entry of the gain or loss on exchange; null where there is none. */
  entryId: z.uuid().nullable(),
});
export type Allocation = Fixed<z.output<typeof allocation>>;

/**
 * Sets what is left of a payment or credit note against documents of the same party, all of it or nothing. It takes effect on `date`, or on
 * the latest day anything happened to either of the two.
 * @throws Problem `not_found` (404), `invalid_amount`, `over_allocated`, `not_matching` (422), `period_closed` (409)
 */
export const allocateCredit = operation(
  {
    ...decides,
    area: 'sales',
    name: 'service_allocate_payment',
    input: z.strictObject({
      creditId: z.uuid().meta({ description: 'The payment, credit note or supplier credit.' }),
      date: dayText,
      allocations: z.array(allocationInput).min(1).max(100),
    }),
    answer: booked.extend({ allocations: z.array(allocation) }),
    errors: {
      not_found: 'allocations',
      invalid_amount: 'allocations',
      over_allocated: 'allocations',
      not_matching: 'allocations',
      period_closed: 'date',
    },
  },
  async (scope, { creditId, date, allocations }) =>
    scope.write(async (tx) => {
      const items = await lockItems(
        tx,
        [creditId, ...allocations.map(({ itemId }) => itemId)],
        ['/creditId', ...placesOf(allocations)],
      );
      const planned = plan(items, { id: creditId, date }, allocations);
      await holdAll(tx, planned);
      const made: Allocation[] = [];
      for (const one of planned) made.push(await carryOut(tx, one));
      const entries = made.flatMap(({ entryId }) => entryId ?? []);
      return { allocations: made, ...(await shown(tx, entries)) };
    }),
);

/**
 * Does what was planned, in the order it was planned. Where rates differ, the gain or loss on exchange is posted in the
 * base currency, so that the control account holds what the open items hold.
 */
export async function carryOut(tx: TenantTransaction, planned: Planned): Promise<Allocation> {
  const { credit, charge, amount, date } = planned;
  const { currency } = charge;
  const id = newId();
  const entryId = await postDifference(tx, id, planned);
  // Moves the two open items with it.
  const insert = sql`
    insert into accounting.allocation (tenant_id, allocation_id, credit_id, charge_id, date, amount, credit_base, charge_base, entry_id)
    values (${tx.context.tenant}::uuid, ${id}::uuid, ${credit.id}::uuid, ${charge.id}::uuid, ${date}::date, ${amount}::bigint,
      ${planned.creditBase}::bigint, ${planned.chargeBase}::bigint, ${entryId ?? null}::uuid)`;
  await dated(tx, insert, date);
  const facts = {
    allocation_id: id,
    credit_id: credit.id,
    charge_id: charge.id,
    date,
    amount: formatAmount(amount, currency),
    currency,
    ...(entryId === undefined ? {} : { entry_id: entryId }),
  };
  tx.record(event('accounting.allocation.made', { ...facts, content_sha256: await contentOf(tx, 'allocation', id) }));
  tx.publish(announcement('accounting.allocation.made', facts, { subject: id }));
  return {
    id,
    creditId: credit.id,
    chargeId: charge.id,
    date,
    amount: money(amount, currency),
    entryId: entryId ?? null,
  };
}
