import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type TenantTransaction } from '@steward/sql';
import { backoff } from '@steward/work';
import type { Consumer } from '../consumer.ts';
import { ownContext, type Ground } from '../ground.ts';
import { eventOf, type OutboxRow } from '../outbox/event.ts';
import { deliverEvents } from '../permissions.ts';
import { codeOf, placeOf } from './refusal.ts';
import { withClaim } from './claim.ts';
import { deliverTenant, separately, type Outcome, type Placed, type Portion } from './tenant.ts';

/** Portions of one tenant before others have their turn. */
const portions = 10;
const portion = 500;

interface Due extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly consumer: string;
  readonly start_at: bigint;
  readonly attempts: number;
}

/**
 * One tenant that is behind and due; answers whether there was one. Where it was tried before in vain, nobody takes up another
 * one until it is done or has had some time: it may be what ends the process, and who is in hand then is suspected with it.
 */
export async function catchUp(ground: Ground, consumers: readonly Consumer[]): Promise<boolean> {
  const { promise: mine, resolve: pass } = Promise.withResolvers<void>();
  const before = ground.turns.last;
  ground.turns.last = mine;
  await before;
  try {
    const [due] = await ground.tenancy.pool.query<Due>(sql`
      select tenant_id, consumer, start_at, attempts
      from bus.claim_behind(${consumers.map(({ name }) => name)}, make_interval(secs => ${ground.pace.lease / 1000}), 1)`);
    const consumer = consumers.find(({ name }) => name === due?.consumer);
    if (due === undefined || consumer === undefined) return false;
    const patience = setTimeout(pass, due.attempts > 1 ? ground.pace.patience : 0);
    await catchUpOne(ground, consumer, due).finally(() => clearTimeout(patience));
    return true;
  } finally {
    pass();
  }
}

async function catchUpOne(ground: Ground, consumer: Consumer, due: Due): Promise<void> {
  const { tenant_id: tenant, start_at: startAt } = due;
  let { attempts } = due;
  for (let round = 0; round < portions; round += 1) {
    const [horizon] = await ground.tenancy.pool.query<{ at: bigint }>(sql`select bus.horizon() as at`);
    const next = await nextOf(ground, consumer, tenant, startAt, horizon?.at ?? 0n);
    const first = next.events[0];
    if (first !== undefined && attempts > ground.pace.attempts) {
      // Whoever tried it so often did not live to say why, unless one is still at it.
      if (await inHand(ground, consumer, tenant)) return giveBack(ground, consumer, tenant);
      await settle(ground, consumer, tenant, first, attempts - 1, 'not_survived');
      return;
    }
    // What comes first may fail or hang: only what follows a success is had while others wait.
    const last = first === undefined || (round > 0 && next.events.length < portion);
    const outcome = last
      ? await rejoin(ground, consumer, tenant, startAt)
      : // From the second try on one by one: a process that ends in one of them has not had those before it in vain.
        await (attempts > 1 ? separately : deliverTenant)(ground, portionOf(ground, consumer, tenant, next));
    if (outcome.kind === 'joined') return;
    if (outcome.kind === 'busy') return giveBack(ground, consumer, tenant);
    if (outcome.kind === 'failed') {
      const { placed, cause } = outcome;
      const code = codeOf(cause);
      const event = placed.event.id;
      ground.metrics.count(consumer.name, 'failed');
      ground.log.warn({ consumer: consumer.name, tenant, event, code, at: placeOf(cause) }, 'bus: a handler failed');
      // Another event than the one that the lease was counted for fails for the first time.
      await settle(ground, consumer, tenant, placed, event === first?.event.id ? attempts : 1, code);
      return;
    }
    attempts = 0;
  }
  await soon(ground, consumer, tenant);
}

/**
 * The rest of a tenant that has nearly caught up, while the consumer's rounds wait: however much is published, it goes
 * with all others again afterwards. They do not wait longer than for a slow tenant.
 */
