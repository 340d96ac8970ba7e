import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { bodyLimit, parseJson } from '@steward/kernel';
import { createWorld, nonsense as values, type World } from '@steward/conformance/world';

interface Route {
  readonly method: string;
  readonly path: string;
  /** Parameters of its query that it reads. */
  readonly reads?: readonly string[];
  /** It takes bodies that are no JSON, by a reader of its own. */
  readonly ownReader?: boolean;
}

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Bodies that no route may stumble over, as raw text or bytes. */
const bodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '9007199254740993',
  '"text"',
  '[]',
  '[[]]',
  '{}',
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"":""}',
  '"\\ud800"',
  '{"name":"\\u0000","email":"\\u0000","type":"\\u0000","idempotency_key":"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000"}',
  '{"organizationName":"\\u0000","idempotencyKey":"\\u0000"}',
  deep(31),
  deep(33),
  deep(20_000),
  `{"name":"${'x'.repeat(900_000)}"}`,
  // Beyond what any of them takes but files.
  `"${'x'.repeat(2_000_000)}"`,
  '{"name":',
  '\ufeff{}',
  new Uint8Array([0xff, 0xfe, 0x00]),
  '{"query":"{__typename}","variables":{"__proto__":1}}',
  JSON.stringify({ query: `{${'a{'.repeat(5_000)}` }),
  JSON.stringify({ query: '{__typename}'.repeat(20_000) }),
];

