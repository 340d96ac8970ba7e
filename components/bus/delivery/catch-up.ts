import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type TenantTransaction } from '@steward/sql';
import { backoff } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import { ownContext, type Deps } from '../deps.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import { deliverEvents } from '../permissions.ts';
import { codeOf, placeOf } from './refusal.ts';
import { withClaim } from './claim.ts';
import { deliverTenant, separately, type Outcome, type Placed, type TenantBatch } from './tenant.ts';

/** Batches of one tenant before others have their turn. */
const batchesInTurn = 10;
const batchSize = 500;

interface Due extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly consumer: string;
  readonly start_at: bigint;
  readonly attempts: number;
}

/**
 * Handles one tenant that is behind and due; answers whether there was one. If an earlier try failed, nobody takes another tenant
 * until this one is done or has run for some time: it may end the process, and a tenant claimed at that moment is suspected too.
 */
export async function catchUp(deps: Deps, consumers: readonly Consumer[]): Promise<boolean> {
  const { promise: mine, resolve: pass } = Promise.withResolvers<void>();
  const before = deps.turns.last;
  deps.turns.last = mine;
  await before;
  try {
    const [due] = await deps.tenancy.pool.query<Due>(sql`
      select tenant_id, consumer, start_at, attempts
      from bus.claim_behind(${consumers.map(({ name }) => name)}, make_interval(secs => ${deps.timings.lease / 1000}), 1)`);
    const consumer = consumers.find(({ name }) => name === due?.consumer);
    if (due === undefined || consumer === undefined) return false;
    const patience = setTimeout(pass, due.attempts > 1 ? deps.timings.patience : 0);
    await catchUpOne(deps, consumer, due).finally(() => clearTimeout(patience));
    return true;
  } finally {
    pass();
  }
}

async function catchUpOne(deps: Deps, consumer: Consumer, due: Due): Promise<void> {
  const { tenant_id: tenant, start_at: startAt } = due;
  let { attempts } = due;
  for (let round = 0; round < batchesInTurn; round += 1) {
    const [horizon] = await deps.tenancy.pool.query<{ at: bigint }>(sql`select bus.horizon() as at`);
    const next = await nextOf(deps, consumer, tenant, startAt, horizon?.at ?? 0n);
    const first = next.events[0];
    if (first !== undefined && attempts > deps.timings.attempts) {
      // The processes that tried it so often died before they could say why, unless one still runs.
      if (await isClaimed(deps, consumer, tenant)) return giveBack(deps, consumer, tenant);
      await settle(deps, consumer, tenant, first, attempts - 1, 'not_survived');
      return;
    }
    // The first event may fail or hang, so further events are only handled after a success.
    const last = first === undefined || (round > 0 && next.events.length < batchSize);
    const outcome = last
      ? await rejoin(deps, consumer, tenant, startAt)
      : // From the second try on one by one: a process that ends in one of them has not had those before it in vain.
        await (attempts > 1 ? separately : deliverTenant)(deps, batchOf(deps, consumer, tenant, next));
    if (outcome.kind === 'joined') return;
    if (outcome.kind === 'busy') return giveBack(deps, consumer, tenant);
    if (outcome.kind === 'failed') {
      const { placed, cause } = outcome;
      const code = codeOf(cause);
      const event = placed.event.id;
      deps.metrics.count(consumer.name, 'failed');
      deps.log.warn({ consumer: consumer.name, tenant, event, code, at: placeOf(cause) }, 'bus: a handler failed');
      // Another event than the one that the lease was counted for fails for the first time.
      await settle(deps, consumer, tenant, placed, event === first?.event.id ? attempts : 1, code);
      return;
    }
    attempts = 0;
  }
  await soon(deps, consumer, tenant);
}

/**
 * The rest of a tenant that has nearly caught up, while the consumer's rounds wait: however much is published, it goes
 * with all others again afterwards. They do not wait longer than for a slow tenant.
 */
async function rejoin(
  deps: Deps,
  consumer: Consumer,
  tenant: string,
  startAt: bigint,
): Promise<Outcome | { readonly kind: 'joined' }> {
  const answer = await withClaim(deps.tenancy.pool, consumer.name, async (claim) => {
    const rest = await nextOf(deps, consumer, tenant, startAt, claim.startAt);
    const running = deliverTenant(deps, batchOf(deps, consumer, tenant, rest));
    const late = new AbortController();
    const outcome = await Promise.race([
      running,
      sleep(deps.timings.patience, undefined, { signal: late.signal }),
    ]).finally(() => late.abort());
    if (outcome?.kind !== 'done') return { running };
    const [row] = await claim.tx.query<{ joined: boolean }>(
      sql`select bus.rejoin(${tenant}, ${consumer.name}, ${consumer.types}::text[]) as joined`,
    );
    return row?.joined === true ? ('joined' as const) : { running };
  });
  // Otherwise a round is under way: soon it is not.
  return answer === 'joined' ? { kind: 'joined' } : ((await answer?.running) ?? { kind: 'busy' });
}

