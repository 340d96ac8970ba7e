import { statement, type TenantTransaction } from '@steward/sql';
import { contentOf } from '../contents.ts';
import { announcement, event } from '../events.ts';
import type { Mode } from '../words.ts';
import type { Tracker } from './tracker.ts';

/** Of one number: a carrier uses a number again after months, and several orders may leave in one parcel. */
const most = 20;

/**
 * Notes where a carrier says that a parcel is, on each of its fulfilments: what is older than what is known changes nothing, in whichever order it is
 * told. What was delivered does not move any more, but that it goes back.
 * @returns the ids of those that changed
 */
export async function track(
  tx: TenantTransaction,
  { number, status, at }: Tracker,
  modes: readonly Mode[],
): Promise<readonly string[]> {
  const { tenant } = tx.context;
  // Orders first, as whoever changes one does.
  await tx.query(
    statement(
      `select from orders.sales_order o where o.tenant_id = $1::uuid and o.order_id in (
         select f.order_id from orders.fulfilment f where f.tenant_id = $1::uuid and f.tracking_number = $2)
       order by o.order_id for no key update`,
      [tenant, number],
    ),
  );
  const moved = await tx.query<{ fulfilment_id: string; order_id: string; mode: Mode; version: number }>(
    statement(
      `update orders.fulfilment f set delivery_status = $3, delivery_at = $4::timestamptz, version = f.version + 1, updated_at = clock_timestamp()
       from (
         select f.fulfilment_id, o.mode from orders.fulfilment f join orders.sales_order o on o.tenant_id = f.tenant_id and o.order_id = f.order_id
         where f.tenant_id = $1::uuid and f.tracking_number = $2 and o.mode = any ($5::text[])
         order by f.fulfilment_id desc limit ${most}) found
       where f.tenant_id = $1::uuid and f.fulfilment_id = found.fulfilment_id
         and f.delivery_status is distinct from $3 and (f.delivery_at is null or f.delivery_at < $4::timestamptz)
         and (f.delivery_status is distinct from 'delivered' or $3 = 'returning')
       returning f.fulfilment_id, f.order_id, found.mode, f.version`,
      [tenant, number, status, at, modes],
    ),
  );
  for (const { fulfilment_id: fulfilmentId, order_id: orderId, mode, version } of moved) {
    tx.record(
      event('commerce.fulfilment.tracked', {
        fulfilment_id: fulfilmentId,
        order_id: orderId,
        mode,
        status,
        version,
        content_sha256: (await contentOf(tx, 'fulfilment', fulfilmentId)) ?? '',
      }),
    );
    tx.publish(
      announcement('commerce.fulfilment.tracked', { orderId, mode, fulfilmentId, status }, { subject: orderId }),
    );
  }
  return moved.map(({ fulfilment_id: id }) => id);
}
