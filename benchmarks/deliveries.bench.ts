import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { createWorld, openReceiver, type, type Receiver } from './deliveries/world.ts';
import { type Bench, median, type Row, sized } from './report.ts';

const rounds = sized(5);
const events = sized(10_000, 500);
/** Requests at once: as many as an endpoint gets. */
const atOnce = 32;

let saturated = 0;

export default {
  name: 'Webhooks: events out against bare signed POSTs to the same receiver, and from commit to received',
  run: async () => [
    await throughput('events of one tenant with one webhook', 1),
    await throughput('events of 50 tenants, each with its webhook', 50),
    await latency(),
  ],
} satisfies Bench;

/** A signed POST an event, over connections that are kept; nothing is stored. */
async function bare(receiver: Receiver, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const secret = randomBytes(32);
  const began = performance.now();
  let next = 0;
  const post = async (): Promise<void> => {
    const id = newId();
    const body = JSON.stringify({
      type,
      timestamp: new Date().toISOString(),
      tenantId: id,
      sequence: id,
      subject: id,
      data: { orderId: id },
    });
    const at = Math.floor(Date.now() / 1_000);
    const signature = `v1,${createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')}`;
    await new Promise<void>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'webhook-id': id,
        'webhook-timestamp': at,
        'webhook-signature': signature,
      };
      request(receiver.url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', resolve);
      })
        .on('error', reject)
        .end(body);
    });
  };
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        next += 1;
        await post();
      }
    }),
  );
  const rate = count / ((performance.now() - began) / 1_000);
  agent.destroy();
  await receiver.came();
  return rate;
}

/** From the moment that a server starts over so many published events until the receiver has all of them. */
async function sent(receiver: Receiver, tenants: number, count: number): Promise<number> {
  await using world = await createWorld(tenants, receiver.url);
  await world.publishMany(count);
  world.start();
  const began = performance.timeOrigin + performance.now();
  const seen = new Map<string, number>();
  while (seen.size < count) {
    await sleep(50);
    for (const [id, at] of await receiver.came()) seen.set(id, at);
  }
  return count / ((Math.max(...seen.values()) - began) / 1_000);
}

async function throughput(name: string, tenants: number): Promise<Row> {
  await using receiver = await openReceiver();
  await bare(receiver, events / 5);
  const [posts, outs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    posts.push(await bare(receiver, events));
    outs.push(await sent(receiver, tenants, events));
  }
  const [without, out] = [median(posts), median(outs)];
  if (tenants > 1) saturated = out;
  return {
    name,
    ratio: out / without,
    bar: { atLeast: 0.5 },
    detail: `${Math.round(out)} a second against ${Math.round(without)} bare, ${atOnce} at once; load ${loadavg()[0]?.toFixed(1)}`,
  };
}

/** An open loop at half of what saturates: from the commit of the publishing transaction to the receiver. */
async function latency(): Promise<Row> {
  await using receiver = await openReceiver();
  await using world = await createWorld(50, receiver.url);
  world.start();
  const perSecond = Math.round(saturated / 2);
  const count = perSecond * sized(10, 2);
  const committed = new Map<string, number>();
  const received = new Map<string, number>();
  const work: Promise<void>[] = [];
  const publish = async (n: number): Promise<void> => {
    const id = await world.publish(n);
    committed.set(id, performance.timeOrigin + performance.now());
  };
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const due = began + (n / perSecond) * 1_000;
    if (due > performance.now()) await sleep(Math.max(0, due - performance.now()));
    work.push(publish(n));
  }
  await Promise.all(work);
  const took = (performance.now() - began) / 1_000;
  while (received.size < count) {
    await sleep(50);
    for (const [id, at] of await receiver.came()) if (!received.has(id)) received.set(id, at);
  }
  const times = [...committed].slice(perSecond).map(([id, at]) => Math.max(0, (received.get(id) ?? Infinity) - at));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    name: 'from commit to received at half of that, p99 in ms',
    ratio: at(0.99),
    bar: { atMost: 100 },
    detail: `p50 ${at(0.5).toFixed(1)} ms; ${Math.round(count / took)} a second of 50 tenants; load ${loadavg()[0]?.toFixed(1)}`,
  };
}
