import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';
import type { BusEvent, Consumer } from '@steward/bus';
import { newId, undeclared } from '@steward/kernel';
import { sql } from '@steward/sql';
import { anything, createWorld, type World } from './bus/world.ts';
import { type Bench, interleave, type Row, sized } from './report.ts';

const producers = 32;
const rounds = sized(9);
/** Milliseconds of one round. */
const window = sized(1_500, 200);
const type = 'bench.thing.happened';
const filler = 'x'.repeat(350);

export default {
  name: 'The bus: publishing with one consumer against publishing alone, and from end to end',
  run: async () => [
    await throughput('events of one tenant', 1, verb),
    await throughput('events of 100 tenants', 100, verb),
    await throughput('events of one tenant, published by one bare statement', 1, bare),
    await latency(),
  ],
} satisfies Bench;

type Publish = (world: World, tenant: string) => Promise<void>;

/** As every verb does. */
const verb: Publish = async (world, tenant) =>
  world
    .context(tenant)
    .require(anything)
    .write(async (tx) => {
      tx.publish(undeclared({ type, source: 'bench', subject: 'thing', data: { at: performance.now(), filler } }));
    });

/** One round trip, one commit: as little as publishing can be. Nobody is woken. */
const bare: Publish = async (world, tenant) => {
  await world.pool.queryAll([
    sql`select set_config('app.tenant_id', ${tenant}, true)`,
    sql`insert into bus.outbox (tenant_id, event_id, type, source, subject, data, correlation_id)
      values (${tenant}, ${newId()}, ${type}, 'bench', 'thing', ${JSON.stringify({ at: 0, filler })}, ${tenant})`,
  ]);
};

/** The same producers, in turns without and with a consumer that keeps up. */
async function throughput(what: string, many: number, publish: Publish): Promise<Row> {
  await using world = await createWorld(producers);
  const tenants = Array.from({ length: many }, () => newId());
  const seen = { count: 0 };
  const consumer: Consumer = {
    name: 'bench',
    types: [type],
    onFailure: 'park',
    handle: async () => {
      seen.count += 1;
    },
  };
  let published = 0;
  const load = async (): Promise<number> => {
    const began = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: producers }, async (_, index) => {
        for (let n = index; performance.now() - began < window; n += 1) {
          await publish(world, tenants[n % many] as string);
          done += 1;
        }
      }),
    );
    published += done;
    return done / ((performance.now() - began) / 1000);
  };
  let lag = 0;
  const alone = async (): Promise<number> => load();
  const followed = async (): Promise<number> => {
    const bus = world.open(consumer);
    bus.start();
    // What the round alone left is not this round's.
    while (seen.count < published) await sleep(20);
    const rate = await load();
    lag = Math.max(lag, published - seen.count);
    while (seen.count < published) await sleep(5);
    await bus[Symbol.asyncDispose]();
    return rate;
  };
  await alone();
  await followed();
  lag = 0;
  const { without, with: withOne } = await interleave(rounds, { without: alone, with: followed });
  return {
    name: what,
    ratio: withOne / without,
    bar: { atLeast: 0.8 },
    detail: `${Math.round(withOne)} against ${Math.round(without)} a second, ${producers} producers; at most ${lag} behind at the end of a round; load ${loadavg()[0]?.toFixed(1)}`,
  };
}

/** From the beginning of the publishing transaction to the commit of the handler's. */
async function latency(): Promise<Row> {
  await using world = await createWorld(producers);
  const tenants = Array.from({ length: 20 }, () => newId());
  const times: number[] = [];
  const consumer: Consumer = {
    name: 'bench',
    types: [type],
    onFailure: 'park',
    handle: async (tx, event: BusEvent) => {
      tx.afterCommit(() => times.push(performance.now() - Number(event.data['at'])));
    },
  };
  const bus = world.open(consumer);
  bus.start();
  const perSecond = 1_000;
  const seconds = sized(10, 2);
  const work: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const due = began + (n / perSecond) * 1000;
    if (due > performance.now()) await sleep(Math.max(0, due - performance.now()));
    work.push(verb(world, tenants[n % tenants.length] as string));
  }
  await Promise.all(work);
  const took = (performance.now() - began) / 1000;
  while (times.length < perSecond * seconds) await sleep(10);
  const sorted = times.slice(perSecond).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    name: 'from end to end at 1 000 events a second, p99 in ms',
    ratio: at(0.99),
    bar: { atMost: 25 },
    detail: `p50 ${at(0.5).toFixed(1)} ms; ${Math.round((perSecond * seconds) / took)} a second of 20 tenants; load ${loadavg()[0]?.toFixed(1)}`,
  };
}
