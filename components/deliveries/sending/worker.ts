import { randomUUID } from 'node:crypto';
import type { GuardedPost, Log } from '@steward/kernel';
import { sql, type SqlPool, type Statement } from '@steward/sql';
import { createLoop } from '@steward/work';
import type { DeliveriesMetrics } from '../metrics.ts';
import { type InHand, Lane, type LanePorts, type Outcome } from './lane.ts';
import type { LoadTarget } from './load.ts';
import { createShares } from './shares.ts';
import type { Timings } from './timings.ts';

export interface WorkerPorts {
  readonly pool: Pick<SqlPool, 'queryAll' | 'query'>;
  readonly post: GuardedPost['post'];
  readonly deadline: number;
  readonly timings: Timings;
  readonly load: LoadTarget;
  /** It said that it will never take anything, or failed for too long. */
  readonly giveUp: (tenant: string, endpointId: string, reason: 'gone' | 'failing') => Promise<void>;
  readonly metrics: DeliveriesMetrics;
  readonly log: Log;
}

export interface DeliveryWorker {
  start(): void;
  stop(): Promise<void>;
  /** Something of the tenant was queued. */
  queued(tenant: string): void;
  /** An endpoint is another one than before. */
  changed(tenant: string, endpointId: string): void;
}

interface Stored extends Outcome {
  /** Order in which they came. */
  readonly n: number;
  /** Of `performance.now()`. */
  readonly began: number;
  readonly lane: Lane;
  readonly one: InHand;
}

interface Fetched extends Record<string, unknown> {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly pos: bigint;
  readonly event_id: string;
  readonly place: bigint;
  readonly ordering_key: string | null;
  readonly attempts: number;
  readonly body: string;
  readonly kind: 'new' | 'again' | 'key';
  readonly age: number;
  readonly occurred_at: Date | null;
}

/** Of one endpoint in memory, and fetched at a time of those that are tried again, and of keys. */
const most = { here: 500, again: 50, keys: 20, behind: 100, heldBack: 1_000 };
/** How long a stop waits for requests that are under way. Milliseconds. */
const grace = 3_000;

const nameOf = (tenant: string, endpointId: string): string => `${tenant} ${endpointId}`;

/**
 * Sends what is queued to the endpoints that this process has. One endpoint has one process at a time, by a lease, which therefore keeps
 * its order and its limits in memory; what became of requests, and what is next, travel together in one round trip for all endpoints.
 */