async function rejoin(
  ground: Ground,
  consumer: Consumer,
  tenant: string,
  startAt: bigint,
): Promise<Outcome | { readonly kind: 'joined' }> {
  const answer = await withClaim(ground.tenancy.pool, consumer.name, async (claim) => {
    const rest = await nextOf(ground, consumer, tenant, startAt, claim.startAt);
    const running = deliverTenant(ground, portionOf(ground, consumer, tenant, rest));
    const late = new AbortController();
    const outcome = await Promise.race([
      running,
      sleep(ground.pace.patience, undefined, { signal: late.signal }),
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

const portionOf = (
  { pace: { lease } }: Ground,
  consumer: Consumer,
  tenant: string,
  next: Pick<Portion, 'before' | 'had' | 'events'>,
): Portion => ({
  ...next,
  tenant,
  consumer,
  takenFirst: true,
  within: async (tx) => clear(tx, consumer, lease),
});

/** The tenant's next events for this consumer, and up to where it has had all. */
async function nextOf(
  ground: Ground,
  { name, types }: Consumer,
  tenant: string,
  startAt: bigint,
  horizon: bigint,
): Promise<{ before: bigint; had: bigint; events: Placed[] }> {
  const scope = ownContext(ground, tenant, tenant).require(deliverEvents);
  const [inbox] = await scope.read<{ position: bigint }>(
    sql`select position from bus.inbox where tenant_id = ${tenant} and consumer = ${name}`,
  );
  const had = inbox?.position ?? 0n;
  const before = had > startAt ? had : startAt;
  const rows = await scope.read<OutboxRow>(sql`
    select tenant_id, event_id, position as pos, type, source, subject, data, correlation_id, causation_id,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at
    from bus.outbox where bus.leads() and tenant_id = ${tenant} and position > ${before} and position <= ${horizon}
      and type = any(${types}::text[]) order by position limit ${portion}`);
  return { before, had, events: rows.map((row) => ({ position: row.pos, event: eventOf(row) })) };
}

/** Whether a transaction has the tenant's inbox. */
async function inHand(ground: Ground, { name }: Consumer, tenant: string): Promise<boolean> {
  const [row] = await ownContext(ground, tenant, tenant).require(deliverEvents).read<{ locked: boolean }>(sql`
    with free as (select from bus.inbox where tenant_id = ${tenant} and consumer = ${name} for update skip locked)
    select exists (select from bus.inbox where tenant_id = ${tenant} and consumer = ${name})
      and not exists (select from free) as locked`);
  return row?.locked === true;
}

/** What failed is tried again later, or was tried often enough. */
async function settle(
  ground: Ground,
  consumer: Consumer,
  tenant: string,
  { position, event }: Placed,
  attempts: number,
  code: string,
): Promise<void> {
  const { name, onFailure } = consumer;
  const over = attempts >= ground.pace.attempts;
  const dead = over && onFailure === 'dead-letter';
  await ownContext(ground, tenant, event.id)
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
            next_at = clock_timestamp() + make_interval(secs => ${backoff(ground.pace.backoff, attempts) / 1000}),
            parked_at = case when ${over} then clock_timestamp() end
          where tenant_id = ${tenant} and consumer = ${name}`);
      }
    });
  if (!over) return;
  if (dead) ground.metrics.count(name, 'dead');
  ground.log.error(
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
const giveBack = async (ground: Ground, { name }: Consumer, tenant: string): Promise<void> => {
  await ownContext(ground, tenant, tenant).require(deliverEvents).read(sql`
    update bus.behind set attempts = greatest(attempts - 1, 0), next_at = clock_timestamp() + interval '100 milliseconds'
    where tenant_id = ${tenant} and consumer = ${name}`);
};

const soon = async (ground: Ground, { name }: Consumer, tenant: string): Promise<void> => {
  await ownContext(ground, tenant, tenant).require(deliverEvents).read(sql`
    update bus.behind set attempts = 0, next_at = clock_timestamp() where tenant_id = ${tenant} and consumer = ${name}`);
};
