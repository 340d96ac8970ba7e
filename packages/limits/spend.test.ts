import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@steward/kernel';
import { createTestDatabase } from '@steward/testing';
import { openPool, platformMigrations, sql } from '@steward/sql';
import { spend } from './index.ts';

test('three hundred at once on a limit of one hundred: exactly one hundred pass, in two processes’ pools', async () => {
  await using db = await createTestDatabase([platformMigrations]);
  await using one = openPool({ url: db.appUrl, size: 4 });
  await using two = openPool({ url: db.appUrl, size: 4 });
  const limit = { name: 'test', allowed: 100, windowSeconds: 60 };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 300 }, async (_, index) => spend(index % 2 === 0 ? one : two, limit, 'k')),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 100);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')?.reason as Problem;
  assert.equal(refused.code, 'rate_limited');
  assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
  assert.equal(refused.headers['ratelimit-policy'], '"test";q=100;w=60');
  assert.equal((await spend(one, limit, 'other'))['ratelimit'], '"test";r=99;t=60');
});

test('a window that has passed starts anew', async () => {
  await using db = await createTestDatabase([platformMigrations]);
  await using pool = openPool({ url: db.appUrl, size: 1 });
  const limit = { name: 'test', allowed: 1, windowSeconds: 3600 };
  await spend(pool, limit, 'k');
  await assert.rejects(spend(pool, limit, 'k'), (error: unknown) => error instanceof Problem && error.status === 429);
  await using admin = openPool({ url: db.adminUrl, size: 1 });
  await admin.query(sql`update platform.spending set resets_at = clock_timestamp() - interval '1 second'`);
  await spend(pool, limit, 'k');
});

test('the application cannot reach the counters but through the function', async () => {
  await using db = await createTestDatabase([platformMigrations]);
  await using pool = openPool({ url: db.appUrl, size: 1 });
  await assert.rejects(pool.query(sql`delete from platform.spending`), /permission denied/);
});
