import type { Deps } from '../deps.ts';
import { deliverEvents } from '../permissions.ts';
import { callHandler, HandlerFailed } from './call-handler.ts';
import { isHandlersFault } from './refusal.ts';
import { contextOf, deliverTenant, missing, takeTogether, upTo, type Outcome, type TenantBatch } from './tenant.ts';

/** Tenants in a transaction at most, and events: what a commit costs is shared by a few as well as by many. */
const most = { tenants: 16, events: 200 };
/** Tenants that are remembered as isolated; beyond that all are tried together once more. */
const mostIsolated = 10_000;

const nameOf = ({ consumer, tenant }: TenantBatch): string => `${consumer.name} ${tenant}`;

/**
 * Divides the batches of a round among so many slots: small ones share a transaction, in the order of their tenants, so
 * that no two lock crosswise. Who was slow or failed lately goes alone.
 */
export function grouped({ isolated }: Deps, batches: readonly TenantBatch[], slots: number): TenantBatch[][] {
  const groups: TenantBatch[][] = [];
  const sharing = batches
    .filter((batch) => !isolated.has(nameOf(batch)))
    .toSorted((one, other) => (one.tenant < other.tenant ? -1 : 1));
  const size = Math.min(most.tenants, Math.ceil(sharing.length / slots));
  let open: TenantBatch[] = [];
  let events = 0;
  for (const batch of sharing) {
    if (open.length >= size || events + batch.events.length > most.events) {
      open = [];
      events = 0;
    }
    if (open.length === 0) groups.push(open);
    open.push(batch);
    events += batch.events.length;
  }
  return [...groups, ...batches.filter((batch) => isolated.has(nameOf(batch))).map((one) => [one])];
}

/**
 * Hands the events of several tenants over in one transaction, each tenant's within its own walls; an outcome each, in order.
 * Where anything fails all of it is undone, and every tenant goes by itself: the one at which it failed last of all.
 */
export async function deliverTogether(deps: Deps, group: readonly TenantBatch[]): Promise<Outcome[]> {
  const batches = group.map((batch) => ({ ...batch, events: missing(batch) }));
  const due = batches.filter(({ events }) => events.length > 0);
  const [first] = due;
  const outcomes = new Map<TenantBatch, Outcome>();
  if (due.length === 1 && first !== undefined) outcomes.set(first, await alone(deps, first));
  else if (due.length > 1) {
    try {
      await atOnce(deps, due);
    } catch (error) {
      const failed = error instanceof HandlerFailed ? error : undefined;
      const fails = ({ events }: TenantBatch): boolean => events.some(({ event }) => event.id === failed?.event.id);
      for (const batch of due.toSorted((one, other) => Number(fails(one)) - Number(fails(other))))
        outcomes.set(
          batch,
          failed !== undefined && fails(batch) ? await after(deps, batch, failed) : await alone(deps, batch),
        );
    }
  }
  return batches.map((batch) => outcomes.get(batch) ?? { kind: 'done' });
}

async function atOnce(deps: Deps, batches: readonly TenantBatch[]): Promise<void> {
  await deps.tenancy.multiTenantTransaction(deliverEvents, async (shared) => {
    shared.later(takeTogether(batches));
    for (const batch of batches) {
      const tx = shared.asTenant(contextOf(deps, batch));
      for (const { event } of batch.events) await callHandler(batch.consumer, tx, event, deps.timings.shared);
    }
  });
  for (const { consumer, events } of batches) deps.metrics.count(consumer.name, 'handled', events.length);
}

/**
 * What the handler itself threw counts. A statement may have failed by another tenant's, which travelled with it, and time may
 * have been short in company: that shows when it goes alone.
 */
async function after(deps: Deps, batch: TenantBatch, failed: HandlerFailed): Promise<Outcome> {
  if (deps.isolated.size >= mostIsolated) deps.isolated.clear();
  deps.isolated.add(nameOf(batch));
  return isHandlersFault(failed.cause) ? upTo(deps, batch, failed) : alone(deps, batch);
}

async function alone(deps: Deps, batch: TenantBatch): Promise<Outcome> {
  const began = performance.now();
  const outcome = await deliverTenant(deps, batch);
  if (outcome.kind === 'done' && performance.now() - began < deps.timings.shared) deps.isolated.delete(nameOf(batch));
  return outcome;
}
