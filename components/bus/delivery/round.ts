import { sql } from '@steward/sql';
import type { Consumer } from '../consumer.ts';
import { backoff, type Ground } from '../ground.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import { advance, type Claim, type LeftBehind, withClaim } from './claim.ts';
import type { Lanes } from './lanes.ts';
import { codeOf, placeOf } from './refusal.ts';
import { deliverTenant, type Outcome, type Placed } from './tenant.ts';

/** Positions in which a round looks for the types of its consumer. */
const window = 5_000n;
/** A cursor is written when events were handled, and after so many positions without any. */
const unwritten = 1_000n;

/** How far a consumer has come, as this process knows it. */
export interface Reached {
  readonly position: bigint;
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
  seen: bigint,
  careful: boolean,
): Promise<Reached | undefined> {
  return withClaim(ground.tenancy.pool, consumer.name, async (claim) => {
    const portion = await readPortion(claim, consumer, seen, ground.pace.batch);
    const { rows, through, more } = portion;
    const ours = rows.filter(({ behind }) => !behind);
    const left = careful
      ? [...new Set(ours.map(({ tenant_id }) => tenant_id))].map((tenant) => ({ tenant, attempts: 0, wait: 0 }))
      : await toTenants(ground, lanes, consumer, claim, ours);
    // Not even what was done is sure: the same portion comes again, and the inboxes know.
    if (left === 'busy') return { position: claim.startAt, events: 0, more: false };
    if (rows.length > 0 || through - claim.startAt > unwritten) await advance(claim, consumer.name, through, left);
    return { position: through, events: rows.length, more };
  });
}

interface Portion {
  readonly rows: readonly (OutboxRow & { readonly behind: boolean })[];
  /** All of the consumer's events above the cursor and up to here are in `rows`. */
  readonly through: bigint;
  readonly more: boolean;
}

/** @param types null for all */
export async function readPortion(
  { tx, startAt, horizon, firstAt }: Claim,
  { name, types }: { readonly name: string; readonly types: readonly string[] | null },
  seen: bigint,
  most: number,
): Promise<Portion> {
  if (firstAt === null || firstAt > horizon) return { rows: [], through: max(horizon, startAt), more: false };
  const after = max(seen, firstAt - 1n);
  const end = min(horizon, after + window);
  if (end <= after) return { rows: [], through: max(end, startAt), more: false };
  const rows = await tx.query<OutboxRow & { behind: boolean }>(sql`
    select tenant_id, event_id, pos, type, source, subject, data, correlation_id, causation_id, occurred_at, behind
    from bus.fetch(${name}, ${types}::text[], ${after}, ${end}, ${most})`);
  const full = rows.length === most;
  const through = full ? (rows.at(-1)?.pos ?? end) : end;
  return { rows, through, more: full || through < horizon };
}

async function toTenants(
  ground: Ground,
  lanes: Lanes,
  consumer: Consumer,
  { startAt }: Claim,
  rows: readonly OutboxRow[],
): Promise<LeftBehind[] | 'busy'> {
  const portions = Map.groupBy(rows, ({ tenant_id }) => tenant_id);
  const deadline = performance.now() + ground.pace.patience;
  const outcomes = await Promise.all(
    [...portions].map(async ([tenant, own]) => {
      const events: Placed[] = own.map((row) => ({ position: row.pos, event: eventOf(row) }));
      const outcome = await lanes.run(deadline, async () =>
        deliverTenant(ground, { tenant, consumer, events, before: startAt }),
      );
      return { tenant, outcome };
    }),
  );
  if (outcomes.some(({ outcome }) => outcome?.kind === 'busy')) return 'busy';
  return outcomes.flatMap(({ tenant, outcome }) => leaving(ground, consumer, tenant, outcome));
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
  return [{ tenant, attempts: 1, wait: backoff(ground.pace, 1), eventId: placed.event.id, code }];
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
