import { asItWas, heavily, operation } from '@steward/access';
import { deleteTestCheckouts, releaseDiscounts } from '@steward/checkout';
import { testContacts } from '@steward/crm';
import { forgetTold } from '@steward/deliveries';
import { deleteTestOrders } from '@steward/orders';
import { sql, type TenantTransaction } from '@steward/sql';
import { forgetTests, releaseAll } from '@steward/stock';
import { z } from 'zod';
import { erases } from '../operations.ts';
import { firstIdAt } from '../submissions/submission.ts';
import { erasePerson } from './erase-contact.ts';
import { afterErasing, erasedOf, forget, type ErasedRow } from './forget.ts';
import { erasureTools } from './reason.ts';

/** Orders, checkouts, carts, submissions, and contacts, in one call: whatever else speaks of them is looked through for each. */
export const mostTests = 100;

/**
 * Erases what came with test keys. Orders, with all that became of them, checkouts and carts are deleted, and the sandbox of stock once no order
 * and no checkout of a test is left. Then go the values of submissions, and the contacts that only tests created, as a person is erased: their ids
 * and the fact stay. The oldest first: up to 100 orders, checkouts and carts; if none is left, up to 100 submissions; if none is left, up to 100 contacts.
 *
 * The caller must be somebody who may decide, because nothing takes an erasure back.
 * @throws Problem `legal_hold` (409)
 */
export const eraseTests = operation(
  {
    ...erases,
    requires: heavily(erases.requires),
    pillar: 'studio',
    name: erasureTools.tests,
    input: z.strictObject({
      before: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({ description: 'Only what arrived before this time (RFC 3339).' }),
    }),
    answer: z.object({
      orders: z.int(),
      checkouts: z.int(),
      submissions: z.int(),
      contacts: z.int(),
      /** Whether there are more, for the next call. */
      more: z.boolean(),
    }),
    errors: ['insufficient_role', 'legal_hold'],
  },
  async (scope, { before }) =>
    scope.write(async (tx) => {
      const reason = 'no_longer_needed';
      const last = before === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : firstIdAt(before);
      const shop = await deleteTestsOfShop(tx, before, last);
      const rows = shop.more
        ? []
        : await tx.query<ErasedRow>(sql`
            select submission_id, form_id, form_version from commerce.erase_test_submissions(${last}::uuid, ${mostTests}::int) order by 1`);
      const submissions = rows.map(erasedOf);
      await afterErasing(tx, submissions, reason);
      const contacts =
        shop.more || submissions.length === mostTests ? [] : await testContacts(tx, { before, limit: mostTests });
      const ids = [...shop.ids, ...submissions.map(({ submissionId }) => submissionId)];
      const values: string[] = [];
      for (const contactId of contacts) {
        const person = await erasePerson(tx, contactId, reason);
        ids.push(...person.forget.ids);
        values.push(...person.forget.values);
      }
      const erased = {
        orders: shop.orders,
        checkouts: shop.checkouts,
        submissions: submissions.length,
        contacts: contacts.length,
        more: shop.more || submissions.length === mostTests || contacts.length === mostTests,
      };
      if (ids.length > 0) await forget(tx, { ids, values }, reason);
      return ids.length > 0 || shop.changed ? erased : asItWas(erased);
    }),
);

/** Checkouts come first: whoever completes one of them at this moment ends before, and its order is deleted too, or finds none. */
async function deleteTestsOfShop(tx: TenantTransaction, before: string | undefined, last: string) {
  const drafts = await deleteTestCheckouts(tx, { before, last, limit: mostTests });
  // Payments without an order may be those of checkouts that are left.
  const placed = await deleteTestOrders(tx, { last, limit: mostTests, alone: !drafts.more });
  await forgetTold(tx, placed.orderIds);
  const checkouts = [...new Set([...drafts.checkoutIds, ...placed.checkoutIds])];
  const more = drafts.more || placed.more;
  const forgotten = !drafts.left && !placed.left && (await forgetTests(tx));
  if (!forgotten) await releaseAll(tx, [...checkouts, ...placed.orderIds]);
  await releaseDiscounts(tx, ...checkouts);
  return {
    ids: [...placed.orderIds, ...drafts.checkoutIds],
    orders: placed.orderIds.length,
    checkouts: drafts.checkoutIds.length,
    more,
    changed: forgotten || drafts.cartIds.length + placed.payments > 0,
  };
}
