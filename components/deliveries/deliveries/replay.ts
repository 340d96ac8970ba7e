import { operation } from '@steward/access';
import { type BusEvent, readOn, sequenceAt } from '@steward/bus';
import { fail } from '@steward/kernel';
import { sql, type TenantTransaction } from '@steward/sql';
import { z } from 'zod';
import { byWebhook, holdWebhook } from '../endpoints/webhook.ts';
import { deliveriesFail } from '../errors.ts';
import { event } from '../events.ts';
import { changes } from '../operations.ts';
import type { DeliveriesPorts } from '../ports.ts';
import { tested } from '../words.ts';
import { bodyOf } from './body.ts';
import { sequence } from './delivery.ts';

/** Events that one call puts back, and that a webhook puts back in a day (UTC). */
export const most = { call: 10_000, day: 100_000 };
const chunk = 1_000;

const time = z.iso.datetime({ offset: true });

/**
 * Sends events again, behind what waits, with the ids that they had: one event, or what was announced since a moment.
 * @throws Problem `invalid_request` (400), `not_found` (404), `webhook_disabled` (409), `replay_limit` (429)
 */
export const replayWebhook = operation(
  {
    ...changes,
    name: 'service_replay_webhook',
    input: z.strictObject({
      ...byWebhook,
      sequence: sequence.optional().meta({ description: 'Only this event.', maxLength: 20 }),
      from: time.optional().meta({ description: 'Everything of its types since this moment, RFC 3339.' }),
      after: sequence.optional().meta({
        description: 'Everything of its types behind this event: `continue_after` of the call before.',
        maxLength: 20,
      }),
      until: time.optional().meta({ description: 'With `from` or `after`: nothing since this moment.' }),
    }),
    answer: z.object({
      webhookId: z.uuid(),
      /** What was put into the queue; what waits there already does not count. */
      events: z.int(),
      continueAfter: z.string().nullable().meta({
        description: 'There is more: call again with this as `after`. null: that was all.',
      }),
    }),
    errors: ['insufficient_role', 'not_found', 'webhook_disabled', 'replay_limit'],
  },
  async (scope, { webhookId, sequence: one, from, after, until }, ports: DeliveriesPorts) => {
    if ([one, from, after].filter((given) => given !== undefined).length !== 1)
      throw fail('invalid_request', 'Give one of `sequence`, `from` and `after`.', {
        errors: [
          { pointer: '/from', code: 'required', detail: 'Give one of `sequence`, `from` and `after`, not several.' },
        ],
      });
    return scope.write(async (tx) => {
      const { types, status, agentId } = await holdWebhook(tx, webhookId);
      if (status === 'disabled')
        throw deliveriesFail('webhook_disabled', 'Nothing is kept for this webhook: resume it first.');
      const { tenant } = tx.context;
      const [day] = await tx.query<{ replayed: number }>(sql`
        select case when replay_day = (clock_timestamp() at time zone 'UTC')::date then replayed else 0 end as replayed
        from deliveries.queue where tenant_id = ${tenant}::uuid and endpoint_id = ${webhookId}::uuid`);
      let left = Math.min(most.call, most.day - (day?.replayed ?? 0));
      if (left <= 0) throw limitReached();
      if (agentId !== null) return replayTold(tx, ports, webhookId, { one, from, after, until }, Math.min(chunk, left));
      const read = { read: tx.query };
      const before = one === undefined ? undefined : String(BigInt(one) - 1n);
      let at = before ?? after ?? (await sequenceAt(read, from ?? ''));
      let put = 0;
      for (;;) {
        const wanted = one === undefined ? Math.min(chunk, left) : 1;
        const { events, through } = await readOn(read, at, one === undefined ? types : null, wanted);
        const within = events.filter((event) => isWithin(event, one, until));
        const due = within.filter(({ type, data }) => type !== tested || data['webhookId'] === webhookId);
        const [row] = due.length === 0 ? [] : await tx.query<{ put: number }>(putBack(webhookId, due));
        put += row?.put ?? 0;
        left -= events.length;
        at = through;
        const ended = one !== undefined || events.length < wanted || within.length < events.length;
        if (!ended && left > 0) continue;
        tx.record(event('deliveries.endpoint.replayed', { endpoint_id: webhookId, events: put }));
        tx.afterCommit(() => ports.changed(tenant, webhookId));
        return { webhookId, events: put, continueAfter: ended ? null : through };
      }
    });
  },
);

/** What an agent was told is sent as it was: an order may be another one by now, and the agent knows it by then. */
async function replayTold(
  tx: TenantTransaction,
  ports: DeliveriesPorts,
  webhookId: string,
  { one, from, after, until }: Readonly<Record<'one' | 'from' | 'after' | 'until', string | undefined>>,
  most: number,
): Promise<{ webhookId: string; events: number; continueAfter: string | null }> {
  const [row] = await tx.query<{ put: number; seen: number; through: string | null }>(sql`
    select put, seen, lpad(through::text, 20, '0') as through from deliveries.replay_told(${webhookId}::uuid, ${one ?? null}::bigint, ${after ?? null}::bigint,
      ${from ?? null}::timestamptz, ${until ?? null}::timestamptz, ${most}::int)`);
  const { put = 0, seen = 0, through = null } = row ?? {};
  tx.record(event('deliveries.endpoint.replayed', { endpoint_id: webhookId, events: put }));
  tx.afterCommit(() => ports.changed(tx.context.tenant, webhookId));
  return { webhookId, events: put, continueAfter: one === undefined && seen >= most ? through : null };
}

const limitReached = (): Error =>
  deliveriesFail('replay_limit', `A webhook replays at most ${most.day} events in a day: continue tomorrow (UTC).`, {
    headers: { 'retry-after': '3600' },
  });

const isWithin = (
  { sequence: at, occurredAt }: BusEvent,
  one: string | undefined,
  until: string | undefined,
): boolean =>
  (one === undefined || BigInt(at) === BigInt(one)) &&
  (until === undefined || Date.parse(occurredAt) < Date.parse(until));

const putBack = (webhookId: string, events: readonly BusEvent[]) => {
  const rows = events.map((event) => ({
    position: event.sequence,
    event_id: event.id,
    type: event.type,
    subject: event.subject ?? null,
    body: bodyOf(event),
  }));
  return sql`select deliveries.replay(${webhookId}::uuid, ${JSON.stringify(rows)}::json) as put`;
};
