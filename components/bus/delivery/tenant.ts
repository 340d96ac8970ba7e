import { sql, type Statement, type TenantContext, type TenantTransaction } from '@steward/sql';
import type { BusEvent, Consumer } from '../consumer.ts';
import { ownContext, type Ground } from '../ground.ts';
import { deliverEvents } from '../permissions.ts';
import { hand, HandlerFailed } from './hand.ts';
import { isLater, isTaken } from './refusal.ts';

/** What became of a tenant's events. `busy`: another process has this tenant in hand, or the database is away. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly placed: Placed; readonly cause: unknown };

export interface Placed {
  readonly position: bigint;
  readonly event: BusEvent;
}

/** A tenant's next events for a consumer. */
export interface Portion {
  readonly tenant: string;
  readonly consumer: Consumer;
  readonly events: readonly Placed[];
  /** Nothing up to this position is missing. */
  readonly before: bigint;
  /** Where the tenant's inbox is; 0 where it has none. Found elsewhere, it is in another's hand. */
  readonly had: bigint;
  /** Others may be at it: the inbox is taken before the handler is asked. Otherwise it is taken with the handler's first statement. */
  readonly takenFirst?: boolean;
  /** Also done in each transaction that hands events over. */
  readonly within?: (tx: TenantTransaction) => Promise<unknown>;
}

/**
 * Hands a tenant's events over in order; effects and the tenant's place are committed together. Where one fails, those
 * before it are had, and it is named.
 */
export async function deliverTenant(ground: Ground, portion: Portion): Promise<Outcome> {
  const events = missing(portion);
  if (events.length === 0) return { kind: 'done' };
  try {
    await atOnce(ground, { ...portion, events });
    return { kind: 'done' };
  } catch (error) {
    if (isTaken(error) || isLater(error)) return { kind: 'busy' };
    if (error instanceof HandlerFailed) return upTo(ground, { ...portion, events }, error);
    if (events.length > 1) return separately(ground, { ...portion, events });
    return { kind: 'failed', placed: events[0] as Placed, cause: error };
  }
}

/** The events that the inbox does not have. */
export const missing = ({ events, had, before }: Portion): Placed[] =>
  events.filter(({ position }) => position > had && position > before);

/** The handler failed at one of them: those before it are had, and it is named. */
export async function upTo(ground: Ground, portion: Portion, { event, cause }: HandlerFailed): Promise<Outcome> {
  const { events } = portion;
  const at = events.findIndex((placed) => placed.event.id === event.id);
  if (at > 0) {
    const outcome = await deliverTenant(ground, { ...portion, events: events.slice(0, at) });
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'failed', placed: events[at] as Placed, cause };
}

/** The commit failed, which is the fault of one of them: that shows when each has a transaction of its own. */
export async function separately(ground: Ground, portion: Portion): Promise<Outcome> {
  let { had } = portion;
  for (const placed of portion.events) {
    const outcome = await deliverTenant(ground, { ...portion, events: [placed], had });
    if (outcome.kind !== 'done') return outcome;
    had = placed.position;
  }
  return { kind: 'done' };
}

async function atOnce(ground: Ground, portion: Portion): Promise<void> {
  const { consumer, events, takenFirst = false, within } = portion;
  await contextOf(ground, portion)
    .require(deliverEvents)
    .write(async (tx) => {
      tx.later(take(portion));
      if (takenFirst) await tx.flush();
      await heldWhileWaiting(tx, async () => {
        for (const { event } of events) await hand(consumer, tx, event, ground.pace.handler);
      });
      await within?.(tx);
    });
  ground.metrics.count(consumer.name, 'handled', events.length);
}

/** The bus in the portion's tenant. */
export function contextOf(ground: Ground, { tenant, events }: Portion): TenantContext {
  const { event } = events[0] as Placed;
  return ownContext(ground, tenant, event.id, event.correlationId);
}

/** Moves the inbox beyond the portion; raises where it is not where it was seen. */
const take = ({ tenant, consumer, had, events }: Portion): Statement =>
  sql`select bus.take(${tenant}, ${consumer.name}, ${had}, ${(events.at(-1) as Placed).position})`;

/** The same for portions of several tenants, which are of one consumer; raises where any is not where it was seen. */
export const takeTogether = (portions: readonly Portion[]): Statement => sql`
  select bus.take_together(${portions[0]?.consumer.name}, ${portions.map(({ tenant }) => tenant)},
    ${portions.map(({ had }) => had)}, ${portions.map(({ events }) => events.at(-1)?.position)})`;

/**
 * The inbox is taken by the handler's first statement, or by the commit where it has none: one trip. A handler that waits for
 * something else meanwhile has it at once, so that others see the tenant in hand.
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
