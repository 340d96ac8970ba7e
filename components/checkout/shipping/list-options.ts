import { operation } from '@steward/access';
import { pageOf } from '@steward/contract';
import { beforeAllIds, page } from '@steward/sql';
import { z } from 'zod';
import { listing, reads } from '../operations.ts';
import { selectOptions, shippingOption } from './option.ts';

/** A page of options in order of their making, inactive ones too; those in use, or all. */
export const listShippingOptions = operation(
  {
    ...reads,
    name: 'service_list_shipping_options',
    input: z.strictObject(listing),
    answer: pageOf(shippingOption.answer),
  },
  async ({ context, read }, { limit, cursor = beforeAllIds, archived }) => {
    const rows = await read(
      selectOptions(
        'o.shipping_option_id > $2::uuid and ($3 or o.archived_at is null) order by o.shipping_option_id limit $4::int',
        context.tenant,
        cursor,
        archived,
        limit + 1,
      ),
    );
    return page(rows, limit, shippingOption.read, ({ id }) => id);
  },
);
