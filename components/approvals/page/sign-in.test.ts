import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLog } from '@steward/kernel';
import { discovering } from './sign-in.ts';

test('where people sign in is asked of the issuer, kept for ten minutes, and kept on while the issuer is out of reach', async () => {
  let asked = 0;
  let published: object | undefined = {};
  await using server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(published === undefined ? 503 : 200).end(JSON.stringify(published ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let now = 0;
  const signIns = discovering([{ issuer, audiences: ['server'] }], {
    clock: () => now,
    log: createLog('silent'),
  });
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
  const found = [
    { issuer, authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token`, audience: 'server' },
  ];

  published = { issuer: 'https://other.example', ...endpoints };
  assert.deepEqual(await signIns(), [], 'the metadata of another issuer');
  published = { issuer, ...endpoints, token_endpoint: 'http://elsewhere.example/token' };
  now += 10_000;
  assert.deepEqual(await signIns(), [], 'an endpoint that anybody on the way can read');
  published = { issuer, ...endpoints };
  now += 9_999;
  assert.deepEqual([await signIns(), asked], [[], 2], 'not asked again for ten seconds after a failure');
  now += 1;
  assert.deepEqual([await signIns(), asked], [found, 3]);
  published = undefined;
  now += 599_999;
  assert.deepEqual([await signIns(), asked], [found, 3]);
  now += 1;
  assert.deepEqual([await signIns(), asked], [found, 4], 'an issuer out of reach');
});
