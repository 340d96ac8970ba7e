import type { Ground } from '../ground.ts';
import { deliverEvents } from '../permissions.ts';
import { hand, HandlerFailed } from './hand.ts';
import { isOwnFault } from './refusal.ts';
import { contextOf, deliverTenant, missing, takeTogether, upTo, type Outcome, type Portion } from './tenant.ts';

/** Tenants in a transaction at most, and events: what a commit costs is shared by a few as well as by many. */
const most = { tenants: 16, events: 200 };
/** Tenants that are remembered as apart; beyond that all are tried together once more. */
const mostApart = 10_000;

const nameOf = ({ consumer, tenant }: Portion): string => `${consumer.name} ${tenant}`;

/**
 * Divides the portions of a round among so many lanes: small ones share a transaction, in the order of their tenants, so
 * that no two lock crosswise. Who was slow or failed lately goes alone.
 */
export function grouped({ apart }: Ground, portions: readonly Portion[], lanes: number): Portion[][] {
  const groups: Portion[][] = [];
  const sharing = portions
    .filter((portion) => !apart.has(nameOf(portion)))
    .toSorted((one, other) => (one.tenant < other.tenant ? -1 : 1));
  const size = Math.min(most.tenants, Math.ceil(sharing.length / lanes));
  let open: Portion[] = [];
  let events = 0;
  for (const portion of sharing) {
    if (open.length >= size || events + portion.events.length > most.events) {
      open = [];
      events = 0;
    }
    if (open.length === 0) groups.push(open);
    open.push(portion);
    events += portion.events.length;
  }
  return [...groups, ...portions.filter((portion) => apart.has(nameOf(portion))).map((one) => [one])];
}

/**
 * Hands the events of several tenants over in one transaction, each tenant's within its own walls; an outcome each, in order.
 * Where anything fails all of it is undone, and every tenant goes by itself: the one at which it failed last of all.
 */
export async function deliverTogether(ground: Ground, group: readonly Portion[]): Promise<Outcome[]> {
  const portions = group.map((portion) => ({ ...portion, events: missing(portion) }));
  const due = portions.filter(({ events }) => events.length > 0);
  const [first] = due;
  const outcomes = new Map<Portion, Outcome>();
  if (due.length === 1 && first !== undefined) outcomes.set(first, await alone(ground, first));
  else if (due.length > 1) {
    try {
      await atOnce(ground, due);
    } catch (error) {
      const failed = error instanceof HandlerFailed ? error : undefined;
      const fails = ({ events }: Portion): boolean => events.some(({ event }) => event.id === failed?.event.id);
      for (const portion of due.toSorted((one, other) => Number(fails(one)) - Number(fails(other))))
        outcomes.set(
          portion,
          failed !== undefined && fails(portion) ? await after(ground, portion, failed) : await alone(ground, portion),
        );
    }
  }
  return portions.map((portion) => outcomes.get(portion) ?? { kind: 'done' });
}

async function atOnce(ground: Ground, portions: readonly Portion[]): Promise<void> {
  await ground.tenancy.share(deliverEvents, async (shared) => {
    shared.later(takeTogether(portions));
    for (const portion of portions) {
      const tx = shared.visit(contextOf(ground, portion));
      for (const { event } of portion.events) await hand(portion.consumer, tx, event, ground.pace.shared);
    }
  });
  for (const { consumer, events } of portions) ground.metrics.count(consumer.name, 'handled', events.length);
}

/**
 * What the handler itself threw counts. A statement may have failed by another tenant's, which travelled with it, and time may
 * have been short in company: that shows when it goes alone.
 */
async function after(ground: Ground, portion: Portion, failed: HandlerFailed): Promise<Outcome> {
  if (ground.apart.size >= mostApart) ground.apart.clear();
  ground.apart.add(nameOf(portion));
  return isOwnFault(failed.cause) ? upTo(ground, portion, failed) : alone(ground, portion);
}

async function alone(ground: Ground, portion: Portion): Promise<Outcome> {
  const began = performance.now();
  const outcome = await deliverTenant(ground, portion);
  if (outcome.kind === 'done' && performance.now() - began < ground.pace.shared) ground.apart.delete(nameOf(portion));
  return outcome;
}
