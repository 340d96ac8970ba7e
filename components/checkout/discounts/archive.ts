import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { sells } from '../operations.ts';
import { byDiscount, discount, holdDiscount } from './discount.ts';

/** Takes a discount out of use for good and frees its code; orders keep what they were given. Archived already is success. @throws Problem `not_found` (404) */
export const archiveDiscount = operation(
  {
    ...sells,
    name: 'service_archive_discount',
    input: z.strictObject(byDiscount),
    answer: discount.answer,
    errors: ['not_found'],
  },
  async (scope, { discountId }) =>
    scope.write(async (tx) => {
      const before = await holdDiscount(tx, discountId);
      if (before.archived) return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update checkout.discount d set archived_at = clock_timestamp()
           where d.tenant_id = $1::uuid and d.discount_id = $2::uuid returning ${discount.columns}`,
          [tx.context.tenant, discountId],
        ),
      );
      tx.record(event('commerce.discount.archived', { discount_id: before.id }));
      return discount.read(row ?? {});
    }),
);
