import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { openReceiver, type Receiver } from '../fixtures/receiver.ts';
import { createWorld, type Instance, type World } from '../fixtures/world.ts';
import { Order, type Ordered } from './order.ts';

describe('the order of what is sent', () => {
  let world: World;
  let one: Instance;
  let context: TenantContext;
  let receiver: Receiver;
  const stack = new AsyncDisposableStack();
  before(async () => {
    world = stack.use(await createWorld());
    one = world.instance();
  });
  beforeEach(async () => {
    context = await world.tenant(one);
    receiver = stack.use(await openReceiver());
  });
  after(async () => stack.disposeAsync());

  const delivered = async (webhookId: string, count: number): Promise<void> =>
    world.until(
      `${count} arrive`,
      async () => (await world.states(webhookId)).filter((state) => state === 'delivered').length === count,
    );
  const numbersOf = (subject: string): number[] =>
    receiver.requests.filter(({ json }) => json.subject === subject).map(({ json }) => Number(json.data['number']));

  test('is kept of one subject, whatever fails, and a subject that fails holds no other', async () => {
    const { id } = await one.webhook(context, receiver.url);
    const failures = new Map<string, number>();
    receiver.answer((response, { json, id: event }) => {
      const tried = (failures.get(event) ?? 0) + 1;
      failures.set(event, tried);
      // Each third fails twice, and what is about `stuck` for now each time.
      const fails = json.subject === 'stuck' ? stuck : Number(json.data['number']) % 3 === 0 && tried < 3;
      response.writeHead(fails ? 500 : 200).end();
    });
    let stuck = true;
    const subjects = Array.from({ length: 120 }, (_, n) => (n % 10 === 5 ? 'stuck' : `s${n % 4}`));
    await one.publish(context, subjects);
    await delivered(id, 108);
    assert.equal(new Set(numbersOf('stuck')).size, 1, 'of what fails only the first is tried');
    stuck = false;
    await delivered(id, 120);
    for (const subject of new Set(subjects)) {
      const seen = numbersOf(subject).filter((number, index, all) => all.indexOf(number) === index);
      assert.deepEqual(
        seen,
        subjects.flatMap((of, number) => (of === subject ? [number] : [])),
        subject,
      );
    }
  });

  test('is kept of one subject with more events than are held in memory', async () => {
    const { id } = await one.webhook(context, receiver.url);
    await one.publish(
      context,
      Array.from({ length: 1_300 }, (_, n) => (n % 13 === 0 ? `other${n}` : 'much')),
    );
    await delivered(id, 1_300);
    const numbers = numbersOf('much');
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.equal(numbers.length, 1_200);
  });
});

describe('what a process has of an endpoint', () => {
  interface One extends Ordered {
    readonly n: number;
  }
  /** A database of deliveries, some of which fail; what order they were sent in. */
  function play(random: () => number): { sent: Map<string | null, number[]>; all: number } {
    const keys = [null, 'a', 'b', 'c'];
    const rows = Array.from({ length: 400 }, (_, n): One & { state: 'new' | 'again' | 'done' } => ({
      n,
      place: BigInt(n + 1),
      key: keys[Math.floor(random() * keys.length)] ?? null,
      state: 'new',
    }));
    const sent = new Map<string | null, number[]>();
    const order = new Order<One>();
    let cursor = 0n;
    for (let step = 0; rows.some(({ state }) => state !== 'done'); step += 1) {
      assert.ok(step < 20_000, 'it comes to no end');
      const fresh = rows.filter(({ state, place }) => state === 'new' && place > cursor).slice(0, 37);
      if (order.size < 150)
        for (const row of fresh) {
          order.add(row);
          cursor = row.place;
        }
      if (random() < 0.3)
        for (const row of rows
          .filter(({ state, place }) => state === 'again' && !order.known.includes(place))
          .slice(0, 3))
          order.again(row);
      for (const key of order.wanted) {
        const known = new Set(order.known);
        const some = rows
          .filter((row) => row.state === 'new' && row.key === key && !known.has(row.place))
          .slice(0, 100);
        order.fetched(key, some, some.length < 100);
      }
      for (let taken = 0; taken < 8; taken += 1) {
        const next = order.next();
        if (next === undefined) break;
        const row = rows[next.n];
        assert.ok(row !== undefined && row.state !== 'done', 'nothing is sent twice that arrived');
        if (random() < 0.15) {
          row.state = 'again';
          order.failed(next);
        } else {
          row.state = 'done';
          sent.set(next.key, [...(sent.get(next.key) ?? []), next.n]);
          order.done(next);
        }
        order.settled(next);
      }
    }
    return { sent, all: rows.length };
  }

  test('comes in order of each key, each once, in a hundred random histories', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      let state = seed;
      const random = (): number => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return state / 2_147_483_648;
      };
      const { sent, all } = play(random);
      assert.equal([...sent.values()].flat().length, all);
      for (const [key, numbers] of sent)
        if (key !== null)
          assert.deepEqual(
            numbers,
            numbers.toSorted((a, b) => a - b),
            `seed ${seed}, key ${key}`,
          );
    }
  });
});
