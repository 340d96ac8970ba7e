import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createLog, fail } from '@steward/kernel';
import { createForward } from './forward.ts';
import { withheld } from './withheld.ts';

const tenant = '01a21cab-96b8-7874-8f66-ceff8a47ffed';

async function listening(handle: RequestListener): Promise<readonly [Server, string]> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

describe('what is asked of an address that another process serves', () => {
  let elsewhere: Server;
  let front: Server;
  let origin: string;
  let seen: IncomingMessage | undefined;
  let answer: RequestListener;
  let allow: () => Promise<void>;
  before(async () => {
    const [other, at] = await listening((request, response) => {
      seen = request;
      answer(request, response);
    });
    elsewhere = other;
    const dead = 'http://127.0.0.1:9';
    const forward = createForward({
      addresses: { portal: `${at}/portal`, accounting: dead, commerce: at, studio: at },
      served: () => false,
      log: createLog('silent'),
    });
    [front, origin] = await listening((request, response) => {
      const place = request.url === '/dead' ? 'accounting' : 'portal';
      const passed = request.url === '/held' ? withheld(request, response, async () => allow()) : request;
      forward(passed, response, { place, tenant, path: '/api/things?a=b' }, 'the-token', () => assert.fail('not here'));
    });
  });
  beforeEach(() => {
    seen = undefined;
    answer = (_request, response) => void response.end('there');
  });
  after(() => {
    for (const one of [elsewhere, front]) {
      one.closeAllConnections();
      one.close();
    }
  });

  test('goes there as the person, and nothing of the browser does', async () => {
    let body = '';
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(201, { 'x-mine': '1', 'content-security-policy': 'script-src *', connection: 'x-hop' });
        response.end('made');
      });
    };
    const asked = await fetch(origin, {
      method: 'POST',
      body: 'some bytes',
      headers: {
        cookie: 'steward=secret',
        authorization: 'Bearer other',
        'x-tenant-id': 'another',
        'x-steward-console': '1',
        'idempotency-key': 'k',
      },
    });
    assert.deepEqual([asked.status, await asked.text(), body], [201, 'made', 'some bytes']);
    assert.equal(seen?.url, '/portal/api/things?a=b');
    const { authorization, cookie, host } = seen?.headers ?? {};
    assert.deepEqual([authorization, cookie, host === new URL(origin).host], ['Bearer the-token', undefined, false]);
    assert.equal(seen?.headers['x-tenant-id'], tenant);
    assert.equal(seen?.headers['idempotency-key'], 'k');
    assert.equal(asked.headers.get('x-mine'), '1');
    assert.match(asked.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox$/);
  });

  test('goes there whole, however long it is, once it may', async () => {
    const body = Buffer.alloc(5_000_000, 'steward');
    let told = 0;
    let read = 0;
    allow = async () => {
      told = read;
    };
    answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        read += chunk.length;
      });
      request.on('end', () => void response.end(String(Buffer.concat(chunks).equals(body))));
    };
    const asked = await fetch(`${origin}/held`, { method: 'POST', body });
    assert.equal(await asked.text(), 'true');
    assert.ok(told < body.length, 'the end was kept back until then');
  });

  test('is never whole there where it may not be done, and the next request is answered', async () => {
    allow = async () => {
      throw fail('unauthenticated');
    };
    for (const bytes of [10, 5_000_000]) {
      let cut: Promise<unknown> = Promise.resolve();
      let whole = false;
      answer = (request) => {
        cut = new Promise((resolve) => void request.resume().on('close', resolve));
        request.on('error', () => undefined);
        request.on('end', () => (whole = true));
      };
      const asked = await fetch(`${origin}/held`, { method: 'POST', body: Buffer.alloc(bytes) });
      assert.equal(asked.status, 401, await asked.text());
      await cut;
      assert.ok(!whole);
      answer = (_request, response) => void response.end('there');
      assert.equal(await (await fetch(origin)).text(), 'there');
    }
  });

  test("is answered at once where nobody there reads the body, and what is left of it is in nobody's way", async () => {
    allow = async () => undefined;
    answer = (_request, response) => void response.writeHead(403, { connection: 'close' }).end('no');
    const asked = await fetch(`${origin}/held`, { method: 'POST', body: Buffer.alloc(200_000) });
    assert.deepEqual([asked.status, await asked.text()], [403, 'no']);
  });

  test('is answered as it comes, and is let go of there when the page goes away', async () => {
    let gone: Promise<unknown> = Promise.resolve();
    answer = (_request, response) => {
      gone = new Promise((resolve) => void response.on('close', resolve));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('id: 1\n\n');
    };
    const leaving = new AbortController();
    const asked = await fetch(origin, { signal: leaving.signal });
    const first = await asked.body?.getReader().read();
    assert.equal(new TextDecoder().decode(first?.value as Uint8Array), 'id: 1\n\n');
    leaving.abort();
    await gone;
  });

  test('says in a problem document that nothing answers there', async () => {
    const asked = await fetch(`${origin}/dead`);
    assert.equal(asked.status, 503);
    assert.equal(((await asked.json()) as { code: string }).code, 'unavailable');
    assert.ok(asked.headers.get('retry-after') !== null);
  });

  test('is cut off where the answer breaks off, rather than taken for whole', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    await assert.rejects(async () => (await fetch(origin)).text());
  });
});
