import { readFile } from 'node:fs/promises';
import { createProcessWorld, openStore } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';
import { type Bench, interleave, type Row, sized } from './report.ts';
import { type Buyer, buyerOf, generous, type Json } from './shop/buyer.ts';
import { multiplyTenant } from './shop/tenants.ts';
import { type Spent, spender, sumOf } from './spent.ts';

const rounds = sized(5);
const purchases = sized(60, 2);
const completions = sized(400, 8);
/** Who complete at once, where it saturates. */
const callers = 16;
const few = 10;
const many = sized(10_000, 50);
/** Of the many, so that what is remembered of one is of no use for the next. */
const visited = sized(1_000, 20);

export default {
  name: 'A shop under load: how long completing takes, tenants beside each other, and memory',
  run: async () => {
    await using alone = await openMarket(few, few);
    await using crowded = await openMarket(many, visited);
    const bought = await interleave(rounds, { few: alone.purchase, many: crowded.purchase });
    const { p99, half } = await openLoop(alone.buyer);
    const bytes = await Promise.all([alone, crowded].map(async ({ resident }) => resident()));
    return [
      {
        name: `a purchase with ${many} tenants against ${few}, in CPU`,
        ratio: bought.many / bought.few,
        bar: { atMost: 1.25 },
        detail: `${bought.many.toFixed(2)} against ${bought.few.toFixed(2)} ms of server and database; ${visited} and ${few} of them buy in turn`,
      },
      {
        name: 'completing in an open loop at half of what saturates, p99 in ms',
        ratio: p99,
        bar: { atMost: 60 },
        detail: `${half.toFixed(0)} orders a second of one shop, all of the same three products`,
      },
      {
        name: 'resident after the load, MB',
        ratio: Math.max(...bytes) / 1e6,
        bar: { atMost: 250 },
        detail: `${bytes.map((one) => (one / 1e6).toFixed(0)).join(' and ')} MB, with ${few} and ${many} tenants`,
      },
    ] satisfies Row[];
  },
} satisfies Bench;

interface Market extends AsyncDisposable {
  readonly buyer: Buyer;
  /** Purchases, each of the next tenant; the CPU of one in ms. */
  purchase(): Promise<number>;
  /** Bytes. */
  resident(): Promise<number>;
}

/** So many tenants with a shop each, of which some are visited in turn. */
async function openMarket(count: number, wanted: number): Promise<Market> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await createProcessWorld(generous));
  const admin = stack.use(openPool({ url: world.db.adminUrl, size: 1 }));
  const store = await openStore(world);
  const variants = [...store.variants.values()].slice(0, 3);
  for (const variant of variants) await store.count(variant, 1_000_000);
  const [shop] = await admin.query<{ tenant: string }>(sql`select tenant_id as tenant from studio.site limit 1`);
  const keys = await multiplyTenant(admin, shop?.tenant ?? '', count - 1, wanted - 1);
  const base = `${world.server.addresses.commerce}/storefront/v1`;
  const buyers = [store.key, ...keys].map((key) => buyerOf(base, key, variants));
  const spent = await spender(admin);
  const pid = world.server.child.pid ?? 0;
  let next = 0;
  const buy = async (): Promise<void> => {
    const buyer = buyers[next++ % buyers.length] as Buyer;
    const { status } = await buyer.complete(await buyer.ready());
    if (status !== 'completed') throw new Error(`the checkout is ${status}`);
  };
  const purchase = async (): Promise<number> => sumOf((await spent(pid, purchases, buy)) satisfies Spent);
  await purchase();
  const kept = stack.move();
  return {
    buyer: buyers[0] as Buyer,
    purchase,
    resident: async () => {
      const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) * 1024;
    },
    [Symbol.asyncDispose]: async () => kept.disposeAsync(),
  };
}

/** Completes as fast as it goes, and then as many a second as half of that, whether or not those before are done. */
async function openLoop(buyer: Buyer): Promise<{ p99: number; half: number }> {
  const readied = async (count: number): Promise<Json[]> => {
    const ready: Json[] = [];
    const one = async (): Promise<void> => {
      while (ready.length < count) ready.push(await buyer.ready());
    };
    await Promise.all([one(), one(), one(), one()]);
    return ready.slice(0, count);
  };
  const rush = await readied(completions / 2);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let one = rush.pop(); one !== undefined; one = rush.pop()) await buyer.complete(one);
    }),
  );
  const half = completions / 2 / ((performance.now() - began) / 1000) / 2;
  const waiting = await readied(completions);
  const start = performance.now();
  const took = await Promise.all(
    waiting.map(async (one, at) => {
      const due = start + (at * 1000) / half;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      await buyer.complete(one);
      return performance.now() - due;
    }),
  );
  const sorted = took.toSorted((a, b) => a - b);
  return { p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN, half };
}