const batchOf = (
  { timings: { lease } }: Deps,
  consumer: Consumer,
  tenant: string,
  next: Pick<TenantBatch, 'before' | 'had' | 'events'>,
): TenantBatch => ({
  ...next,
  tenant,
  consumer,
  takenFirst: true,
  within: async (tx) => clear(tx, consumer, lease),
});

/** The tenant's next events for this consumer, and the position up to which it has all. */
async function nextOf(
  deps: Deps,
  { name, types }: Consumer,
  tenant: string,
  startAt: bigint,
  horizon: bigint,
): Promise<{ before: bigint; had: bigint; events: Placed[] }> {
  const scope = ownContext(deps, tenant, tenant).require(deliverEvents);
  const [inbox] = await scope.read<{ position: bigint }>(
    sql`select position from bus.inbox where tenant_id = ${tenant} and consumer = ${name}`,
  );
  const had = inbox?.position ?? 0n;
  const before = had > startAt ? had : startAt;
  const rows = await scope.read<OutboxRow>(sql`
    select tenant_id, event_id, position as pos, type, source, subject, data, correlation_id, causation_id,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at
    from bus.outbox where bus.leads() and tenant_id = ${tenant} and position > ${before} and position <= ${horizon}
      and type = any(${types}::text[]) order by position limit ${batchSize}`);
  return { before, had, events: rows.map((row) => ({ position: row.pos, event: eventOf(row) })) };
}

/** Whether a transaction has the tenant's inbox. */
async function isClaimed(deps: Deps, { name }: Consumer, tenant: string): Promise<boolean> {
  const [row] = await ownContext(deps, tenant, tenant).require(deliverEvents).read<{ locked: boolean }>(sql`
    with free as (select from bus.inbox where tenant_id = ${tenant} and consumer = ${name} for update skip locked)
    select exists (select from bus.inbox where tenant_id = ${tenant} and consumer = ${name})
      and not exists (select from free) as locked`);
  return row?.locked === true;
}

/** What failed is tried again later, or was tried often enough. */
async function settle(
  deps: Deps,
  consumer: Consumer,
  tenant: string,
  { position, event }: Placed,
  attempts: number,
  code: string,
): Promise<void> {
  const { name, onFailure } = consumer;
  const over = attempts >= deps.timings.attempts;
  const dead = over && onFailure === 'dead-letter';
  await ownContext(deps, tenant, event.id)
    .require(deliverEvents)
    .write(async (tx) => {
      if (dead) {
        await tx.query(sql`
          insert into bus.dead_letter (tenant_id, consumer, event_id, position, attempts, error_code)
          values (${tenant}, ${name}, ${event.id}, ${position}, ${attempts}, ${code}) on conflict do nothing`);
        await tx.query(sql`
          insert into bus.inbox as i (tenant_id, consumer, position) values (${tenant}, ${name}, ${position})
          on conflict (tenant_id, consumer) do update set position = greatest(i.position, excluded.position)`);
        await clear(tx, consumer, 0);
      } else {
        await tx.query(sql`
          update bus.behind set attempts = ${attempts}, event_id = ${event.id}, error_code = ${code},
            next_at = clock_timestamp() + make_interval(secs => ${backoff(deps.timings.backoff, attempts) / 1000}),
            parked_at = case when ${over} then clock_timestamp() end
          where tenant_id = ${tenant} and consumer = ${name}`);
      }
    });
  if (!over) return;
  if (dead) deps.metrics.count(name, 'dead');
  deps.log.error(
    { consumer: name, tenant, event: event.id, attempts, code },
    dead ? 'bus: an event is given up' : 'bus: a tenant is parked',
  );
}

/** The next event of the tenant has not failed yet. @param wait milliseconds, in which nobody else takes the tenant up */
const clear = async (tx: TenantTransaction, { name }: Consumer, wait: number): Promise<unknown> =>
  tx.query(sql`
    update bus.behind set attempts = 0, event_id = null, error_code = null,
      next_at = clock_timestamp() + make_interval(secs => ${wait / 1000})
    where tenant_id = ${tx.context.tenant} and consumer = ${name}`);

/** Nothing was tried. */
const giveBack = async (deps: Deps, { name }: Consumer, tenant: string): Promise<void> => {
  await ownContext(deps, tenant, tenant).require(deliverEvents).read(sql`
    update bus.behind set attempts = greatest(attempts - 1, 0), next_at = clock_timestamp() + interval '100 milliseconds'
    where tenant_id = ${tenant} and consumer = ${name}`);
};

const soon = async (deps: Deps, { name }: Consumer, tenant: string): Promise<void> => {
  await ownContext(deps, tenant, tenant).require(deliverEvents).read(sql`
    update bus.behind set attempts = 0, next_at = clock_timestamp() where tenant_id = ${tenant} and consumer = ${name}`);
};
