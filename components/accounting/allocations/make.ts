import type { TenantContext, TenantTransaction } from '@steward/sql';
import { keepBooks } from '../permissions.ts';
import { type Item, lockItems } from '../subledger/items.ts';
import { shown, type Shown } from '../subledger/shown.ts';
import { allocate, type Allocation, type AllocationInput } from './allocation.ts';

/**
 * Sets what is left of a payment or credit note against documents of the same party, all of it or nothing.
 * @param date `YYYY-MM-DD`; it takes effect then, or on the latest day anything happened to either of the two
 * @throws Problem `not_found` (404), `invalid_amount`, `over_allocated`, `not_matching` (422), `period_closed` (409)
 */
export async function allocateCredit(
  context: TenantContext,
  input: { readonly creditId: string; readonly date: string; readonly allocations: readonly AllocationInput[] },
): Promise<Shown & { readonly allocations: readonly Allocation[] }> {
  return context.require(keepBooks).write(async (tx) => {
    const items = await lockItems(tx, [input.creditId, ...input.allocations.map(({ itemId }) => itemId)]);
    const made = await allocateAll(tx, items, { id: input.creditId, date: input.date }, input.allocations);
    return {
      allocations: made,
      ...(await shown(
        tx,
        made.flatMap(({ entryId }) => entryId ?? []),
      )),
    };
  });
}

/** Sets one item against others, whichever of them is the credit; all are locked. */
export async function allocateAll(
  tx: TenantTransaction,
  items: Map<string, Item>,
  own: { readonly id: string; readonly date: string },
  inputs: readonly AllocationInput[],
): Promise<Allocation[]> {
  const made: Allocation[] = [];
  const itemOf = (id: string): Item => items.get(id.toLowerCase()) as Item;
  for (const { itemId, amount } of inputs) {
    const [mine, other] = [itemOf(own.id), itemOf(itemId)];
    const pair = mine.nature === 'credit' ? { credit: mine, charge: other } : { credit: other, charge: mine };
    const done = await allocate(tx, pair, { amount, date: own.date });
    for (const item of [done.credit, done.charge]) items.set(item.id, item);
    made.push(done.allocation);
  }
  return made;
}
