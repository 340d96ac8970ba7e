import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createProfiles } from './profiles.ts';

test('strangers whose hosts do not answer keep nobody waiting who has proved themselves', async () => {
  await using servers = new AsyncDisposableStack();
  const stalled: Promise<unknown>[] = [];
  servers.defer(async () => void (await Promise.all(stalled)));
  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.defer(async () => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const agent = await serve((_request, response) => response.end('{"ucp":{"version":"2026-08-25"}}'));
  const profiles = createProfiles({ loopback: true, plain: true });
  const known = await profiles.of(`${agent}/known`);
  const unproved = await profiles.of(`${agent}/unproved`);
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
  const old = { fetchedAt: -Infinity };
  await assert.rejects(profiles.again({ ...unproved, ...old }), /Too many profiles are being fetched/);
  const fetched = await profiles.again({ ...known, ...old });
  assert.equal(fetched.version, '2026-08-25');
  assert.notEqual(fetched.fetchedAt, known.fetchedAt);
});
