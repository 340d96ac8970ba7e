import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createLog, createMetrics, newId } from '@steward/kernel';
import { type SqlPool } from '@steward/sql';
import { createLimiter, type Limiter } from './index.ts';

const server = process.env['REDIS_TEST_URL'] ?? '';
const limit = { name: 'test', allowed: 100, windowSeconds: 60 };
const behind = { name: 'behind', allowed: 1_000, windowSeconds: 60 };

function open(url = server): Limiter & { failures(): Promise<number> } {
  const metrics = createMetrics();
  const limiter = createLimiter({ url, pool: undefined as unknown as SqlPool, log: createLog('silent'), metrics });
  const failures = async (): Promise<number> =>
    Number(/steward_limit_store_failures_total (\d+)/.exec(await metrics.registry.metrics())?.[1]);
  return { ...limiter, failures };
}

/** Until the store answers: the first uses are counted locally while the connection is made. */
async function connected(limiter: ReturnType<typeof open>): Promise<void> {
  for (let before = -1; before !== (await limiter.failures());) {
    before = await limiter.failures();
    await limiter.take([{ limit, key: newId() }]);
    if (before !== (await limiter.failures())) await sleep(1_050);
  }
}

test('three hundred at once over two processes: exactly one hundred pass, and the rest use up nothing behind', async () => {
  const processes = [open(), open()];
  await Promise.all(processes.map(connected));
  const key = newId();
  const uses = [
    { limit, key },
    { limit: behind, key },
  ];
  const answers = await Promise.all(Array.from({ length: 300 }, async (_one, at) => processes[at % 2]?.take(uses)));
  assert.equal(answers.filter((answer) => answer?.refusal === undefined).length, 100);
  const last = await processes[0]?.take([{ limit: behind, key }]);
  assert.equal(last?.fields['ratelimit'], '"behind";r=899;t=60');
  await Promise.all(processes.map(async (one) => one.stop()));
});

test('valkey:// is the same protocol', async () => {
  const one = open(server.replace(/^redis/, 'valkey'));
  await connected(one);
  assert.equal((await one.take([{ limit, key: newId() }])).fields['ratelimit'], '"test";r=99;t=60');
  await one.stop();
});

test('a store that falls silent holds up a request for a bounded time, and is used again when it is back', async () => {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let silent = false;
  const relay = createServer((socket) => {
    const upstream = new (socket.constructor as new () => Socket)().connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('data', (chunk) => {
      if (!silent) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => socket.write(chunk));
    for (const end of [socket, upstream]) {
      end.on('error', () => undefined);
      end.on('close', () => {
        socket.destroy();
        upstream.destroy();
      });
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const one = open(`redis://127.0.0.1:${(relay.address() as AddressInfo).port}`);
  await connected(one);
  const before = await one.failures();
  silent = true;
  const key = newId();
  for (let n = 0; n < 100; n += 1) assert.equal((await one.take([{ limit, key }])).refusal, undefined);
  assert.equal((await one.take([{ limit, key }])).refusal?.code, 'rate_limited');
  assert.ok((await one.failures()) > before);
  silent = false;
  for (const socket of sockets) socket.destroy();
  await connected(one);
  assert.equal((await one.take([{ limit, key }])).refusal, undefined);
  await one.stop();
  relay.close();
});
