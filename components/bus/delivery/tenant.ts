import { fly, sql, type TenantTransaction } from '@steward/sql';
import type { BusEvent, Consumer } from '../consumer.ts';
import { ownContext, type Ground } from '../ground.ts';
import { deliverEvents } from '../permissions.ts';
import { hand, HandlerFailed } from './hand.ts';
import { isLater } from './refusal.ts';

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
  /** Also done in each transaction that hands events over. */
  readonly within?: (tx: TenantTransaction) => Promise<unknown>;
}

class Busy extends Error {}

/**
 * Hands a tenant's events over in order; effects and the tenant's place are committed together. Where one fails, those
 * before it are had, and it is named.
 */
export async function deliverTenant(ground: Ground, portion: Portion): Promise<Outcome> {
  const { events } = portion;
  try {
    await together(ground, portion);
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof Busy || isLater(error)) return { kind: 'busy' };
    const failing = error instanceof HandlerFailed ? error.event.id : undefined;
    const at = failing === undefined ? 0 : events.findIndex(({ event }) => event.id === failing);
    if (failing === undefined && events.length > 1) return separately(ground, portion);
    if (at > 0) {
      const outcome = await deliverTenant(ground, { ...portion, events: events.slice(0, at) });
      if (outcome.kind !== 'done') return outcome;
    }
    const cause = error instanceof HandlerFailed ? error.cause : error;
    return { kind: 'failed', placed: events[at] as Placed, cause };
  }
}

/** The commit failed, which is the fault of one of them: that shows when each has a transaction of its own. */
export async function separately(ground: Ground, portion: Portion): Promise<Outcome> {
  for (const placed of portion.events) {
    const outcome = await deliverTenant(ground, { ...portion, events: [placed] });
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'done' };
}

async function together(ground: Ground, { tenant, consumer, events, before, within }: Portion): Promise<void> {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return;
  const context = ownContext(ground, tenant, first.event.id, first.event.correlationId);
  let handled = 0;
  await context.require(deliverEvents).write(async (tx) => {
    handled = 0;
    const had = await take(tx, consumer.name, last.position);
    for (const { position, event } of events) {
      if (position <= had || position <= before) continue;
      await hand(consumer, tx, event, ground.pace.handler);
      handled += 1;
    }
    await within?.(tx);
  });
  ground.metrics.count(consumer.name, 'handled', handled);
}

/**
 * Locks the tenant's inbox and moves it to `through`; answers where it was.
 * @throws Busy where another transaction holds it
 */
async function take(tx: TenantTransaction, consumer: string, through: bigint): Promise<bigint> {
  const { tenant } = tx.context;
  const [moved] = await tx.query<{ had: bigint }>(sql`
    with held as (select position from bus.inbox where tenant_id = ${tenant} and consumer = ${consumer}
      for update skip locked)
    update bus.inbox i set position = greatest(held.position, ${through}::bigint) from held
    where i.tenant_id = ${tenant} and i.consumer = ${consumer} returning held.position as had`);
  if (moved !== undefined) return moved.had;
  // Its first event ever: whoever makes the row at the same time is not waited for.
  const [, made] = await fly(tx.client, [
    sql`select set_config('lock_timeout', '100', true)`,
    sql`insert into bus.inbox (tenant_id, consumer, position) values (${tenant}, ${consumer}, ${through})
      on conflict do nothing returning 0`,
    sql`select set_config('lock_timeout', (select reset_val from pg_settings where name = 'lock_timeout'), true)`,
  ]);
  if (made?.length !== 1) throw new Busy();
  return 0n;
}
