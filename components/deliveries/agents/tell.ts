import type { BusEvent } from '@steward/bus';
import { makerOf, type Maker } from '@steward/identity';
import { newId } from '@steward/kernel';
import { sql, statement, type TenantTransaction } from '@steward/sql';
import { aimed, aimedBy, selectWebhooks, setWebhook, termsOf, webhook, type Webhook } from '../endpoints/webhook.ts';
import { announcement, event as recorded } from '../events.ts';

/** What an agent is told of an event. */
export interface Telling {
  readonly agentId: string;
  readonly brandId: string;
  /** Where it wants to be told, as its profile says now; undefined: where the organization says, or nowhere. */
  readonly url: string | undefined;
  readonly event: Pick<BusEvent, 'id' | 'type' | 'sequence' | 'occurredAt'>;
  /** What is told in order: an order. */
  readonly subject: string;
  /** To the byte. */
  readonly body: string;
}

/** Stopped because its address takes nothing: another address may. */
const byItself: readonly string[] = ['failing', 'gone', 'abandoned'];

/** Puts what an agent is told into the queue of its webhook, which is made when there is first something for it. Once for each event. */
export async function tellAgent(
  tx: TenantTransaction,
  { agentId, brandId, url, event, subject, body }: Telling,
): Promise<{ readonly webhookId: string; readonly moved: boolean } | undefined> {
  const known = await webhookOf(tx, agentId);
  if (known === undefined && url === undefined) return undefined;
  const maker = makerOf(tx.context);
  const { id, ...before } = known ?? (await make(tx, { agentId, brandId, url: url ?? '', signing: 'rfc9421', maker }));
  const moved = url !== undefined && before.url !== url;
  if (moved) await move(tx, { id, ...before }, url, maker);
  await tx.query(sql`
    select deliveries.enqueue(${BigInt(event.sequence)}::bigint, ${event.id}::uuid, ${event.type}, ${subject}, ${body}, ${id}::uuid,
      ${event.occurredAt}::timestamptz)`);
  return { webhookId: id, moved };
}

/** Where the organization has an agent told, and who says so. */
export interface Aim {
  readonly agentId: string;
  readonly brandId: string;
  readonly url: string;
  /** Of `makerIn`. */
  readonly maker: Maker;
}

/** Has the organization say where an agent is told: the first time it sends nothing until somebody has taken its secret. */
export async function aimAgent(
  tx: TenantTransaction,
  to: Aim,
): Promise<{ readonly webhook: Webhook; readonly changed: boolean }> {
  const known = await webhookOf(tx, to.agentId);
  if (known === undefined) return { webhook: await make(tx, { ...to, signing: 'merchant' }), changed: true };
  return known.url === to.url
    ? { webhook: known, changed: false }
    : { webhook: await move(tx, known, to.url, to.maker), changed: true };
}

/** Held until the end of the transaction. */
async function webhookOf(tx: TenantTransaction, agentId: string): Promise<Webhook | undefined> {
  const [known] = await tx.query(
    selectWebhooks('e.agent_id = $2::uuid for no key update of e', tx.context.tenant, agentId),
  );
  return known === undefined ? undefined : webhook.read(known);
}

async function make(tx: TenantTransaction, to: Aim & { readonly signing: 'rfc9421' | 'merchant' }): Promise<Webhook> {
  const id = newId();
  const { by, byType, through } = to.maker;
  const waits = to.signing === 'merchant';
  const [row] = await tx.query(
    statement(
      `insert into deliveries.endpoint as e (tenant_id, endpoint_id, url, ordering, signing, agent_id, brand_id, status, reason, begins_after,
         created_by, created_by_type, created_through)
       values ($1::uuid, $2::uuid, $3, 'subject', $4, $5::uuid, $6::uuid, $7, $8, 0, $9, $10, $11) returning ${webhook.columns}`,
      [
        tx.context.tenant,
        id,
        to.url,
        to.signing,
        to.agentId,
        to.brandId,
        waits ? 'paused' : 'active',
        waits ? 'secret_missing' : null,
        by,
        byType,
        through,
      ],
    ),
  );
  await tx.query(sql`select deliveries.open_queue(${id}::uuid)`);
  const made = webhook.read(row ?? {});
  tx.record(recorded('deliveries.endpoint.created', termsOf(made)));
  return made;
}

/** The agent is told elsewhere from now on, also of what waits. */
async function move(
  tx: TenantTransaction,
  { id, reason }: Pick<Webhook, 'id' | 'reason'>,
  url: string,
  maker: Maker,
): Promise<Webhook> {
  const after = await setWebhook(tx, id, aimed, aimedBy(url, maker));
  tx.record(recorded('deliveries.endpoint.retargeted', { ...termsOf(after), fields: ['url'] }));
  if (reason === null || !byItself.includes(reason)) return after;
  const running = await setWebhook(tx, id, `status = 'active', reason = null, status_at = clock_timestamp()`);
  await tx.query(sql`select deliveries.set_running(${id}::uuid, true)`);
  const causationId = tx.record(recorded('deliveries.endpoint.resumed', termsOf(running)));
  tx.publish(announcement('deliveries.endpoint.resumed', { webhookId: id }, { subject: id, causationId }));
  return running;
}
