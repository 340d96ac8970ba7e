import { count, field, flag, id, moment, nullable, type Of, oneOf, shape, text } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, type Row, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';

export const statuses = ['waiting', 'held', 'applied', 'ignored', 'dead', 'rejected', 'conflicting'] as const;

export const became = z.object({ kind: z.string(), id: z.string() });

/** A genuine request of a provider, of `callbacks.delivery` named `d`; without what it said. */
export const delivery = shape('d', {
  id: id('d.delivery_id'),
  receiver: text(),
  provider: text(),
  connectionId: nullable(id()),
  account: nullable(text(`nullif(d.account, '')`)),
  /** As the provider names the delivery, and the event: several deliveries may tell of one. */
  providerDeliveryId: text(),
  providerEventId: text('d.event_id'),
  topic: text(),
  live: nullable(flag()),
  /** What happens to one resource is carried out in order. */
  resource: nullable(text()),
  occurredAt: nullable(moment()),
  receivedAt: moment(),
  /**
   * `waiting` to be carried out or tried again; `held` while its connection is paused; `applied`; `ignored`: nothing was to be done; `dead`: given
   * up, a person must look; `rejected` by a person; `conflicting`: came under the id of another one, with another body.
   */
  status: oneOf(statuses),
  attempts: count(),
  nextAttemptAt: nullable(moment('d.next_at')),
  lastError: nullable(text()),
  /** What it made or changed. */
  became: field(z.array(became)),
  /** The event of the audit log that says what became of it, which is the cause of what it did. */
  auditEventId: nullable(id()),
  /** How often the provider sent it again. */
  repeats: count(),
  settledAt: nullable(moment()),
});
export type DeliveryShown = Of<typeof delivery>;

export const byDelivery = { deliveryId: z.uuid().meta({ description: 'From service_list_callback_deliveries.' }) };

export const unknownDelivery = (): Error =>
  fail('not_found', 'There is no such delivery: service_list_callback_deliveries lists them.');

/** Held until the end of the transaction. @throws Problem `not_found` (404) */
export async function holdDelivery(tx: TenantTransaction, deliveryId: string): Promise<DeliveryShown> {
  const [row] = await tx.query<Row>(
    statement(
      `select ${delivery.columns} from callbacks.delivery d where d.tenant_id = $1::uuid and d.delivery_id = $2::uuid for update`,
      [tx.context.tenant, deliveryId],
    ),
  );
  if (row === undefined) throw unknownDelivery();
  return delivery.read(row);
}
