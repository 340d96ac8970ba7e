import { backoff } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import type { Deps } from '../deps.ts';
import { eventOf } from '../outbox/event.ts';
import { advance, type Lagging, type Batch, type BatchRow, type Seen, withBatch } from './claim.ts';
import type { Slots } from './slots.ts';
import { alarm } from './passed-over.ts';
import { codeOf, placeOf } from './refusal.ts';
import type { Outcome, TenantBatch } from './tenant.ts';
import { deliverTogether, grouped } from './together.ts';

/** A cursor is written when events were handled, and after so many positions without any. */
const unwritten = 1_000n;

/** How far a round has come. */
export interface Reached extends Seen {
  /** In this batch. */
  readonly events: number;
  /** There may be more at once. */
  readonly more: boolean;
}

/**
 * One batch of the outbox, to all tenants that have a share in it; then the cursor moves. Tenants that fail or are slow
 * are left to lag in the same transaction, so that nothing is passed over. Undefined where another process has the claim.
 */
export async function runRound(
  deps: Deps,
  slots: Slots,
  consumer: Consumer,
  seen: Seen,
  most: number,
  careful: boolean,
): Promise<Reached | undefined> {
  return withBatch(deps.tenancy.pool, consumer, seen, most, async (batch) => {
    const { startAt, generation, rows, through, more, passed } = batch;
    if (passed > 0) alarm(deps, consumer.name, passed);
    const ours = rows.filter(({ behind }) => !behind);
    const left = careful
      ? [...new Set(ours.map(({ tenant_id }) => tenant_id))].map((tenant) => ({ tenant, attempts: 0, wait: 0 }))
      : await toTenants(deps, slots, consumer, batch, ours);
    // Not even what was done is sure: the same batch comes again, and the inboxes know.
    if (left === 'busy') return { generation, position: startAt, written: startAt, events: 0, more: false };
    const moves = rows.length > 0 || through - startAt > unwritten;
    if (moves) advance(batch, consumer.name, left);
    return { generation, position: through, written: moves ? through : startAt, events: rows.length, more };
  });
}

async function toTenants(
  deps: Deps,
  slots: Slots,
  consumer: Consumer,
  { startAt }: Batch,
  rows: readonly BatchRow[],
): Promise<Lagging[] | 'busy'> {
  const deadline = performance.now() + deps.timings.patience;
  const batches = [...Map.groupBy(rows, ({ tenant_id }) => tenant_id)].map(([tenant, own]): TenantBatch => {
    const events = own.map((row) => ({ position: row.pos, event: eventOf(row) }));
    return { tenant, consumer, events, before: startAt, had: own[0]?.had ?? 0n };
  });
  const outcomes = await Promise.all(
    grouped(deps, batches, deps.timings.slots).map(async (group) => {
      const done = await slots.run(deadline, async () => deliverTogether(deps, group));
      return group.map(({ tenant }, at) => ({ tenant, outcome: done?.[at] }));
    }),
  );
  if (outcomes.flat().some(({ outcome }) => outcome?.kind === 'busy')) return 'busy';
  return outcomes.flat().flatMap(({ tenant, outcome }) => laggingAfter(deps, consumer, tenant, outcome));
}

function laggingAfter(deps: Deps, { name }: Consumer, tenant: string, outcome: Outcome | undefined): Lagging[] {
  if (outcome === undefined) return [{ tenant, attempts: 0, wait: 0 }];
  if (outcome.kind !== 'failed') return [];
  const { placed, cause } = outcome;
  const code = codeOf(cause);
  deps.metrics.count(name, 'failed');
  deps.log.warn({ consumer: name, tenant, event: placed.event.id, code, at: placeOf(cause) }, 'bus: a handler failed');
  return [{ tenant, attempts: 1, wait: backoff(deps.timings.backoff, 1), eventId: placed.event.id, code }];
}