export function createWorker(ports: WorkerPorts): DeliveryWorker {
  const { pool, timings, log, metrics } = ports;
  const owner = randomUUID();
  const lanes = new Map<string, Lane>();
  let outcomes: Stored[] = [];
  let counted = 0;
  let claimAt = 0;
  let renewAt = 0;
  let putting: Promise<void> | undefined;
  const flying = (): boolean => [...lanes.values()].some((lane) => lane.inFlight > 0);
  const landed = Promise.withResolvers<void>();
  let stopping = false;
  const lanePorts: LanePorts = {
    post: ports.post,
    deadline: ports.deadline,
    timings,
    shares: createShares(timings.most),
    ended: (lane, one, outcome, answered, began) => {
      counted += 1;
      outcomes.push({ ...outcome, n: counted, began, lane, one });
      metrics.attempted(
        outcome.state === 'delivered' ? 'delivered' : outcome.state === 'failed' ? 'given_up' : 'failed',
        (performance.now() - began) / 1_000,
      );
      const reason = answered.gone ? 'gone' : lane.down && lane.failing > timings.giveUp ? 'failing' : undefined;
      if (reason !== undefined && !lane.stopped) {
        lane.stopped = true;
        ports.giveUp(lane.tenant, lane.endpointId, reason).catch((err: unknown) => {
          lane.stopped = false;
          log.warn({ err, endpoint: lane.endpointId }, 'a webhook that takes nothing could not be stopped');
        });
      }
      if (lane.recovered) {
        lane.recovered = false;
        recover(lane);
      }
      if (stopping && !flying()) landed.resolve();
      lane.dispatch(performance.now());
      loop.wake();
    },
  };
  const recover = ({ tenant, endpointId }: Lane): void => {
    pool
      .query(sql`select deliveries.recover(${owner}::uuid, ${tenant}::uuid, ${endpointId}::uuid)`)
      .catch((err: unknown) => log.warn({ err }, 'webhooks: what an endpoint refused comes later than it could'));
  };

  const round = async (): Promise<number> => {
    const now = performance.now();
    const claims = now >= claimAt;
    const renews = now >= renewAt;
    const noted = outcomes;
    outcomes = [];
    const wanting = [...lanes.values()].filter((lane) => wants(lane, now));
    const statements: Statement[] = [];
    if (noted.length > 0) statements.push(settle(owner, noted, now));
    if (renews)
      statements.push(sql`
      select tenant_id, endpoint_id, version from deliveries.renew(${owner}::uuid, make_interval(secs => ${timings.lease / 1_000}))`);
    if (claims)
      statements.push(sql`
      select tenant_id, endpoint_id, failures, failing from deliveries.claim(${owner}::uuid, make_interval(secs => ${timings.lease / 1_000}),
        ${Math.max(0, timings.endpoints.process - lanes.size)}::int, ${timings.endpoints.tenant}::int)`);
    if (wanting.length > 0) statements.push(fetch(owner, wanting, now));
    if (statements.length > 0) {
      let answers: Record<string, unknown>[][];
      try {
        answers = await pool.queryAll(statements);
      } catch (error) {
        outcomes = [...noted, ...outcomes];
        throw error;
      }
      if (noted.length > 0) answers.shift();
      for (const { lane, one } of noted) lane.order.settled(one);
      if (renews) renewed(answers.shift() ?? [], now);
      if (claims) claimed(answers.shift() ?? [], now);
      if (wanting.length > 0) fetched(wanting, (answers.shift() ?? []) as Fetched[]);
    }
    for (const lane of lanes.values())
      if (lane.target === undefined && !lane.stopped && !lane.occupied) void load(lane);
    const later = Math.min(claimAt, renewAt, ...[...lanes.values()].map((lane) => lane.dispatch(performance.now())));
    putToRest(performance.now());
    const busy = outcomes.length > 0 || [...lanes.values()].some((lane) => wants(lane, performance.now()));
    return busy ? 0 : Math.max(1, later - performance.now());
  };

  const renewed = (rows: readonly Record<string, unknown>[], now: number): void => {
    renewAt = now + timings.renew;
    const own = new Map(
      rows.map((row) => [nameOf(String(row['tenant_id']), String(row['endpoint_id'])), row['version']]),
    );
    for (const [name, lane] of lanes) {
      const version = own.get(name);
      // What it had is another's by now, or nobody's.
      if (version === undefined) drop(lane);
      else {
        lane.leaseUntil = now + timings.lease;
        if (version === null) lane.stopped = true;
        else if (lane.target !== undefined && (lane.target.version !== version || now - lane.aimedAt > timings.reload))
          lane.target = undefined;
      }
    }
  };
  const claimed = (rows: readonly Record<string, unknown>[], now: number): void => {
    claimAt = now + timings.poll;
    for (const row of rows) {
      const [tenant, endpointId] = [String(row['tenant_id']), String(row['endpoint_id'])];
      const found = lanes.get(nameOf(tenant, endpointId));
      const lane =
        found ??
        new Lane(lanePorts, {
          tenant,
          endpointId,
          failures: Number(row['failures']),
          failing: Number(row['failing'] ?? 0) * 1_000,
        });
      lane.claims += 1;
      lane.dirty = true;
      lane.again = true;
      lane.resting = false;
      lane.leaseUntil = now + timings.lease;
      // It was claimed as one that sends.
      if (found?.stopped === true) {
        lane.stopped = false;
        lane.target = undefined;
      }
      lanes.set(nameOf(tenant, endpointId), lane);
    }
  };
  const drop = (lane: Lane): void => {
    lane.stopped = true;
    const name = nameOf(lane.tenant, lane.endpointId);
    if (lanes.get(name) === lane) lanes.delete(name);
  };
  const load = async (lane: Lane): Promise<void> => {
    lane.occupied = true;
    const { cursor, changes } = lane;
    try {
      const loaded = await ports.load(lane.tenant, lane.endpointId);
      if (cursor === 0n && loaded !== undefined) for (const key of await heldBack(lane)) lane.order.hold(key);
      // What changed meanwhile may not be in what was read: it is read again.
      if (lane.changes !== changes) return;
      if (loaded === undefined) lane.stopped = true;
      else lane.aim(loaded);
    } catch (err) {
      log.warn({ err, endpoint: lane.endpointId }, 'a webhook cannot be sent to: what it needs cannot be read');
      lane.heldUntil = performance.now() + timings.probe.first;
    } finally {
      lane.occupied = false;
      loop.wake();
    }
  };
  const heldBack = async ({ tenant, endpointId }: Lane): Promise<string[]> => {
    const rows = await pool.query<{ ordering_key: string }>(
      sql`select ordering_key from deliveries.held_back(${tenant}::uuid, ${endpointId}::uuid, ${most.heldBack}::int)`,
    );
    return rows.map(({ ordering_key }) => ordering_key);
  };

  /** By a statement of its own: it waits for whoever queues something at this moment. */
  const putToRest = (now: number): void => {
    if (putting !== undefined) return;
    const unsettled = new Set(outcomes.map(({ lane }) => lane));
    const crowded = crowds();
    const lingers = (lane: Lane): boolean =>
      now - lane.lastSent <= (crowded(lane.tenant) ? timings.lingerFull : timings.linger);
    const idle = [...lanes.values()].filter((lane) => !unsettled.has(lane) && rests(lane, now, lingers(lane)));
    if (idle.length === 0) return;
    const asked = idle.map((lane) => ({
      tenant_id: lane.tenant,
      endpoint_id: lane.endpointId,
      place: String(lane.cursor),
      hold: lane.stopped || lane.heldUntil <= now ? null : (lane.heldUntil - now) / 1_000,
      leaves: lane.stopped || !lingers(lane),
    }));
    for (const lane of idle) lane.occupied = true;
    putting = rest(idle, asked).finally(() => {
      for (const lane of idle) lane.occupied = false;
      putting = undefined;
      loop.wake(timings.poll);
    });
  };
  const rest = async (idle: readonly Lane[], asked: readonly { readonly leaves: boolean }[]): Promise<void> => {
    const claims = idle.map((lane) => lane.claims);
    try {
      const rows = await pool.query<{ tenant_id: string; endpoint_id: string; more: boolean }>(
        sql`select tenant_id, endpoint_id, more from deliveries.rest(${owner}::uuid, ${JSON.stringify(asked)}::json)`,
      );
      const more = new Map(rows.map((row) => [nameOf(row.tenant_id, row.endpoint_id), row.more]));
      for (const [index, lane] of idle.entries()) {
        // By another connection it was given back since.
        if (lane.claims !== claims[index]) continue;
        const answer = more.get(nameOf(lane.tenant, lane.endpointId));
        if (answer === undefined || asked[index]?.leaves === true) drop(lane);
        else if (answer) lane.dirty = true;
        else lane.resting = true;
      }
    } catch (err) {
      log.warn({ err }, 'webhooks: what waits for endpoints could not be looked at');
    }
  };
  /** Whether others wait for the place of an endpoint, perhaps. */
  const crowds = (): ((tenant: string) => boolean) => {
    if (lanes.size >= timings.endpoints.process) return () => true;
    const of = new Map<string, number>();
    for (const { tenant } of lanes.values()) of.set(tenant, (of.get(tenant) ?? 0) + 1);
    return (tenant) => (of.get(tenant) ?? 0) >= timings.endpoints.tenant;
  };
  const rests = (lane: Lane, now: number, lingers: boolean): boolean => {
    if (lane.occupied || lane.inFlight > 0 || (lane.target === undefined && !lane.stopped)) return false;
    if (lane.stopped) return true;
    if (lane.heldUntil > now) return !lane.resting || !lingers;
    return lane.empty && !lane.dirty && !lane.again && (!lane.resting || !lingers);
  };
  const wants = (lane: Lane, now: number): boolean =>
    !lane.stopped &&
    lane.target !== undefined &&
    lane.heldUntil <= now &&
    ((lane.dirty && lane.order.size < most.here / 2) ||
      (lane.again && !lane.down) ||
      lane.order.wanted.size > 0 ||
      probes(lane));
  /** Nothing else is left to find out with whether it takes something again. */
  const probes = (lane: Lane): boolean =>
    lane.down && lane.again && !lane.dirty && lane.order.ready === 0 && lane.inFlight === 0;

  const fetch = (by: string, wanting: readonly Lane[], now: number): Statement => {
    const asked = wanting.map((lane) => {
      const keys = [...lane.order.wanted].slice(0, most.keys);
      const again = lane.again && !lane.down ? most.again : probes(lane) ? 1 : 0;
      return {
        tenant_id: lane.tenant,
        endpoint_id: lane.endpointId,
        place: String(lane.cursor),
        most: lane.dirty && lane.heldUntil <= now ? Math.max(0, most.here - lane.order.size) : 0,
        again,
        probes: probes(lane),
        keys,
        held: again > 0 || keys.length > 0 ? lane.order.known.map(String) : [],
      };
    });
    for (const [index, lane] of wanting.entries()) {
      const one = asked[index];
      if (one === undefined) continue;
      // What comes while the answer is under way is looked for once more.
      if (one.most > 0) lane.dirty = false;
      if (one.again > 0) lane.again = false;
      lane.asked = { most: one.most, again: one.again, keys: one.keys };
    }
    return sql`
      select tenant_id, endpoint_id, pos, event_id, place, ordering_key, attempts, body, kind, age, occurred_at
      from deliveries.take(${by}::uuid, ${JSON.stringify(asked)}::json)`;
  };
  const fetched = (wanting: readonly Lane[], rows: readonly Fetched[]): void => {
    const byLane = Map.groupBy(rows, (row) => nameOf(row.tenant_id, row.endpoint_id));
    for (const lane of wanting) {
      const own = byLane.get(nameOf(lane.tenant, lane.endpointId)) ?? [];
      const { asked } = lane;
      const of = (kind: Fetched['kind']): Fetched[] => own.filter((row) => row.kind === kind);
      const fresh = of('new');
      for (const row of fresh) {
        lane.order.add(inHand(row));
        if (row.place > lane.cursor) lane.cursor = row.place;
      }
      if (asked.most > 0 && fresh.length === asked.most) lane.dirty = true;
      const again = of('again');
      for (const row of again) lane.order.again(inHand(row));
      if (asked.again > 0 && again.length === asked.again && !lane.down) lane.again = true;
      const keyed = Map.groupBy(of('key'), (row) => row.ordering_key ?? '');
      for (const key of asked.keys) {
        const found = keyed.get(key) ?? [];
        lane.order.fetched(key, found.map(inHand), found.length < most.behind);
      }
    }
  };

  const loop = createLoop({
    round,
    failed: (err, failures) => {
      if (failures === 1) log.warn({ err }, 'webhooks: a round failed');
    },
    retry: { first: 200, longest: 5_000 },
  });

  return {
    start: () => loop.start(),
    queued: (tenant) => {
      for (const lane of lanes.values()) if (lane.tenant === tenant) lane.dirty = true;
      claimAt = 0;
      loop.wake();
    },
    changed: (tenant, endpointId) => {
      const lane = lanes.get(nameOf(tenant, endpointId));
      if (lane !== undefined) {
        lane.target = undefined;
        lane.changes += 1;
      }
      claimAt = 0;
      loop.wake();
    },
    stop: async () => {
      await loop.stop();
      stopping = true;
      for (const lane of lanes.values()) lane.stopped = true;
      if (flying()) await Promise.race([landed.promise, over(grace)]);
      await putting;
      const left = [...lanes.values()].filter((lane) => lane.inFlight === 0);
      const leaving = left.map((lane) => ({
        tenant_id: lane.tenant,
        endpoint_id: lane.endpointId,
        place: '0',
        hold: null,
        leaves: true,
      }));
      try {
        if (outcomes.length > 0) await pool.query(settle(owner, outcomes, performance.now()));
        // Those with a request under way are another's once the lease is over.
        if (leaving.length > 0)
          await pool.query(sql`select more from deliveries.rest(${owner}::uuid, ${JSON.stringify(leaving)}::json)`);
      } catch (err) {
        log.warn({ err }, 'webhooks: what became of the last requests could not be stored; they are sent again');
      }
    },
  };
}

const over = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve());
  });

const settle = (owner: string, noted: readonly Stored[], now: number): Statement => {
  const rows = noted.map(({ lane: _lane, one: _one, began, ...outcome }) => ({ ...outcome, ago: now - began }));
  return sql`select deliveries.settle(${owner}::uuid, ${JSON.stringify(rows)}::json)`;
};

const inHand = (row: Fetched): InHand => ({
  pos: row.pos,
  place: row.place,
  key: row.ordering_key,
  eventId: row.event_id,
  attempts: row.attempts,
  body: row.body,
  age: row.age * 1_000,
  occurredAt: row.occurred_at,
});
