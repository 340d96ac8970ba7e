import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fetchJson } from './fetch-json.ts';

test('JSON is fetched from one address alone, and no more of it than 256 KiB', async () => {
  const pages: Readonly<Record<string, readonly [number, string]>> = {
    '/good': [200, '{"a":1}'],
    '/large': [200, JSON.stringify('x'.repeat(262_144))],
    '/broken': [200, '{'],
    '/refused': [503, '{}'],
    '/moved': [302, '{}'],
  };
  await using server = createServer((request, response) => {
    const [status, text] = pages[request.url ?? ''] ?? [404, ''];
    response.writeHead(status, { location: '/good' }).end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.deepEqual(await fetchJson(`${origin}/good`), { a: 1 });
  await assert.rejects(fetchJson(`${origin}/large`), /more than 262144 bytes/);
  await assert.rejects(fetchJson(`${origin}/broken`), SyntaxError);
  await assert.rejects(fetchJson(`${origin}/refused`), /answered 503/);
  await assert.rejects(fetchJson(`${origin}/moved`), TypeError);
});
