import { asItWas, operation } from '@steward/access';
import { statement } from '@steward/sql';
import { z } from 'zod';
import { event } from '../events.ts';
import { sells } from '../operations.ts';
import { byOption, holdOption, shippingOption } from './option.ts';

/** Takes an option out of use for good. Archived already is success. @throws Problem `not_found` (404) */
export const archiveShippingOption = operation(
  {
    ...sells,
    name: 'service_archive_shipping_option',
    input: z.strictObject(byOption),
    answer: shippingOption.answer,
    errors: ['not_found'],
  },
  async (scope, { shippingOptionId }) =>
    scope.write(async (tx) => {
      const before = await holdOption(tx, shippingOptionId);
      if (before.archived) return asItWas(before);
      const [row] = await tx.query(
        statement(
          `update checkout.shipping_option o set archived_at = clock_timestamp()
           where o.tenant_id = $1::uuid and o.shipping_option_id = $2::uuid returning ${shippingOption.columns}`,
          [tx.context.tenant, shippingOptionId],
        ),
      );
      tx.record(event('commerce.shipping_option.archived', { shipping_option_id: before.id }));
      return shippingOption.read(row ?? {});
    }),
);
