import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createLog, createRouter, listen, type Listener } from '@steward/kernel';
import { mountRoutes } from './mount.ts';
import { type Guard, route } from './route.ts';

const anyone: Guard<undefined> = { security: 'none', errors: [], admit: () => undefined };
const common = { method: 'GET', summary: '', tag: '', does: 'for_anyone', guard: anyone, answers: {} } as const;

describe('a route that takes or answers a file', () => {
  let listener: Listener;
  let close: () => Promise<void>;
  let url: string;
  const seen = { handed: 0, ended: Promise.withResolvers<void>() };
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        seen.handed += 1;
        yield Buffer.alloc(65_536, 'x');
      }
    } finally {
      seen.ended.resolve();
    }
  }
  async function* broken(): AsyncGenerator<string> {
    yield 'begun';
    throw new Error('the source broke');
  }
  before(async () => {
    const log = createLog('silent');
    listener = await listen('127.0.0.1', 0, log);
    const routes = [
      route({
        ...common,
        path: '/lines',
        handle: () => ({ status: 200, stream: whole(), type: 'text/csv', headers: { 'x-kept': 'yes' } }),
      }),
      route({ ...common, path: '/endless', handle: () => ({ status: 200, stream: endless() }) }),
      route({ ...common, path: '/broken', handle: () => ({ status: 200, stream: broken() }) }),
      route({
        ...common,
        method: 'POST',
        path: '/file',
        upload: { types: ['application/json', 'image/png'], mostBytes: 10 },
        handle: ({ body }) => ({ status: 200, text: String(body), type: 'text/plain' }),
      }),
      route({ ...common, path: '/text', handle: () => ({ status: 200, text: 'plain', type: 'text/plain' }) }),
    ];
    const router = await createRouter({
      server: listener.server,
      doors: [],
      log,
      observe: () => undefined,
      mounts: [{ base: undefined, register: (scope) => mountRoutes(scope, routes) }],
    });
    listener.open(router.handle);
    close = router.close;
    url = `http://127.0.0.1:${listener.port}`;
  });
  after(async () => {
    await listener.close(1_000);
    await close();
  });
  async function* whole(): AsyncGenerator<string | Buffer> {
    yield 'one\n';
    yield Buffer.from('two\n');
  }

  test('answers it whole, with its type and headers', async () => {
    const answer = await fetch(`${url}/lines`);
    assert.deepEqual([answer.headers.get('content-type'), answer.headers.get('x-kept')], ['text/csv', 'yes']);
    assert.equal(await answer.text(), 'one\ntwo\n');
    const text = await fetch(`${url}/text`);
    assert.deepEqual([text.headers.get('content-type'), await text.text()], ['text/plain', 'plain']);
  });

  test('takes files of its types alone, as they are, and names those to who sends another', async () => {
    const send = async (type: string, body = '{') =>
      fetch(`${url}/file`, { method: 'POST', body: Buffer.from(body), headers: { 'content-type': type } });
    assert.equal(await (await send('application/json')).text(), '{');
    assert.equal((await send('image/png', 'x'.repeat(11))).status, 413);
    for (const type of ['application/x-msdownload', 'application/zip', 'no type', '']) {
      const { status, code, detail } = (await (await send(type)).json()) as Record<string, unknown>;
      assert.deepEqual(
        [status, code, detail],
        [415, 'unsupported_media_type', 'Send the Content-Type of the body, one of application/json, image/png.'],
        type,
      );
    }
  });

  test('makes it no faster than it is read, and ends it when its reader leaves', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'readable');
    let before = -1;
    while (before !== seen.handed) {
      before = seen.handed;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.ok(seen.handed * 65_536 < 32e6, `${seen.handed} chunks were made for nobody`);
    socket.destroy();
    await seen.ended.promise;
  });

  test('cuts off one that breaks, so that nobody takes it for whole', async () => {
    const answer = await fetch(`${url}/broken`);
    await assert.rejects(answer.text());
  });
});
