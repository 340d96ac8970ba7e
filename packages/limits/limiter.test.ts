import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog, createMetrics, limitBucket } from '@steward/kernel';
import { createTestDatabase } from '@steward/testing';
import { openPool, platformMigrations, sql, type SqlPool } from '@steward/sql';
import { createLimiter } from './index.ts';
import { localLimits } from './local.ts';

const perAddress = { name: 'address', allowed: 100, windowSeconds: 60 };
const perKey = { name: 'key', allowed: 3, windowSeconds: 60 };
const log = createLog('silent');
const nowhere = undefined as unknown as SqlPool;
const limiter = (url: string, pool = nowhere) => createLimiter({ url, pool, log, metrics: createMetrics() });

describe('counting in one process', () => {
  test('the 101st use within the window is refused, and the first after it is not', () => {
    let now = 5_000;
    const store = localLimits(() => now);
    const use = [{ limit: perAddress, key: 'a' }];
    for (let n = 1; n <= 100; n += 1) assert.equal(store.take(use)[0]?.spent, n);
    now += 59_999;
    assert.deepEqual(store.take(use), [{ spent: 101, endsIn: 1 }]);
    now += 1;
    assert.deepEqual(store.take(use), [{ spent: 1, endsIn: 60_000 }]);
  });

  test('a window never has more left than its length, whatever fraction of a millisecond it begins at', () => {
    const begins = 12004.424238;
    assert.ok(begins + 60_000 - begins > 60_000, 'this beginning rounds');
    assert.deepEqual(localLimits(() => begins).take([{ limit: perAddress, key: 'a' }]), [{ spent: 1, endsIn: 60_000 }]);
  });

  test('what the first limit refuses uses up nothing of the second', async () => {
    const one = limiter('');
    const uses = [
      { limit: perKey, key: 'flood' },
      { limit: perAddress, key: 'shared' },
    ];
    for (let n = 0; n < 10; n += 1) await one.take(uses);
    const other = await one.take([{ limit: perAddress, key: 'shared' }]);
    assert.equal(other.fields['ratelimit'], '"address";r=96;t=60');
  });

  test('names every limit on every answer, and the wait on a refusal', async () => {
    const one = limiter('');
    const uses = [
      { limit: perAddress, key: 'a' },
      { limit: perKey, key: 'k' },
    ];
    const first = await one.take(uses);
    assert.deepEqual(first, {
      fields: {
        'ratelimit-policy': '"address";q=100;w=60, "key";q=3;w=60',
        ratelimit: '"address";r=99;t=60, "key";r=2;t=60',
      },
      refusal: undefined,
    });
    for (let n = 0; n < 2; n += 1) await one.take(uses);
    const { refusal } = await one.take(uses);
    assert.equal(refusal?.status, 429);
    assert.equal(refusal?.headers['retry-after'], '60');
    assert.equal(refusal?.headers['ratelimit'], '"address";r=96;t=60, "key";r=0;t=60');
  });

  test('a flood of addresses takes bounded room, and forgets nobody who is being refused just now', () => {
    const store = localLimits(() => 0, 1_000);
    const held = [{ limit: perKey, key: 'victim' }];
    for (let n = 0; n < 4; n += 1) store.take(held);
    for (let n = 0; n < 100_000; n += 1) {
      store.take([{ limit: perAddress, key: String(n) }]);
      if (n % 500 === 0) assert.ok((store.take(held)[0]?.spent ?? 0) > perKey.allowed);
    }
    assert.ok(store.size <= 2_000, `${store.size} buckets are held`);
  });

  test('what is quiet is let go as time passes', () => {
    let now = 0;
    const store = localLimits(() => now);
    for (let n = 0; n < 100; n += 1) store.take([{ limit: perAddress, key: String(n) }]);
    now = 61_000;
    store.take([{ limit: perAddress, key: 'x' }]);
    now = 122_000;
    store.take([{ limit: perAddress, key: 'y' }]);
    assert.equal(store.size, 2);
  });

  test('an IPv6 subscriber is one address, however many of their /64 they use', () => {
    assert.equal(limitBucket('2001:db8:1:2:aaaa::1'), limitBucket('2001:db8:1:2:ffff::9'));
    assert.notEqual(limitBucket('2001:db8:1:2::1'), limitBucket('2001:db8:1:3::1'));
  });
});

describe('counting in PostgreSQL', () => {
  test('two processes share one count, exactly, and what one limit refuses uses up nothing of the next', async () => {
    await using db = await createTestDatabase([platformMigrations]);
    await using first = openPool({ url: db.appUrl, size: 4 });
    await using second = openPool({ url: db.appUrl, size: 4 });
    const processes = [limiter('postgres', first), limiter('postgres', second)];
    const uses = [
      { limit: perAddress, key: 'a' },
      { limit: { ...perKey, allowed: 1000 }, key: 'k' },
    ];
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_one, index) => processes[index % 2]?.take(uses)),
    );
    assert.equal(answers.filter((answer) => answer?.refusal === undefined).length, 100);
    await using admin = openPool({ url: db.adminUrl, size: 1 });
    const rows = await admin.query(
      sql`select split_part(bucket, ':', 1) as name, count from platform.spending order by 1`,
    );
    assert.deepEqual(rows, [
      { name: 'address', count: 300 },
      { name: 'key', count: 100 },
    ]);
  });
});

test('a shared store that is not there leaves each process counting by itself, and says so', async () => {
  const metrics = createMetrics();
  const alone = createLimiter({ url: 'redis://127.0.0.1:1', pool: nowhere, log, metrics });
  const uses = [{ limit: perKey, key: 'k' }];
  for (let n = 0; n < 3; n += 1) assert.equal((await alone.take(uses)).refusal, undefined);
  assert.equal((await alone.take(uses)).refusal?.code, 'rate_limited');
  assert.match(await metrics.registry.metrics(), /steward_limit_store_failures_total 4/);
  await alone.stop();
});
