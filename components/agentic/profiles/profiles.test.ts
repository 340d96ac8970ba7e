import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createProfiles } from './profiles.ts';

const serving =
  (servers: AsyncDisposableStack) =>
  async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.defer(async () => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
const text = '{"ucp":{"version":"2026-08-25"}}';
const old = { fetchedAt: -Infinity };

test('an origin is asked again once a minute for keys that are not known, whichever of its profiles name them', async () => {
  await using servers = new AsyncDisposableStack();
  const asked: string[] = [];
  const serve = serving(servers);
  const [one, other] = [
    await serve((request, response) => {
      asked.push(request.url ?? '');
      response.end(text);
    }),
    await serve((_request, response) => response.end(text)),
  ];
  const profiles = createProfiles({ loopback: true, plain: true });
  const [a, b, apart] = [await profiles.of(`${one}/a`), await profiles.of(`${one}/b`), await profiles.of(`${other}/a`)];
  const again = await profiles.again({ ...a, ...old });
  assert.notEqual(again.fetchedAt, a.fetchedAt);
  const [first, second] = [
    { ...b, ...old },
    { ...a, ...old },
  ];
  assert.equal(await profiles.again(first), first);
  assert.equal(await profiles.again(second), second);
  assert.deepEqual(asked, ['/a', '/b', '/a']);
  assert.notEqual((await profiles.again({ ...apart, ...old })).fetchedAt, apart.fetchedAt);
});

test('a profile that never ends is given up, and says how to serve one', async () => {
  await using servers = new AsyncDisposableStack();
  const ended = Promise.withResolvers<undefined>();
  const endless = await serving(servers)((_request, response) => {
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => {
      clearInterval(drip);
      ended.resolve(undefined);
    });
  });
  const profiles = createProfiles({ loopback: true, plain: true });
  await assert.rejects(profiles.of(endless), /without redirects, within five seconds/);
  await ended.promise;
});

test('strangers whose hosts do not answer keep nobody waiting who has proved themselves', async () => {
  await using servers = new AsyncDisposableStack();
  const stalled: Promise<unknown>[] = [];
  servers.defer(async () => void (await Promise.all(stalled)));
  const serve = serving(servers);
  const agent = await serve((_request, response) => response.end(text));
  const elsewhere = await serve((_request, response) => response.end(text));
  const profiles = createProfiles({ loopback: true, plain: true });
  const known = await profiles.of(`${agent}/known`);
  const unproved = await profiles.of(`${elsewhere}/unproved`);
  profiles.proved(known);

  let arrived = 0;
  const { promise: full, resolve } = Promise.withResolvers<undefined>();
  for (let host = 0; host < 8; host += 1) {
    const silent = await serve(() => {
      arrived += 1;
      if (arrived === 128) resolve(undefined);
    });
    for (let path = 0; path < 16; path += 1) stalled.push(profiles.of(`${silent}/${path}`).catch(() => undefined));
  }
  await full;
  await assert.rejects(profiles.of(`${agent}/stranger`), /Too many profiles are being fetched/);
  await assert.rejects(profiles.again({ ...unproved, ...old }), /Too many profiles are being fetched/);
  const fetched = await profiles.again({ ...known, ...old });
  assert.equal(fetched.version, '2026-08-25');
  assert.notEqual(fetched.fetchedAt, known.fetchedAt);
});