/** Whether a route reads what is in it; else the one reader of JSON refuses it, or the first word of every schema does. */
const isObject = (body: string | Uint8Array): boolean => {
  const bytes = Buffer.from(body);
  if (bytes.length > bodyLimit) return false;
  try {
    const value = parseJson(bytes);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

describe('hostile input', () => {
  let world: World;
  let origin: string;
  let token: string;
  let tenant: string;
  let routes: Route[];
  before(async () => {
    world = await createWorld();
    origin = new URL(world.server.addresses.mcp).origin;
    ({ tenant, token } = await world.signUp('hostile@example.com', 'Hostile'));
    const document = JSON.parse(
      await readFile(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
    ) as { paths: Record<string, Record<string, Described>> };
    routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        reads: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
        ownReader: Object.keys(requestBody?.content ?? {}).some((type) => type !== 'application/json'),
      })),
    );
    routes.push(
      { method: 'POST', path: '/accounting/graphql', ownReader: true },
      { method: 'POST', path: '/mcp', ownReader: true },
      { method: 'POST', path: '/rpc', ownReader: true },
      { method: 'POST', path: `/mcp/t/${tenant}`, ownReader: true },
      { method: 'POST', path: '/idp/token', ownReader: true },
      { method: 'POST', path: '/idp/reg', ownReader: true },
    );
  });
  after(async () => world[Symbol.asyncDispose]());

  interface Answer {
    readonly status: number;
    readonly text: string;
  }
  const about = (body: unknown, headers: Record<string, string>): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    'x-tenant-id': tenant,
    'idempotency-key': 'hostile-key',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });
  const agent = new Agent({ keepAlive: true });
  after(() => agent.destroy());
  /** The status and what was said; a hang fails by the signal. Not by `fetch`, which takes most of the time of so many requests. */
  const send = async (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request(origin + path, { method, agent, headers: about(body, headers), signal: AbortSignal.timeout(15_000) })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
    const answer = await promise;
    return { status: answer.statusCode ?? 0, text: await text(answer) };
  };
  /** By `fetch`, which takes the answer that comes before the whole body has left. */
  const sendBody = async (method: string, path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> => {
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(origin + path, { method, headers: about(body, {}), body, signal });
    return { status: answer.status, text: await answer.text() };
  };
  const sane = (answer: Answer, what: string): void => {
    // What a provider would have to answer is told so where there is none (contracts §8).
    const unconfigured = answer.status === 503 && answer.text.includes('"code":"provider_not_configured"');
    assert.ok(answer.status < 500 || unconfigured, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    assert.doesNotMatch(
      answer.text,
      // Places in the program: looked for alone, as every word "at" of a long answer would be followed to its end.
      /\.ts:\d|syntax error at|violates|node_modules/,
      `${what} tells too much: ${answer.text.slice(0, 300)}`,
    );
  };
  const concrete = (path: string, value = '01900000-0000-7000-8000-000000000000'): string =>
    path.replace(/\{\w+\}/g, encodeURIComponent(value));

  test('every route answers every body with less than 500', async () => {
    const objects = bodies.filter(isObject);
    const refused = bodies.filter((body) => !isObject(body));
    assert.ok(objects.length > 5 && refused.length > 5, `${objects.length} are objects`);
    for (const [at, { method, path, ownReader = false }] of routes.filter((one) => one.method !== 'GET').entries()) {
      // What is refused alike for all routes: two each, others at each route.
      const sent = ownReader
        ? bodies
        : [...objects, ...[0, 1].map((more) => refused[(2 * at + more) % refused.length] ?? '')];
      for (const body of sent)
        sane(await sendBody(method, concrete(path), body), `${method} ${path} body ${bodies.indexOf(body)}`);
    }
  });

  test('every route answers every path and query value with less than 500', async () => {
    const textOf = (value: unknown): string =>
      (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
    for (const [index, { method, path, reads = [] }] of routes.entries()) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
      if (path.includes('{'))
        for (const given of values.map(textOf))
          sane(await send(method, concrete(path, given), body), `${method} ${path} ← ${given.slice(0, 40)}`);
      if (method !== 'GET') continue;
      // What a route does not read is refused by its name alone: one value each, another one at each route.
      const unread = ['limit', 'cursor', 'type', 'before', 'from', '__proto__'].filter((name) => !reads.includes(name));
      for (const [name, given] of [
        ...reads.flatMap((one) => values.map((value) => [one, textOf(value)] as const)),
        ...unread.map((one, at) => [one, textOf(values[(index + at) % values.length])] as const),
      ])
        sane(
          await send(method, `${concrete(path)}?${name}=${encodeURIComponent(given)}&${name}=2`),
          `${method} ${path}?${name}=${given.slice(0, 40)}`,
        );
    }
  });

  test('every header that is read may hold anything', async () => {
    for (const name of [
      'authorization',
      'x-tenant-id',
      'idempotency-key',
      'x-request-id',
      'prefer',
      'origin',
      'mcp-protocol-version',
      'mcp-method',
      'accept',
      'if-none-match',
      'content-type',
      'content-encoding',
      'x-forwarded-for',
    ]) {
      for (const value of [
        '',
        'x',
        'Bearer',
        'Bearer ',
        `Bearer ${'a'.repeat(9_000)}`,
        'Bearer a.b.c',
        `Bearer ${token}x`,
        '\u00ff\u00fe',
        ',,,',
        '../..',
        'null',
        '{}',
        '1'.repeat(300),
      ]) {
        for (const path of [
          '/portal/api/organization',
          '/accounting/api/audit/events',
          '/accounting/graphql?query={__typename}',
          '/mcp/manifest',
        ]) {
          sane(await send('GET', path, undefined, { [name]: value }), `${path} ${name}: ${value.slice(0, 30)}`);
        }
        for (const path of ['/mcp', '/portal/api/external-agent/signup', '/accounting/api/audit/events']) {
          sane(
            await send('POST', path, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { [name]: value }),
            `${path} ${name}: ${value.slice(0, 30)}`,
          );
        }
      }
    }
  });

  test('every tool answers every argument with an error result or a protocol error', async () => {
    const rpc = async (method: string, params: unknown): Promise<Answer> =>
      send('POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    const list = JSON.parse((await rpc('tools/list', {})).text) as {
      result: { tools: { name: string; inputSchema: { properties?: Record<string, unknown> } }[] };
    };
    assert.ok(list.result.tools.length >= 7);
    // What one machinery reads of all tools, before the tool: one value each, another one at each tool.
    const shared = ['tenant_id', 'preview', 'idempotency_key', '__proto__', 'unknown'];
    for (const [index, { name, inputSchema }] of list.result.tools.entries()) {
      const own = Object.keys(inputSchema.properties ?? {}).filter((argument) => !shared.includes(argument));
      for (const [at, value] of values.entries()) {
        sane(await rpc('tools/call', { name, arguments: value }), `${name}(${JSON.stringify(value).slice(0, 40)})`);
        const turn = shared.filter((_argument, place) => (index + place) % values.length === at);
        for (const argument of [...own, ...turn]) {
          const answer = await rpc('tools/call', {
            name,
            arguments: JSON.parse(`{${JSON.stringify(argument)}:${JSON.stringify(value)}}`),
          });
          sane(answer, `${name}.${argument} ← ${JSON.stringify(value).slice(0, 40)}`);
          assert.doesNotMatch(
            answer.text,
            /internal_error/,
            `${name}.${argument} ← ${JSON.stringify(value).slice(0, 40)}`,
          );
        }
      }
    }
  });

  test('a body that never ends is cut off, and the server goes on answering', async () => {
    const { port } = new URL(origin);
    const slow = Array.from({ length: 20 }, (_, index) => {
      const socket = connect(Number(port), '127.0.0.1');
      const path = index % 2 === 0 ? '/mcp' : '/accounting/api/audit/events';
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nX-Tenant-ID: ${tenant}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      socket.on('error', () => undefined);
      return socket;
    });
    sane(await send('GET', '/portal/api/organization'), 'while others stall');
    for (const socket of slow) socket.destroy();
    sane(await send('POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'), 'after they left');
  });

  test('what is not HTTP, or smuggles, is refused and harms nobody', async () => {
    const { port } = new URL(origin);
    const raw = async (sent: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.end(sent));
        let got = '';
        socket.on('data', (chunk) => (got += String(chunk)));
        socket.on('close', () => resolve(got));
        socket.on('error', () => resolve(got));
        setTimeout(() => socket.destroy(), 3_000).unref();
      });
    const host = `Host: 127.0.0.1:${port}\r\n`;
    for (const sent of [
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\n${host}Bad Header: x\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
      '\u0000\u0001\u0002',
    ]) {
      const answer = await raw(sent);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 [25]\d\d/, sent.slice(0, 60));
    }
    sane(await send('GET', '/portal/api/organization'), 'afterwards');
  });

  test('all that came of it stands in the log: what is there agrees with what was recorded', async () => {
    const { code, out } = await world.command(['audit', 'verify']);
    assert.equal(code, 0, out);
  });

  test('nothing of it was logged as a failure of ours', () => {
    assert.doesNotMatch(world.server.output(), /"level":50/, world.server.output().slice(-2_000));
  });
});
