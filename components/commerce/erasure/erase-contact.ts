import { asItWas, operation } from '@steward/access';
import { eraseParties, type ErasedParties } from '@steward/accounting';
import { eraseBuyer } from '@steward/checkout';
import type { Fixed } from '@steward/contract';
import { eraseContact as eraseIn } from '@steward/crm';
import { forgetTold } from '@steward/deliveries';
import { countOrdersOf, eraseOrders } from '@steward/orders';
import { sql, type TenantContext, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { erases } from '../operations.ts';
import { erasePeople } from '../permissions.ts';
import { afterErasing, erasedOf, forget, type ErasedRow, type Forgotten } from './forget.ts';
import { erasureTools, reason, type Reason } from './reason.ts';

const erasedPerson = z.object({
  /** Of a contact that was merged: the one it was merged into. */
  contactId: z.uuid(),
  mergedIds: z.array(z.uuid()),
  /** The number of the person's submissions, all erased. */
  submissions: z.int(),
  /** The number of the person's orders. They keep their figures, and say nothing of the person. */
  orders: z.int(),
  parties: z.array(z.object({ partyId: z.uuid(), nameKept: z.boolean() })).meta({
    description: 'Customers and suppliers of the same person. Their name stays where an entry of the books needs it.',
  }),
  /** RFC 3339, UTC. */
  erasedAt: z.string(),
});
export type ErasedPerson = Fixed<z.output<typeof erasedPerson>>;

/**
 * Erases a person in one transaction: the contact with all contacts that were merged into it, submissions, unsent emails about them,
 * answers to calls and actions that mention the person, the keys of what the audit log sealed about the person,
 * and what the books need not keep. Ids and the fact of the erasure stay. A submission in progress either commits before, and is erased,
 * or after, and creates a new contact. A repeat changes nothing and gets the same answer.
 *
 * The caller must be somebody who may decide, because nothing takes an erasure back.
 * @throws Problem `not_found` (404), `legal_hold` (409)
 */
export const eraseContact = operation(
  {
    ...erases,
    pillar: 'crm',
    name: erasureTools.contact,
    input: z.strictObject({ contactId: z.uuid().meta({ description: 'From service_search_contacts.' }), reason }),
    answer: erasedPerson,
    errors: ['insufficient_role', 'not_found', 'legal_hold'],
  },
  async (scope, { contactId, reason: why }) =>
    scope.write(async (tx) => {
      const { ids, forget: left, fresh, ...erased } = await erasePerson(tx, contactId, why);
      const found = await forget(tx, left, why);
      const [all] = await tx.query<{ submissions: number }>(sql`
        select count(*)::int as submissions from commerce.submission
        where tenant_id = ${tx.context.tenant}::uuid and contact_id = any (${ids}::uuid[])`);
      const person = { ...erased, submissions: all?.submissions ?? 0, orders: await countOrdersOf(tx, ids) };
      return fresh || found ? person : asItWas(person);
    }),
);

/** The contact, what was submitted, and emails about it; `ids` are of contacts, `forget` is left to be done, `fresh`: not all was erased before. */
export async function erasePerson(
  tx: TenantTransaction,
  contactId: string,
  why: Reason,
): Promise<
  Omit<ErasedPerson, 'submissions' | 'orders'> & {
    readonly ids: readonly string[];
    readonly forget: Forgotten;
    readonly fresh: boolean;
  }
> {
  const { values, fresh, ...erased } = await eraseIn(tx, contactId, why);
  const ids = [erased.contactId, ...erased.mergedIds];
  const rows = await tx.query<ErasedRow>(
    sql`select submission_id, form_id, form_version from commerce.erase_submissions_of(${ids}::uuid[]) order by 1`,
  );
  await afterErasing(tx, rows.map(erasedOf), why);
  const bought = await erasePurchases(tx, { contactIds: ids, addresses: values }, why);
  const books = await eraseParties(tx, { contactIds: ids }, why);
  return {
    ...erased,
    parties: books.parties,
    ids,
    fresh: fresh || bought.count + rows.length + books.ids.length + books.values.length > 0,
    forget: { ids: [...ids, ...books.ids], values: [...values, ...books.values, ...bought.values] },
  };
}

/**
 * Takes a person out of checkouts and orders. Checkouts come first: whoever completes one of them at this moment ends before, and its order is
 * erased too, or finds nobody in it.
 */
async function erasePurchases(
  tx: TenantTransaction,
  whose: {
    readonly contactIds?: readonly string[];
    readonly addresses?: readonly string[];
    readonly orderIds?: readonly string[];
  },
  why: Reason,
): Promise<{ readonly count: number; readonly values: readonly string[] }> {
  const { addresses = [] } = whose;
  const checkouts = await eraseBuyer(tx, { addresses }, why);
  const { ids, ...orders } = await eraseOrders(tx, whose, why);
  await forgetTold(tx, ids);
  const placed = await eraseBuyer(tx, orders, why);
  return {
    count: checkouts + ids.length + placed,
    values: [...ids, ...orders.checkoutIds, ...orders.fulfilmentIds, ...orders.addresses],
  };
}

/** Takes the person out of one order: after a restored backup, which may know nothing of its contact. @throws Problem `legal_hold` (409) */
export async function eraseOrder(context: TenantContext, orderId: string, why: Reason): Promise<boolean> {
  return context.require(erasePeople).write(async (tx) => {
    const { count, values } = await erasePurchases(tx, { orderIds: [orderId] }, why);
    await forget(tx, { ids: [], values }, why);
    return count > 0;
  });
}

/**
 * Erases a customer or supplier as far as the books allow, as with the contact it was linked with: after a restored backup, which may know
 * nothing of the link.
 * @throws Problem `legal_hold` (409)
 */
export async function eraseParty(context: TenantContext, partyId: string, why: Reason): Promise<ErasedParties> {
  return context.require(erasePeople).write(async (tx) => {
    const books = await eraseParties(tx, { partyIds: [partyId] }, why);
    await forget(tx, books, why);
    return books;
  });
}
