import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { changedMembers, inLog } from '../changed.ts';
import { contentOf } from '../contents.ts';
import type { CheckoutDeps } from '../deps.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { requireRoom } from '../limits.ts';
import { Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { castOf, present, requireFreeCode } from './create.ts';
import { byDiscount, discount, type DiscountSetting, holdDiscount } from './discount.ts';
import { readTerms, requireWhole, terms, valuesOf, written } from './terms.ts';

const whole = 'The whole list: it replaces the present one.';

/**
 * Changes what is given and nothing else; the kind stays, and so does whether it has a code. Orders keep what they were given.
 * @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `archived`, `discount_code_taken` (409)
 */
export const updateDiscount = operation(
  {
    ...sells,
    name: 'service_update_discount',
    input: z.strictObject({
      ...byDiscount,
      ...terms,
      name: terms.name.optional(),
      code: terms.code.meta({ description: 'What buyers enter. An automatic discount takes none.' }),
      appliesTo: terms.appliesTo.meta({ description: 'Of kinds percentage and fixed_amount: products or order.' }),
      amounts: terms.amounts.meta({ description: `Of kind fixed_amount: one for each currency. ${whole}` }),
      minimumAmounts: terms.minimumAmounts.meta({
        description: `Least price of the eligible lines, for each currency. Empty: none. ${whole}`,
      }),
      productIds: terms.productIds.meta({ description: `Products that it lowers. ${whole}` }),
      collectionIds: terms.collectionIds.meta({ description: `Collections whose products it lowers. ${whole}` }),
      combinesWith: terms.combinesWith.meta({ description: `Classes of discounts that it may stand beside. ${whole}` }),
      active: terms.active.meta({ description: 'false: not taken.' }),
    }),
    answer: discount.answer,
    errors: ['not_found', 'archived', 'discount_code_taken'],
  },
  async (scope, { discountId, ...given }, deps: CheckoutDeps) =>
    scope.write(async (tx) => {
      // Before the row, as whoever adds one does.
      await requireRoom(tx, 'discount', 0);
      const before = await holdDiscount(tx, discountId);
      if (before.archived) throw checkoutFail('archived', 'The discount is archived: create another one.');
      const faults = new Faults();
      const change = readTerms(faults, before.kind, given);
      if (given.code !== undefined && before.code === null)
        faults.add('/code', 'not_of_kind', 'The discount is automatic: create another one with a code.');
      const changed = changedMembers<DiscountSetting>(before, change);
      const next: DiscountSetting = { ...before, ...present(change) };
      await requireWhole(tx, faults, next, given, deps);
      faults.throw();
      if (changed.length === 0) return asItWas(before);
      await requireFreeCode(tx, next.code, discountId);
      const [row] = await tx.query(
        statement(
          `update checkout.discount d set ${written.map((one, index) => `${one.split('::')[0]} = $${index + 3}${castOf(one)}`).join(', ')},
             version = version + 1, updated_at = clock_timestamp()
           where d.tenant_id = $1::uuid and d.discount_id = $2::uuid returning ${discount.columns}`,
          [tx.context.tenant, discountId, ...valuesOf(faults, next)],
        ),
      );
      const after = discount.read(row ?? {});
      tx.record(
        event('commerce.discount.updated', {
          discount_id: after.id,
          fields: inLog(changed),
          version: after.version,
          content_sha256: await contentOf(tx, 'discount', after.id),
        }),
      );
      return after;
    }),
);
