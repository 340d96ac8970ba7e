import { asItWas, operation } from '@steward/access';
import { fail } from '@steward/kernel';
import { sql, statement } from '@steward/sql';
import { z } from 'zod';
import { contentOf } from '../contents.ts';
import { announcement, event } from '../events.ts';
import { manages } from '../operations.ts';
import { holdOrder, order, orderIn } from '../orders/order.ts';
import { tracking } from './tracking.ts';

/** Changes how what has left can be tracked; members that are not given stay. @throws Problem `not_found` (404) */
export const updateFulfilment = operation(
  {
    ...manages,
    name: 'service_update_fulfilment',
    input: z.strictObject({
      fulfilmentId: z.uuid().meta({ description: 'Of an order, from service_get_order.' }),
      ...tracking,
    }),
    answer: order.answer,
    errors: ['not_found'],
  },
  async (scope, { fulfilmentId, ...given }) =>
    scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [found] = await tx.query<{ order_id: string }>(
        sql`select order_id from orders.fulfilment where tenant_id = ${tenant}::uuid and fulfilment_id = ${fulfilmentId}::uuid`,
      );
      if (found === undefined)
        throw fail('not_found', 'There is no such fulfilment in this tenant: read the order for their ids.');
      const held = await holdOrder(tx, found.order_id);
      const before = held.fulfilments.find(({ id }) => id === fulfilmentId);
      const { carrier = null, trackingNumber = null, trackingUrl = null } = { ...before, ...present(given) };
      if (before?.carrier === carrier && before.trackingNumber === trackingNumber && before.trackingUrl === trackingUrl)
        return asItWas(held);
      const [row] = await tx.query<{ version: number }>(
        statement(
          `update orders.fulfilment set carrier = $3, tracking_number = $4, tracking_url = $5,
             delivery_status = case when tracking_number is not distinct from $4 then delivery_status end,
             delivery_at = case when tracking_number is not distinct from $4 then delivery_at end, version = version + 1,
             updated_at = clock_timestamp()
           where tenant_id = $1::uuid and fulfilment_id = $2::uuid returning version`,
          [tenant, fulfilmentId, carrier, trackingNumber, trackingUrl],
        ),
      );
      const { id: orderId, mode } = held;
      tx.record(
        event('commerce.fulfilment.updated', {
          fulfilment_id: fulfilmentId,
          order_id: orderId,
          mode,
          version: row?.version ?? 2,
          content_sha256: (await contentOf(tx, 'fulfilment', fulfilmentId)) ?? '',
        }),
      );
      tx.publish(announcement('commerce.fulfilment.updated', { orderId, mode, fulfilmentId }, { subject: orderId }));
      return (await orderIn(tx, orderId)) ?? held;
    }),
);

/** Without members that are undefined. */
const present = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
