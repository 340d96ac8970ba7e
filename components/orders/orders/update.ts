import { asItWas, operation } from '@steward/access';
import { line, remarks } from '@steward/contract';
import { statement } from '@steward/sql';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { announcement, event } from '../events.ts';
import { manages } from '../operations.ts';
import { byOrder, holdOrder, order, orderIn } from './order.ts';

/** Changes what the business notes on an order; what was bought never changes. @throws Problem `not_found` (404) */
export const updateOrder = operation(
  {
    ...manages,
    name: 'service_update_order',
    input: z.strictObject({
      ...byOrder,
      note: remarks(5000)
        .nullable()
        .optional()
        .meta({ description: 'For colleagues; buyers do not see it. Null clears.' }),
      tags: z
        .array(line(100))
        .max(50)
        .optional()
        .meta({ description: 'Words to find orders by. The whole list: it replaces the present one.' }),
    }),
    answer: order.answer,
    errors: ['not_found'],
  },
  async (scope, { orderId, note, tags }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const held = await holdOrder(tx, orderId);
      const wanted = {
        note: note === undefined ? held.note : note,
        tags: tags === undefined ? held.tags : sorted(tags),
      };
      const fields = [
        ...(wanted.note === held.note ? [] : ['note' as const]),
        ...(isDeepStrictEqual(wanted.tags, sorted(held.tags)) ? [] : ['tags' as const]),
      ];
      if (fields.length === 0) return asItWas(held);
      const [, , [row] = []] = await tx.queryAll([
        statement(
          `delete from orders.tag where tenant_id = $1::uuid and order_id = $2::uuid and tag <> all ($3::text[])`,
          [tenant, orderId, wanted.tags],
        ),
        statement(
          `insert into orders.tag (tenant_id, tag, order_id) select $1::uuid, t, $2::uuid from unnest($3::text[]) t on conflict do nothing`,
          [tenant, orderId, wanted.tags],
        ),
        statement(
          `update orders.sales_order set note = $3, version = version + 1, updated_at = clock_timestamp()
           where tenant_id = $1::uuid and order_id = $2::uuid returning version`,
          [tenant, orderId, wanted.note],
        ),
      ]);
      const { mode } = held;
      tx.record(
        event('commerce.order.updated', {
          order_id: orderId,
          mode,
          fields,
          version: Number(row?.['version']),
          note_sha256: await contentOf(tx, 'note', orderId),
          tags_sha256: await contentOf(tx, 'tags', orderId),
        }),
      );
      tx.publish(announcement('commerce.order.updated', { orderId, mode }, { subject: orderId }));
      return (await orderIn(tx, orderId)) ?? held;
    }),
);

const sorted = (tags: readonly string[]): string[] => [...new Set(tags)].toSorted();
