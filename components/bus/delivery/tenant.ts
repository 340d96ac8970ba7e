import { sql, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import type { BusEvent, Consumer } from '../consumer.ts';
import { ownContext, type Deps } from '../deps.ts';
import { deliverEvents } from '../permissions.ts';
import { callHandler, HandlerFailed } from './call-handler.ts';
import { isTransient, isClaimedElsewhere } from './refusal.ts';

/** What became of a tenant's events. `busy`: another process has claimed this tenant, or the database is away. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly placed: Placed; readonly cause: unknown };

export interface Placed {
  readonly position: bigint;
  readonly event: BusEvent;
}

/** A tenant's next events for a consumer. */
export interface TenantBatch {
  readonly tenant: string;
  readonly consumer: Consumer;
  readonly events: readonly Placed[];
  /** Nothing up to this position is missing. */
  readonly before: bigint;
  /** Where the tenant's inbox is; 0 where it has none. Found elsewhere, it is claimed by another. */
  readonly had: bigint;
  /** Others may be at it: the inbox is taken before the handler is asked. Otherwise it is taken with the handler's first statement. */
  readonly takenFirst?: boolean;
  /** Also done in each transaction that hands events over. */
  readonly within?: (tx: TenantTransaction) => Promise<unknown>;
}

/**
 * Hands a tenant's events over in order; effects and the tenant's position are committed together. If one fails, the events
 * before it are committed, and the answer names it.
 */
export async function deliverTenant(deps: Deps, batch: TenantBatch): Promise<Outcome> {
  const events = missing(batch);
  if (events.length === 0) return { kind: 'done' };
  try {
    await atOnce(deps, { ...batch, events });
    return { kind: 'done' };
  } catch (error) {
    if (isClaimedElsewhere(error) || isTransient(error)) return { kind: 'busy' };
    if (error instanceof HandlerFailed) return upTo(deps, { ...batch, events }, error);
    if (events.length > 1) return separately(deps, { ...batch, events });
    return { kind: 'failed', placed: events[0] as Placed, cause: error };
  }
}

/** The events that the inbox does not have. */
export const missing = ({ events, had, before }: TenantBatch): Placed[] =>
  events.filter(({ position }) => position > had && position > before);

/** The handler failed at one event: commits the events before it and names it. */
export async function upTo(deps: Deps, batch: TenantBatch, { event, cause }: HandlerFailed): Promise<Outcome> {
  const { events } = batch;
  const at = events.findIndex((placed) => placed.event.id === event.id);
  if (at > 0) {
    const outcome = await deliverTenant(deps, { ...batch, events: events.slice(0, at) });
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'failed', placed: events[at] as Placed, cause };
}

/** The commit failed, which is the fault of one of them: that shows when each has a transaction of its own. */
export async function separately(deps: Deps, batch: TenantBatch): Promise<Outcome> {
  let { had } = batch;
  for (const placed of batch.events) {
    const outcome = await deliverTenant(deps, { ...batch, events: [placed], had });
    if (outcome.kind !== 'done') return outcome;
    had = placed.position;
  }
  return { kind: 'done' };
}

async function atOnce(deps: Deps, batch: TenantBatch): Promise<void> {
  const { consumer, events, takenFirst = false, within } = batch;
  await contextOf(deps, batch)
    .require(deliverEvents)
    .write(async (tx) => {
      tx.later(take(batch));
      if (takenFirst) await tx.flush();
      await heldWhileWaiting(tx, async () => {
        for (const { event } of events) await callHandler(consumer, tx, event, deps.timings.handler);
      });
      await within?.(tx);
    });
  deps.metrics.count(consumer.name, 'handled', events.length);
}

/** The bus in the batch's tenant. */
export function contextOf(deps: Deps, { tenant, events }: TenantBatch): TenantContext {
  const { event } = events[0] as Placed;
  return ownContext(deps, tenant, event.id, event.correlationId);
}

/** Moves the inbox beyond the batch; raises where it is not where it was seen. */
const take = ({ tenant, consumer, had, events }: TenantBatch): Statement =>
  sql`select bus.take(${tenant}, ${consumer.name}, ${had}, ${(events.at(-1) as Placed).position})`;

/** The same for batches of several tenants, which are of one consumer; raises where any is not where it was seen. */
export const takeTogether = (batches: readonly TenantBatch[]): Statement => sql`
  select bus.take_together(${batches[0]?.consumer.name}, ${batches.map(({ tenant }) => tenant)},
    ${batches.map(({ had }) => had)}, ${batches.map(({ events }) => events.at(-1)?.position)})`;

/**
 * The inbox is taken by the handler's first statement, or by the commit where it has none: one trip. A handler that waits for
 * something else meanwhile has it at once, so that others see the tenant as claimed.
 */
async function heldWhileWaiting(tx: TenantTransaction, work: () => Promise<void>): Promise<void> {
  let taken: Promise<void> | undefined;
  const soon = setImmediate(() => {
    taken = tx.flush();
    taken.catch(() => undefined);
  });
  try {
    await work();
  } finally {
    clearImmediate(soon);
    await taken;
  }
}
