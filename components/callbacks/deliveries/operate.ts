import { asItWas, operation } from '@steward/access';
import { line } from '@steward/contract';
import { fail } from '@steward/kernel';
import { statement, sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import type { ConnectionPorts } from '../deps.ts';
import { callbacksFail } from '../errors.ts';
import { event } from '../events.ts';
import { operates } from '../operations.ts';
import { byDelivery, delivery, type DeliveryShown, holdDelivery } from './delivery.ts';
import { filtered, filters, requireKnown } from './list.ts';

const again = `status = 'waiting', next_at = clock_timestamp(), attempts = 0, begun = 0, settled_at = null, last_error = null`;

async function changeTo(
  tx: TenantTransaction,
  set: string,
  ids: readonly string[],
  values: readonly unknown[] = [],
): Promise<DeliveryShown[]> {
  const rows = await tx.query(
    statement(
      `update callbacks.delivery d set ${set} where d.tenant_id = $1::uuid and d.delivery_id = any ($2::uuid[]) returning ${delivery.columns}`,
      [tx.context.tenant, ids, ...values],
    ),
  );
  return rows.map(delivery.read);
}

const state = { not_found: 'deliveryId', delivery_state: 'deliveryId' } as const;

/**
 * Tries a delivery again that was given up or rejected, or at once where it waits for its next attempt.
 * @throws Problem `not_found` (404), `delivery_state` (409)
 */
export const retryDelivery = operation(
  {
    ...operates,
    name: 'service_retry_callback_delivery',
    input: z.strictObject(byDelivery),
    answer: delivery.answer,
    errors: state,
  },
  async (scope, { deliveryId }, { wake }: Pick<ConnectionPorts, 'wake'>) =>
    scope.write(async (tx) => {
      const held = await holdDelivery(tx, deliveryId);
      if (held.status === 'waiting' && held.attempts === 0) return asItWas(held);
      if (!['waiting', 'dead', 'rejected'].includes(held.status))
        throw callbacksFail(
          'delivery_state',
          `The delivery is ${held.status}: what was carried out is carried out again by service_replay_callback_deliveries.`,
        );
      const [waiting = held] = await changeTo(tx, again, [deliveryId]);
      tx.record(event('callbacks.delivery.retried', { delivery_id: deliveryId }));
      tx.afterCommit(wake);
      return waiting;
    }),
);

/**
 * Gives a delivery up: it is not carried out. Rejected already is success.
 * @throws Problem `not_found` (404), `delivery_state` (409)
 */
export const rejectDelivery = operation(
  {
    ...operates,
    name: 'service_reject_callback_delivery',
    input: z.strictObject({
      ...byDelivery,
      reason: line(500).meta({
        description: 'Why it is not to be carried out. The audit log keeps it: name no person.',
      }),
    }),
    answer: delivery.answer,
    errors: state,
  },
  async (scope, { deliveryId, reason }) =>
    scope.write(async (tx) => {
      const held = await holdDelivery(tx, deliveryId);
      if (held.status === 'rejected') return asItWas(held);
      if (!['waiting', 'held', 'dead'].includes(held.status))
        throw callbacksFail(
          'delivery_state',
          `The delivery is ${held.status}: only one that is not carried out can be rejected.`,
        );
      const eventId = tx.record(event('callbacks.delivery.rejected', { delivery_id: deliveryId, reason }));
      const [rejected = held] = await changeTo(
        tx,
        `status = 'rejected', next_at = null, settled_at = clock_timestamp(), audit_event_id = $3::uuid`,
        [deliveryId],
        [eventId],
      );
      return rejected;
    }),
);

/** Deliveries that one call replays, and that may wait in a tenant before more are replayed. */
const mostReplayed = 200;
const mostWaiting = 1_000;

/**
 * Carries out again what was carried out, ignored, given up or rejected, oldest first: of a time, or by ids. Effects are keyed by what they are about, so
 * what is there already stays as it is.
 * @throws Problem `callbacks_waiting` (429) while many deliveries wait
 */
export const replayDeliveries = operation(
  {
    ...operates,
    name: 'service_replay_callback_deliveries',
    input: z.strictObject({
      ...filters,
      deliveryIds: z
        .array(z.uuid())
        .min(1)
        .max(mostReplayed)
        .optional()
        .meta({ description: 'Only these deliveries.' }),
      from: z.iso.datetime().optional().meta({ description: 'Only what arrived at this time or later, RFC 3339.' }),
      to: z.iso.datetime().optional().meta({ description: 'Only what arrived before this time, RFC 3339.' }),
    }),
    answer: z.object({
      deliveryIds: z.array(z.string()),
      /** Whether there are more of them: repeat the call with `from` at the last one’s time. */
      more: z.boolean(),
    }),
    errors: { not_found: 'connectionId', callbacks_waiting: null },
  },
  async (
    scope,
    { deliveryIds, from, to, ...given },
    { receivers, wake }: Pick<ConnectionPorts, 'receivers' | 'wake'>,
  ) => {
    await requireKnown(scope, given, receivers());
    if (from !== undefined && to !== undefined && Date.parse(to) <= Date.parse(from))
      throw fail('invalid_request', 'The time ends before it begins.', {
        errors: [{ pointer: '/to', code: 'invalid_value', detail: 'Give a time after `from`.' }],
      });
    return scope.write(async (tx) => {
      const { tenant } = tx.context;
      const [counted] = await tx.query<{ waiting: number }>(sql`
        select count(*)::int as waiting from (
          select from callbacks.delivery where tenant_id = ${tenant}::uuid and status = 'waiting' limit ${mostWaiting + 1}::int) w`);
      if ((counted?.waiting ?? 0) > mostWaiting)
        throw callbacksFail(
          'callbacks_waiting',
          `More than ${mostWaiting} deliveries wait to be carried out: replay when they are done.`,
        );
      const values: unknown[] = [tenant, mostReplayed + 1];
      const where = filtered(given, values);
      const chosen = await tx.query<{ id: string }>(
        statement(
          `select d.delivery_id as id from callbacks.delivery d
           where d.tenant_id = $1::uuid and d.status in ('applied', 'ignored', 'dead', 'rejected') and d.body is not null${where}
             ${deliveryIds === undefined ? '' : `and d.delivery_id = any ($${values.push(deliveryIds)}::uuid[])`}
             ${from === undefined ? '' : `and d.received_at >= $${values.push(from)}::timestamptz`}
             ${to === undefined ? '' : `and d.received_at < $${values.push(to)}::timestamptz`}
           order by d.delivery_id limit $2::int for update`,
          values,
        ),
      );
      const ids = chosen.slice(0, mostReplayed).map(({ id }) => id);
      if (ids.length === 0) return { deliveryIds: [], more: false };
      await changeTo(tx, again, ids);
      tx.record(event('callbacks.deliveries.replayed', { delivery_ids: ids }));
      tx.afterCommit(wake);
      return { deliveryIds: ids, more: chosen.length > ids.length };
    });
  },
);
