import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { newId, type Problem } from '@steward/kernel';
import { openPool } from '@steward/sql';
import { createDatabaseProxy } from '@steward/testing';
import { verifyChains } from '@steward/verification';
import { type Entry, makeEntry } from '../appending/entry.ts';
import { createWorld, type Process, type World } from '../fixtures/world.ts';
import { createGroupCommit } from './group-commit.ts';

const entryFor = (tenantId: string): Entry =>
  makeEntry({
    tenantId,
    id: newId(),
    type: 'domain.entity.action',
    eventVersion: '1.0.0',
    grammar: 'accounting',
    grammarDigest: '0'.repeat(64),
    source: 'test',
    payload: {},
    principalChain: [],
    ingestedBy: { principalType: 'system', principalId: 'test' },
    occurredAt: '2026-03-01T10:00:00.000Z',
  });

describe('a group commit', () => {
  let world: World;
  let one: Process;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    tenant = await one.tenant();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('refuses with 503 when it is full, and appends what it took', async () => {
    const groupCommit = createGroupCommit({ pool: one.pool, maxWaiting: 10 });
    const answers = await Promise.allSettled(
      Array.from({ length: 15 }, async () => groupCommit.submit(entryFor(tenant))),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as Problem);
    assert.equal(refused.length, 5);
    assert.ok(refused.every(({ status, headers }) => status === 503 && headers['retry-after'] === '2'));
    assert.equal(groupCommit.size, 0);
  });

  test('refuses more text than it may hold', async () => {
    const groupCommit = createGroupCommit({ pool: one.pool, maxCharacters: 1_000 });
    const answers = await Promise.allSettled(
      Array.from({ length: 9 }, async () => groupCommit.submit(entryFor(tenant))),
    );
    assert.ok(answers.some(({ status }) => status === 'fulfilled'));
    assert.ok(answers.some(({ status }) => status === 'rejected'));
  });

  test('answers everybody before it has stopped, and nobody after', async () => {
    const groupCommit = createGroupCommit({ pool: one.pool });
    const last = groupCommit.submit(entryFor(tenant));
    const stopped = groupCommit.stop();
    await assert.rejects(groupCommit.submit(entryFor(tenant)), { code: 'unavailable' });
    assert.equal((await last).outcome, 'appended');
    await stopped;
  });

  test('answers 503 when the database stays away, and appends again once it is back', async () => {
    await using pool = openPool({ url: 'postgres://nobody@127.0.0.1:1/nowhere' });
    const groupCommit = createGroupCommit({ pool, patience: 200 });
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, async () => groupCommit.submit(entryFor(tenant))),
    );
    assert.ok(
      answers.every((answer) => answer.status === 'rejected' && (answer.reason as Problem).code === 'unavailable'),
    );
    await groupCommit.stop();
  });

  test('says that it does not know where what was sent is never answered', async () => {
    await using proxy = await createDatabaseProxy(world.database.appUrl);
    await using pool = openPool({ url: proxy.through(world.database.appUrl), size: 1 });
    const groupCommit = createGroupCommit({ pool, patience: 100 });
    const here = await one.tenant();
    await groupCommit.submit(entryFor(here));
    proxy.loseCommit('SELECT 1');
    const submitted = groupCommit.submit(entryFor(here));
    proxy.lead('postgres://nobody@127.0.0.1:1/nowhere');
    await assert.rejects(submitted, { code: 'outcome_unknown' });
    const verdict = await verifyChains({ ownerUrl: world.database.ownerUrl, tenant: here });
    assert.deepEqual([verdict.events, verdict.findings], [3, []]);
    await groupCommit.stop();
  });

  test('outlives a database that goes silent in the middle, and appends each event once', async (t) => {
    const target = new URL(world.database.appUrl);
    const [port, host] = [Number(target.port || 5432), decodeURIComponent(target.hostname)];
    const sockets = new Set<Socket>();
    let silent = false;
    const proxy = createServer((near) => {
      const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
      sockets.add(near).add(far);
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
      near.on('data', (bytes) => far.write(bytes));
      // Requests still arrive; answers are lost.
      far.on('data', (bytes) => (silent ? undefined : near.write(bytes)));
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    target.hostname = '127.0.0.1';
    target.port = String((proxy.address() as AddressInfo).port);
    const pool = openPool({ url: target.href, size: 4 });
    t.after(async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await pool.close();
    });
    const groupCommit = createGroupCommit({ pool, silence: 300 });
    const here = await one.tenant();
    await groupCommit.submit(entryFor(here));
    silent = true;
    const waiting = Promise.all(Array.from({ length: 20 }, async () => groupCommit.submit(entryFor(here))));
    await new Promise((resolve) => setTimeout(resolve, 150));
    silent = false;
    assert.ok((await waiting).every(({ outcome }) => outcome === 'appended'));
    const verdict = await verifyChains({ ownerUrl: world.database.ownerUrl, tenant: here });
    assert.deepEqual([verdict.events, verdict.findings], [22, []]);
  });
});
