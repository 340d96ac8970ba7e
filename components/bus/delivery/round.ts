import { backoff } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import type { Ground } from '../ground.ts';
import { eventOf } from '../outbox/event.ts';
import { advance, type LeftBehind, type Portion, type PortionRow, type Seen, withPortion } from './claim.ts';
import type { Lanes } from './lanes.ts';
import { alarm } from './passed-over.ts';
import { codeOf, placeOf } from './refusal.ts';
import type { Outcome, Portion as TenantPortion } from './tenant.ts';
import { deliverTogether, grouped } from './together.ts';

/** A cursor is written when events were handled, and after so many positions without any. */
const unwritten = 1_000n;

/** How far a round has come. */
export interface Reached extends Seen {
  /** In this portion. */
  readonly events: number;
  /** There may be more at once. */
  readonly more: boolean;
}

/**
 * One portion of the outbox, to all tenants that have a share in it; then the cursor moves. Tenants that fail or are slow
 * are left behind in the same transaction, so that nothing is passed over. Undefined where another process has the claim.
 */
export async function playRound(
  ground: Ground,
  lanes: Lanes,
  consumer: Consumer,
  seen: Seen,
  most: number,
  careful: boolean,
): Promise<Reached | undefined> {
  return withPortion(ground.tenancy.pool, consumer, seen, most, async (portion) => {
    const { startAt, generation, rows, through, more, passed } = portion;
    if (passed > 0) alarm(ground, consumer.name, passed);
    const ours = rows.filter(({ behind }) => !behind);
    const left = careful
      ? [...new Set(ours.map(({ tenant_id }) => tenant_id))].map((tenant) => ({ tenant, attempts: 0, wait: 0 }))
      : await toTenants(ground, lanes, consumer, portion, ours);
    // Not even what was done is sure: the same portion comes again, and the inboxes know.
    if (left === 'busy') return { generation, position: startAt, written: startAt, events: 0, more: false };
    const moves = rows.length > 0 || through - startAt > unwritten;
    if (moves) advance(portion, consumer.name, left);
    return { generation, position: through, written: moves ? through : startAt, events: rows.length, more };
  });
}

async function toTenants(
  ground: Ground,
  lanes: Lanes,
  consumer: Consumer,
  { startAt }: Portion,
  rows: readonly PortionRow[],
): Promise<LeftBehind[] | 'busy'> {
  const deadline = performance.now() + ground.pace.patience;
  const portions = [...Map.groupBy(rows, ({ tenant_id }) => tenant_id)].map(([tenant, own]): TenantPortion => {
    const events = own.map((row) => ({ position: row.pos, event: eventOf(row) }));
    return { tenant, consumer, events, before: startAt, had: own[0]?.had ?? 0n };
  });
  const outcomes = await Promise.all(
    grouped(ground, portions, ground.pace.lanes).map(async (group) => {
      const done = await lanes.run(deadline, async () => deliverTogether(ground, group));
      return group.map(({ tenant }, at) => ({ tenant, outcome: done?.[at] }));
    }),
  );
  if (outcomes.flat().some(({ outcome }) => outcome?.kind === 'busy')) return 'busy';
  return outcomes.flat().flatMap(({ tenant, outcome }) => leaving(ground, consumer, tenant, outcome));
}

function leaving(ground: Ground, { name }: Consumer, tenant: string, outcome: Outcome | undefined): LeftBehind[] {
  if (outcome === undefined) return [{ tenant, attempts: 0, wait: 0 }];
  if (outcome.kind !== 'failed') return [];
  const { placed, cause } = outcome;
  const code = codeOf(cause);
  ground.metrics.count(name, 'failed');
  ground.log.warn(
    { consumer: name, tenant, event: placed.event.id, code, at: placeOf(cause) },
    'bus: a handler failed',
  );
  return [{ tenant, attempts: 1, wait: backoff(ground.pace.backoff, 1), eventId: placed.event.id, code }];
}
