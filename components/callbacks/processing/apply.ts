import { newId, Problem } from '@steward/kernel';
import { sql, statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import { mentionsIn } from '../bodies/mentions.ts';
import { announcement, event } from '../events.ts';
import { requireOwn } from '../connections/require-own.ts';
import type { DeliverySeal } from '../deliveries/seal.ts';
import type { DeliveryShown } from '../deliveries/delivery.ts';
import { serveCallbacks } from '../permissions.ts';
import { type Became, type Delivery, NeverApplies, type Projection, type Receiver } from '../receivers/receiver.ts';
import { mostAttempts, mostBegun, pauseAfter } from './timings.ts';

export type Settled = 'applied' | 'ignored' | 'retried' | 'dead' | 'lost' | 'unserved';

/** A delivery that this process works on until the lease ends, as it was then: nobody changes what it says. */
export interface Leased {
  readonly shown: DeliveryShown;
  /** Counts leases: what is noted under an older one is not. */
  readonly lease: number;
  readonly begun: number;
  readonly item: number;
  readonly body: Buffer | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly seal: Buffer;
}

/** What deliveries are carried out with. */
export interface Applying {
  readonly receivers: readonly Receiver[];
  readonly seal: Pick<DeliverySeal, 'fits'>;
}

/** Whoever else has it by now does it; whoever pauses or rejects it meanwhile waits. */
class Lost extends Error {
  override readonly name = 'Lost';
}

/**
 * Carries out one delivery, and notes it, in one transaction; what it needs of the provider is fetched outside of any, before. What fails is noted
 * and tried again, later each time; what fails for good, or too often, waits for a person.
 * @param context of the delivery's tenant, with the delivery's id as its correlation
 */
export async function applyDelivery(
  context: TenantContext,
  leased: Leased,
  applying: Applying,
  signal: AbortSignal,
): Promise<Settled> {
  const scope = context.require(serveCallbacks);
  const served = serve(leased.shown, applying.receivers);
  try {
    if (served === undefined) {
      // A newer process knows it: this one leaves it alone for a while, and no attempt is counted.
      await scope.write(async (tx) => {
        await hold(tx, leased);
        note(tx, leased, `next_at = clock_timestamp() + interval '30 seconds'`);
      });
      return 'unserved';
    }
    const { adapter, projection } = served;
    const delivery = read(context.tenant, leased, adapter, applying.seal);
    if (projection !== undefined) await requireOwn(scope, delivery, adapter);
    const fetched = await projection?.fetch?.(context, delivery, signal);
    return await scope.write(async (tx) => {
      const held = hold(tx, leased);
      const settled = carryOut(
        tx,
        leased,
        delivery,
        async (caused) => projection?.apply(caused, delivery, fetched) ?? [],
      );
      // It travels with the first query of the effect, which is undone where the delivery is another's by now.
      const [holds, carried] = await Promise.allSettled([held, settled]);
      if (holds.status === 'rejected') throw holds.reason;
      if (carried.status === 'rejected') throw carried.reason;
      return carried.value;
    });
  } catch (error) {
    if (error instanceof Lost) return 'lost';
    return fails(scope, { leased, error });
  }
}

/** @throws Lost */
async function hold(tx: TenantTransaction, { shown: { id }, lease }: Leased): Promise<void> {
  // By its key alone, or the planner takes it for one of the few that wait.
  const [row] = await tx.query<{ held: boolean }>(
    statement(
      `select d.status = 'waiting' and d.lease = $3::int as held from callbacks.delivery d
       where d.tenant_id = $1::uuid and d.delivery_id = $2::uuid for update`,
      [tx.context.tenant, id, lease],
    ),
  );
  if (row?.held !== true) throw new Lost();
}

/** Undefined where this process knows the receiver or the provider by no such name. */
function serve({ receiver: name, provider, topic }: DeliveryShown, receivers: readonly Receiver[]) {
  const receiver = receivers.find((one) => one.name === name);
  const adapter = receiver?.adapters.find((one) => one.name === provider);
  if (receiver === undefined || adapter === undefined) return undefined;
  const projection = receiver.projections.find(({ topics }) => topics.includes(topic))?.projection as
    | Projection<unknown>
    | undefined;
  return { adapter, projection };
}

/** @throws NeverApplies where it cannot be trusted or read, however often it is tried */
function read(
  tenant: string,
  { shown, begun, item: index, body, headers, seal: mark }: Leased,
  adapter: Receiver['adapters'][number],
  seal: Applying['seal'],
): Delivery {
  if (begun > mostBegun)
    throw new NeverApplies(
      `Whoever carried it out ended before it was done, ${mostBegun} times: look at the log of the server for why.`,
    );
  if (body === null) throw new NeverApplies('What the provider sent is forgotten: have it sent again.');
  const taken = {
    ...shown,
    tenant,
    deliveryId: shown.id,
    eventId: shown.providerEventId,
    item: index,
    body,
  };
  if (!seal.fits(taken, mark))
    throw new NeverApplies('The row was written or changed by other hands than the intake: it is not carried out.');
  const arrived = { body, headers: headers ?? {}, url: '', receivedAt: Date.parse(shown.receivedAt) };
  const item = adapter.read(arrived)[index];
  if (item === undefined) throw new NeverApplies('What the provider sent cannot be read any more.');
  return deliveryOf(shown, item.data);
}

const deliveryOf = (shown: DeliveryShown, data: Delivery['data']): Delivery => ({
  id: shown.id,
  receiver: shown.receiver,
  provider: shown.provider,
  providerDeliveryId: shown.providerDeliveryId,
  eventId: shown.providerEventId,
  connectionId: shown.connectionId,
  account: shown.account,
  topic: shown.topic,
  live: shown.live,
  resource: shown.resource,
  occurredAt: shown.occurredAt,
  receivedAt: shown.receivedAt,
  data,
});

async function carryOut(
  tx: TenantTransaction,
  leased: Leased,
  delivery: Delivery,
  apply: (caused: TenantTransaction) => Promise<readonly Became[]>,
): Promise<Settled> {
  const cause = newId();
  const children: (() => void)[] = [];
  const became = await apply(causedBy(tx, delivery, cause, children));
  const outcome = became.length === 0 ? 'ignored' : 'applied';
  tx.record({ ...settledEvent(delivery, became), ...sourceOf(delivery), id: cause });
  for (const record of children) record();
  note(
    tx,
    leased,
    `status = '${outcome}', next_at = null, settled_at = clock_timestamp(), attempts = d.attempts + 1, last_error = null, became = $4::jsonb, audit_event_id = $5::uuid,
     mentions = array(select distinct unnest(d.mentions || $6::bytea[]))`,
    [
      JSON.stringify(became),
      cause,
      mentionsIn(
        tx.context.tenant,
        became.map(({ id }) => id),
      ),
    ],
  );
  letNext(tx, delivery);
  return outcome;
}

const sourceOf = ({ provider, eventId }: Delivery) => ({ sourceSystem: provider, sourceEventId: eventId });

function settledEvent(delivery: Delivery, became: readonly Became[]) {
  const { id, receiver, provider, topic, connectionId } = delivery;
  const facts = {
    delivery_id: id,
    receiver,
    provider,
    topic,
    ...(connectionId === null ? {} : { connection_id: connectionId }),
  };
  return became.length === 0
    ? event('callbacks.delivery.ignored', facts)
    : event('callbacks.delivery.applied', { ...facts, became });
}

/** The same transaction, in which everything has the delivery's event as its cause; that event comes first in the log. */
function causedBy(
  tx: TenantTransaction,
  delivery: Delivery,
  cause: string,
  children: (() => void)[],
): TenantTransaction {
  const { correlationId } = tx.context;
  return {
    ...tx,
    context: { ...tx.context, causalId: cause },
    record: (one) => {
      const id = one.id ?? newId();
      children.push(() => void tx.record({ correlationId, causalId: cause, ...sourceOf(delivery), ...one, id }));
      return id;
    },
    publish: (one) => tx.publish({ correlationId, causationId: cause, ...one }),
  };
}

interface Failed {
  readonly leased: Leased;
  readonly error: unknown;
}

async function fails(scope: ReturnType<TenantContext['require']>, { leased, error }: Failed): Promise<Settled> {
  const { shown } = leased;
  const attempts = shown.attempts + 1;
  const dead = error instanceof NeverApplies || attempts >= mostAttempts;
  const words = wordsOf(error);
  const noted = scope.write(async (tx): Promise<Settled> => {
    await hold(tx, leased);
    const { id: deliveryId, receiver, provider, topic, connectionId } = shown;
    if (!dead) {
      note(
        tx,
        leased,
        `attempts = $4::int, last_error = $5, next_at = clock_timestamp() + make_interval(secs => $6::double precision)`,
        [attempts, words, pauseAfter(attempts, error) / 1000],
      );
      return 'retried';
    }
    const cause = newId();
    note(
      tx,
      leased,
      `status = 'dead', next_at = null, settled_at = clock_timestamp(), attempts = $4::int, last_error = $5, audit_event_id = $6::uuid`,
      [attempts, words, cause],
    );
    tx.record({
      ...event('callbacks.delivery.failed', {
        delivery_id: deliveryId,
        receiver,
        provider,
        topic,
        ...(connectionId === null ? {} : { connection_id: connectionId }),
        attempts,
      }),
      id: cause,
      sourceSystem: provider,
      sourceEventId: shown.providerEventId,
    });
    letNext(tx, shown);
    tx.publish(announcement('callbacks.delivery.failed', { deliveryId, receiver, provider }, { subject: deliveryId }));
    return 'dead';
  });
  return noted.catch((cause: unknown) => {
    if (cause instanceof Lost) return 'lost';
    throw cause;
  });
}

/** What a person reads. Messages of our own errors name no secret; those of others are not shown. */
const wordsOf = (error: unknown): string =>
  (error instanceof Problem
    ? (error.detail ?? error.code)
    : error instanceof NeverApplies || (error instanceof Error && /^Provider(?:Unavailable|Refused)$/.test(error.name))
      ? error.message
      : 'An internal error: see the log of the server.'
  ).slice(0, 1_000);

/**
 * Makes the next delivery of the same resource due, which waited for this one. One that somebody works on is left to them: it is not waited for, since
 * they may wait for this transaction.
 */
function letNext(tx: TenantTransaction, { receiver, resource }: Pick<Delivery, 'receiver' | 'resource'>): void {
  if (resource === null) return;
  const { tenant } = tx.context;
  tx.later(sql`
    update callbacks.delivery d set next_at = clock_timestamp()
    where d.tenant_id = ${tenant}::uuid and d.next_at > clock_timestamp() and d.begun = 0 and d.delivery_id = (
      select e.delivery_id from callbacks.delivery e
      where e.tenant_id = ${tenant}::uuid and e.receiver = ${receiver} and e.resource = ${resource} and e.status = 'waiting'
      order by coalesce(e.occurred_at, e.received_at), e.received_at, e.delivery_id limit 1)`);
}

/** Under its lease alone. */
function note(
  tx: TenantTransaction,
  { shown: { id }, lease }: Leased,
  set: string,
  values: readonly unknown[] = [],
): void {
  tx.later(
    statement(
      `update callbacks.delivery d set begun = 0, ${set} where d.tenant_id = $1::uuid and d.delivery_id = $2::uuid and d.lease = $3::int`,
      [tx.context.tenant, id, lease, ...values],
    ),
  );
}
