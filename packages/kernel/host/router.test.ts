import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fail } from '../errors.ts';
import { createLog } from '../log.ts';
import { answerProblem } from './answer.ts';
import { listen, type Listener } from './listener.ts';
import { createRouter } from './router.ts';

describe('the router', () => {
  let listener: Listener;
  let origin: string;
  let close: () => Promise<void>;

  before(async () => {
    const log = createLog('silent');
    listener = await listen('127.0.0.1', 0, log);
    origin = `http://127.0.0.1:${listener.port}`;
    const router = await createRouter({
      server: listener.server,
      log,
      observe: () => undefined,
      doors: [
        {
          base: `${origin}/door`,
          handle: (request, response) => answerProblem(response, fail('not_found', `door ${request.url}`), 'r1'),
        },
      ],
      mounts: [
        {
          base: `${origin}/a`,
          register: (scope) => {
            scope.post('/echo', async (request) => request.body);
            scope.delete('/gone', async () => ({}));
            scope.get('/broken', async () => {
              throw new Error('select secret from vault');
            });
            scope.get('/slow', async () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 150)));
          },
        },
      ],
    });
    listener.open(router.handle);
    close = router.close;
  });
  after(async () => {
    await listener.close(100);
    await close();
  });

  const problem = async (answer: Response, status: number, code: string): Promise<Record<string, unknown>> => {
    const body = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    assert.equal(body['code'], code);
    assert.equal(body['status'], status);
    assert.match(String(body['type']), new RegExp(`#${code}$`));
    assert.equal(typeof body['requestId'], 'string');
    return body;
  };
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<Response> => fetch(`${origin}/a/echo`, { method: 'POST', body, headers });

  test('answers JSON and echoes a given request id', async () => {
    const answer = await post('{"a":1}', {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'abc-1',
    });
    assert.deepEqual(await answer.json(), { a: 1 });
    assert.equal(answer.headers.get('x-request-id'), 'abc-1');
  });

  test('makes a request id of its own when the given one is not a plain token', async () => {
    const answer = await post('1', { 'content-type': 'application/json', 'x-request-id': 'a b"c' });
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  test('answers every refused body with a problem document', async () => {
    await problem(await post('{"a":1,"a":2}'), 400, 'invalid_json');
    await problem(await post(''), 400, 'invalid_json');
    await problem(await post(new Uint8Array([0xff])), 400, 'invalid_json');
    await problem(await post('x', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
    await problem(
      await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported_media_type',
    );
    await problem(
      await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
      415,
      'unsupported_content_encoding',
    );
    await problem(await post(`"${'x'.repeat(1_048_576)}"`), 413, 'payload_too_large');
  });

  test('takes a DELETE that names a content type and has no body', async () => {
    const headers = { 'content-type': 'application/json' };
    assert.equal((await fetch(`${origin}/a/gone`, { method: 'DELETE', headers })).status, 200);
    await problem(await fetch(`${origin}/a/gone`, { method: 'DELETE', headers, body: '{' }), 400, 'invalid_json');
  });

  test('tells a wrong method from an unknown address', async () => {
    const answer = await fetch(`${origin}/a/echo`, { method: 'DELETE' });
    assert.equal(answer.headers.get('allow'), 'POST');
    await problem(answer, 405, 'method_not_allowed');
    await problem(await fetch(`${origin}/a/nothing`), 404, 'not_found');
    await problem(await fetch(`${origin}/a/%ff`), 400, 'invalid_request');
  });

  test('answers for an unknown address and a wrong method before the body is there, and goes on with the connection', async () => {
    const host = `Host: 127.0.0.1:${listener.port}\r\n`;
    const type = 'Content-Type: application/json\r\n';
    for (const [line, status] of [
      ['POST /a/nothing', 404],
      ['PUT /a/echo', 405],
    ] as const) {
      const socket = connect(listener.port, '127.0.0.1');
      let text = '';
      const heard = async (what: RegExp): Promise<void> => {
        while (!what.test(text))
          text += String((await once(socket, 'data', { signal: AbortSignal.timeout(1_900) }))[0]);
      };
      socket.write(`${line} HTTP/1.1\r\n${host}${type}Content-Length: 14\r\n\r\n{"a":`);
      await heard(new RegExp(`^HTTP/1.1 ${status} `));
      socket.write(`1,"a":2} POST /a/echo HTTP/1.1\r\n${host}${type}Content-Length: 7\r\n\r\n{"b":2}`);
      await heard(/HTTP\/1.1 200 [\s\S]*\{"b":2\}$/);
      socket.destroy();
    }
  });

  test('says nothing of what went wrong inside', async () => {
    const body = await problem(await fetch(`${origin}/a/broken`), 500, 'internal_error');
    assert.doesNotMatch(JSON.stringify(body), /secret|vault|at /);
  });

  test('gives a door everything at and under its address, and nothing beside it', async () => {
    for (const path of ['/door', '/door/x/y', '/door?z=1']) {
      const body = await problem(await fetch(origin + path), 404, 'not_found');
      assert.equal(body['detail'], `door ${path}`);
    }
    assert.notEqual(((await (await fetch(`${origin}/doors`)).json()) as { detail: string }).detail, 'door /doors');
  });

  test('lets whoever is refused hear it, though it writes all of a long body before it reads', async () => {
    // The address of a door that never looks at the body, too long a body for a route, unknown, encoded, and headers beyond all bounds.
    for (const [line, status, connection] of [
      ['POST /door', 404, 'keep-alive'],
      ['POST /door', 404, 'close'],
      ['POST /a/echo', 413, 'keep-alive'],
      ['POST /a/echo', 413, 'close'],
      ['POST /a/nothing', 404, 'close'],
      ['POST /a/echo', 431, 'close'],
    ] as const) {
      const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
      const length = 30_000_000;
      const long = status === 431 ? `X-Long: ${'a'.repeat(100_000)}\r\n` : '';
      const about = `Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: ${connection}\r\n${long}`;
      socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\n${about}\r\n`);
      const part = Buffer.alloc(1_000_000, ' ');
      for (let sent = 0; sent < length; sent += part.length)
        await new Promise<void>((resolve, reject) => {
          socket.write(part, (error) => (error ? reject(error) : resolve()));
        });
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      if (connection === 'close') await once(socket, 'end');
      else while (!text.endsWith('}')) await once(socket, 'data');
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), `${line} ${connection}`);
      socket.destroy();
    }
  });

  test('answers what is not HTTP with a problem and closes', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(listener.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /invalid_request/);
  });

  test('lets a request in flight finish when it is closed, and takes no new one', async () => {
    const log = createLog('silent');
    const own = await listen('127.0.0.1', 0, log);
    const arrived = Promise.withResolvers<void>();
    own.open((_request, response) => {
      arrived.resolve();
      setTimeout(() => response.end('finished'), 200);
    });
    const url = `http://127.0.0.1:${own.port}/`;
    const inFlight = fetch(url).then(async (answer) => answer.text());
    await arrived.promise;
    const closed = own.close(5_000);
    await assert.rejects(fetch(url));
    assert.equal(await inFlight, 'finished');
    await closed;
  });

  test('answers 503 with Retry-After from the moment the port is bound until the server is open', async () => {
    const own = await listen('127.0.0.1', 0, createLog('silent'));
    const answer = await fetch(`http://127.0.0.1:${own.port}/`);
    assert.equal(answer.headers.get('retry-after'), '1');
    await problem(answer, 503, 'unavailable').catch(() => undefined);
    assert.equal(answer.status, 503);
    await own.close(0);
  });
});
