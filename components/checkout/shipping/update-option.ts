import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { changedMembers, inLog } from '../changed.ts';
import { contentOf } from '../contents.ts';
import type { CheckoutDeps } from '../deps.ts';
import { checkoutFail } from '../errors.ts';
import { event } from '../events.ts';
import { Faults } from '../money.ts';
import { sells } from '../operations.ts';
import { byOption, holdOption, shippingOption, type ShippingOption } from './option.ts';
import { columnsOf, readTerms, requireLocation, requireWhole, terms } from './terms.ts';

/** Changes what is given and nothing else; zone, kind and currency stay. @throws Problem `not_found` (404), `invalid_request` (400) with pointers, `archived` (409) */
export const updateShippingOption = operation(
  {
    ...sells,
    name: 'service_update_shipping_option',
    input: z.strictObject({
      ...byOption,
      ...terms,
      name: terms.name.optional(),
      taxCategory: terms.taxCategory.meta({ description: 'Decides the tax on shipping.' }),
      active: terms.active.meta({ description: 'false: not offered.' }),
      position: terms.position.meta({ description: 'Lower ones are shown first.' }),
    }),
    answer: shippingOption.answer,
    errors: ['not_found', 'archived'],
  },
  async (scope, { shippingOptionId, ...given }, deps: CheckoutDeps) =>
    scope.write(async (tx) => {
      const before = await holdOption(tx, shippingOptionId);
      if (before.archived) throw checkoutFail('archived', 'The shipping option is archived: create another one.');
      const faults = new Faults();
      const change = readTerms(faults, before, given);
      const changed = changedMembers<ShippingOption>(before, change);
      const next: ShippingOption = {
        ...before,
        ...Object.fromEntries(changed.map((member) => [member, change[member as keyof typeof change]])),
      };
      requireWhole(faults, next);
      // The one that stays may be archived by now.
      if (changed.includes('locationId')) await requireLocation(tx, faults, next.locationId, deps);
      faults.throw();
      if (changed.length === 0) return asItWas(before);
      const kept = columnsOf(next);
      const [row] = await tx.query(
        statement(
          `update checkout.shipping_option o set name = $3, amount = $4::bigint, brackets = $5::jsonb, free_from = $6::bigint,
             location_id = $7::uuid, min_days = $8::int, max_days = $9::int, tax_category = $10, active = $11, position = $12::int,
             version = version + 1, updated_at = clock_timestamp()
           where o.tenant_id = $1::uuid and o.shipping_option_id = $2::uuid returning ${shippingOption.columns}`,
          [
            tx.context.tenant,
            shippingOptionId,
            next.name,
            kept.amount,
            kept.brackets,
            kept.freeFrom,
            next.locationId,
            next.minDays,
            next.maxDays,
            next.taxCategory,
            next.active,
            next.position,
          ],
        ),
      );
      const after = shippingOption.read(row ?? {});
      tx.record(
        event('commerce.shipping_option.updated', {
          shipping_option_id: after.id,
          fields: inLog(changed),
          version: after.version,
          content_sha256: await contentOf(tx, 'shipping_option', after.id),
        }),
      );
      return after;
    }),
);
