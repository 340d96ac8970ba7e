import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeServiceToken } from '@steward/identity';
import { createWorld, hireAgent, openShop, type Json, type Shop, type World } from '@steward/conformance/world';
import { bodies as rawBodies } from './bodies.ts';
import { documents } from './documents.ts';
import { files } from './files.ts';
import { fill, jsonOf, takesText, type Round } from './fill.ts';
import { furnish, type Furniture } from './furnish.ts';
import { hostileLists, hostileTexts, longest, type Shape } from './hostile.ts';
import { graphOperations, restOperations, toolNames } from './operations.ts';
import { most, Watch, type Sent } from './watch.ts';

// The longest hostile value of each kind for every argument of every tool, field of the graph, route and form, all found by
// enumeration: what is added later is in here by itself, and what cannot be filled fails.

/** All of them are sent where there is a reader of its own; everybody else shares one. */
const mostEverywhere = 3;
/** Milliseconds; for a machine that is very busy. */
const timeout = 900_000;
const json = { 'content-type': 'application/json' };
const texts = Object.keys(hostileTexts);
const unknownId = '0190a0a0-0000-7000-8000-00000000000a';

interface Listed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

describe('no request holds up another one', { timeout }, () => {
  const service = makeServiceToken('stall');
  let world: World;
  let watch: Watch;
  let shop: Shop;
  let furniture: Furniture;
  let folder: string;
  let origin: string;
  let tenant: string;
  let tools: ReadonlyMap<string, Listed>;
  let known: Round['known'];
  /** At the approval page: may decide, and do everything else. */
  let owner: Readonly<Record<string, string>>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-stall-'));
    const port = join(folder, 'port');
    world = await createWorld({
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('probe.ts', import.meta.url))}`,
      STALL_PROBE: port,
      SERVICE_TOKENS: service.entry,
      STOREFRONT_PER_IP_PER_MINUTE: '1000000',
      STOREFRONT_PER_KEY_PER_MINUTE: '1000000',
    });
    ({ origin } = new URL(world.server.addresses.mcp));
    watch = new Watch(`${origin}/healthz`, `http://127.0.0.1:${await readFile(port, 'utf8')}`);
    await using agent = await hireAgent(world, 'owner@example.com');
    ({ tenant } = agent);
    shop = await openShop(agent, ['https://shop.example'], []);
    const token = await world.token({ user: 'owner@example.com', approver: true });
    owner = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant };
    tools = await listed({ authorization: `Bearer ${agent.token}`, 'x-tenant-id': tenant });
    furniture = await furnish(use, shop, (name) => tools.get(name)?.shape ?? {});
    const file = (turn: number): string => files[turn % files.length]?.content ?? '';
    known = {
      ...furniture.known,
      tenantid: () => tenant,
      format: (_at, turn) => files[turn % files.length]?.format,
      content: (_at, turn) => file(turn),
      contentbase64: (_at, turn) =>
        Buffer.from(turn < 4 ? file(turn) : 'x')
          .toString('base64')
          .slice(0, 900_000),
    };
  });
  after(async () => {
    watch[Symbol.dispose]();
    await world[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** Rounds of one operation: each text and each file within its bounds, then everything beyond them, then very many items. */
  function* rounds(shape: Shape): Generator<Round> {
    const turns = JSON.stringify(shape).includes('"content')
      ? Math.max(texts.length, files.length)
      : takesText(shape, known)
        ? texts.length
        : 2;
    const ground = { room: longest, mostItems: 5, known };
    for (let turn = 0; turn < turns; turn += 1)
      yield { ...ground, turn, text: texts[turn % texts.length] ?? '', within: true };
    for (const [turn, text] of ['zeros', 'marks'].entries())
      yield { ...ground, turn, text, within: false, mostItems: 2 };
    if (!JSON.stringify(shape).includes('"items"')) return;
    yield { ...ground, turn: 0, text: 'digits', within: true, room: 10, mostItems: 20_000 };
    yield { ...ground, turn: 0, text: 'digits', within: false, room: 10, mostItems: 16_000 };
  }

  /** Bodies of the shape, each once and as a rule within what a body may have. */
  function* bodies(shape: Shape): Generator<{ readonly what: string; readonly body: string }> {
    const seen = new Set<string>();
    for (const round of rounds(shape)) {
      let smaller = round;
      let body = jsonOf(fill(shape, smaller));
      while (body.length > 1_000_000 && (smaller.room > 1 || smaller.mostItems > 1)) {
        smaller = { ...smaller, room: Math.max(1, smaller.room >> 1), mostItems: Math.max(1, smaller.mostItems >> 1) };
        body = jsonOf(fill(shape, smaller), smaller.room);
      }
      if (seen.has(body)) continue;
      seen.add(body);
      yield {
        what: `${round.text}, ${round.within ? 'within' : 'beyond'} bounds, turn ${round.turn}, ${round.mostItems} items`,
        body,
      };
    }
  }

  async function quiet(requests: Iterable<Sent>): Promise<void> {
    const answers = await watch.all(requests);
    if (process.env['STALL_TELLS'] !== undefined)
      for (const [name, said] of answers)
        console.log(name, [...said].map(([code, count]) => `${code}:${count}`).join(' '));
    assert.deepEqual(watch.unanswered.splice(0), [], 'every request is answered');
    assert.deepEqual(watch.stalls.splice(0), [], `the thread is at work for more than ${most} ms`);
  }

  test('no list is taken that says no length, since every item that is wrong makes a fault', () => {
    const taken = [
      ...tools,
      ...restOperations().flatMap(({ path, bodies: of }) =>
        Object.values(of).map((shape) => [path, { shape }] as const),
      ),
    ];
    assert.deepEqual(
      taken.flatMap(([name, { shape }]) => unbounded(shape, name)),
      [],
    );
  });

  test('whatever the arguments of a tool are', { timeout }, async () => {
    assert.deepEqual([...tools.keys()].toSorted(), toolNames().toSorted());
    await quiet(
      tools.entries().flatMap(function* ([name, { url, headers, shape }]): Generator<Sent> {
        for (const { what, body } of bodies(shape))
          yield { name, what, method: 'POST', url, headers, body: calling(name, body) };
      }),
    );
  });

  test('whatever a visitor sends to a form', { timeout }, async () => {
    const url = `${world.server.addresses.storefront}/forms/${furniture.formId}/submit`;
    const headers = { ...json, 'x-service-sdk-key': shop.key };
    const list = Array.from({ length: 16_000 }, (_one, at) => at.toString(36));
    // As long as it may be: 64 KiB of JSON.
    const longestOf = (text: string): string | undefined => {
      const made = hostileTexts[text];
      const bytes = Buffer.byteLength(JSON.stringify(made?.(1_000))) / 1_000;
      return made?.(Math.floor(64_000 / bytes));
    };
    const values = [...texts.map(longestOf), list];
    await quiet(
      furniture.fields.flatMap((name) =>
        values.map((value, index): Sent => {
          const data = { ...(name === 'email' ? {} : { email: 'ada@example.com' }), [name]: value };
          return { name, what: texts[index] ?? 'many items', method: 'POST', url, headers, body: jsonOf({ data }) };
        }),
      ),
    );
  });

  test('whatever a route is sent that the reference describes', { timeout }, async () => {
    await quiet(
      restOperations().flatMap(({ method, path, query, bodies: of }) => {
        const name = `${method} ${path}`;
        const url = origin + path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => idOf(key));
        const headers = { ...owner, 'x-service-sdk-key': shop.key };
        const asked = { type: 'object', properties: query };
        const sent: Sent[] = [];
        for (const [type, shape] of Object.entries(of))
          for (const { what, body } of type === 'application/json'
            ? bodies(shape)
            : [{ what: type, body: files[0]?.content ?? '' }])
            sent.push({ name, what, method, url, headers: { ...headers, 'content-type': type }, body });
        const room = Math.floor(3_000 / Math.max(1, Object.keys(query).length));
        for (const round of Object.keys(query).length === 0 ? [] : rounds(asked)) {
          const given = Object.entries(fill(asked, { ...round, room, mostItems: 0 }) as object);
          const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
          sent.push({ name, method, url: `${url}?${search.slice(0, 12_000)}`, headers });
        }
        return sent;
      }),
    );
  });

  test('whatever any address is sent, and a stranger is not read at all', { timeout }, async () => {
    const { routes } = await watch.seen();
    const described = restOperations().map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    assert.deepEqual(
      described.filter((one) => !routes.includes(one)),
      [],
      'all that is described is served',
    );
    const places = [
      ...routes,
      ...doors.map((door) => `POST ${door}`),
      'POST /no/such/address',
      'PUT /portal/api/billing',
    ];
    assert.ok(places.length > 150, `${places.length} addresses were seen`);
    const read: string[] = [];
    for (const place of places.filter((one) => /^(?:POST|PUT|PATCH|DELETE) /.test(one))) {
      const { method, url } = at(place);
      const { text } = await watch.send({ method, url, headers: json, body: '{"a":1,"a":2}' });
      if (text.includes('twice')) read.push(place);
    }
    assert.deepEqual(read, []);
    await quiet(
      places.flatMap((place): Sent[] => {
        const { method, url } = at(place);
        const query = `${url}?${'a[]=1&'.repeat(1_500)}`;
        const asked: Sent = { name: place, method, url: query, headers: owner };
        if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return [asked];
        return (
          place === 'POST /mcp' || place.endsWith('/graphql') ? rawBodies : rawBodies.slice(0, mostEverywhere)
        ).map((body, index) => ({
          name: place,
          what: `body ${index}`,
          method,
          url,
          headers: { ...owner, ...json },
          body,
        }));
      }),
    );
  });

  test('whatever an operation of the graph is', { timeout }, async () => {
    const at = { method: 'POST', url: `${world.server.addresses.accounting}/graphql`, headers: { ...owner, ...json } };
    await quiet(
      documents.map((query, index) => ({ ...at, name: `document ${index}`, body: JSON.stringify({ query }) })),
    );
    await quiet(
      graphOperations()
        .values()
        .flatMap(function* ({ name, query, shape }): Generator<Sent> {
          for (const { what, body } of bodies(shape))
            yield { ...at, name, what, body: `{"query":${JSON.stringify(query)},"variables":${body}}` };
        }),
    );
  });

  test('whatever stands in an address', { timeout }, async () => {
    const { routes } = await watch.seen();
    await quiet(
      [...routes, ...doors.map((door) => `GET ${door}/:rest`), 'GET /docs/:page'].flatMap((place) => {
        const names = [...place.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
        return names.flatMap((name) =>
          Object.entries(hostile).flatMap(([what, make]): Sent[] => {
            const { method, url } = at(place.replace(`:${name}`, '\0'));
            return [250, 12_000].map((length) => ({
              name: place,
              what: `${name}: ${what}`,
              method,
              url: url.replace('\0', () => encodeURIComponent(make(length)).slice(0, length).replace(/%.?$/, '')),
              headers: { ...owner, ...json },
              ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
            }));
          }),
        );
      }),
    );
  });

  test('whatever stands in the headers that something reads', { timeout }, async () => {
    const { routes } = await watch.seen();
    const places = [
      ...routes,
      ...doors.map((door) => `POST ${door}`),
      'GET /mcp/manifest',
      'GET /idp/authorize',
      'GET /',
    ];
    const sent = (place: string, what: string, more: Readonly<Record<string, string>>): Sent => {
      const { method, url } = at(place);
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: '{}' };
      const headers = { ...owner, ...json, 'x-service-sdk-key': shop.key, ...more };
      return { name: place, what, method, url, headers, ...body };
    };
    await quiet(places.map((place) => sent(place, 'nothing', {})));
    // Of these Node's own parser makes what it makes, before any code of ours.
    const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade']);
    const { headers } = await watch.seen();
    const readAt = (place: string): string[] => {
      const { method, url } = at(place);
      return (headers[`${method} ${new URL(url).pathname}`] ?? []).filter((name) => !framing.has(name));
    };
    const read = new Map<string, string[]>();
    for (const place of places) for (const name of readAt(place)) read.set(name, [...(read.get(name) ?? []), place]);
    for (const name of [
      'authorization',
      'x-tenant-id',
      'origin',
      'host',
      'idempotency-key',
      'content-type',
      'if-none-match',
    ])
      assert.ok(read.has(name), `${name} is read, and was not seen`);
    // What is read nearly everywhere is read by the same code; these are read once there is more to a request.
    for (const [name, everywhere] of read) if (everywhere.length > 20) read.set(name, everywhere.slice(0, 2));
    const samples = [
      'POST /mcp',
      'GET /mcp/manifest',
      'POST /idp/token',
      'GET /idp/authorize',
      'POST /accounting/graphql',
    ];
    for (const name of [...read.keys(), 'cookie', 'mcp-method', 'mcp-name', 'mcp-param-x', 'forwarded', 'traceparent'])
      read.set(name, [...new Set([...(read.get(name) ?? []), ...samples])]);
    const texts = new Set(Object.values(hostile).map((make) => make(12_000).replaceAll(/[^\t\x20-\x7e]/g, '~')));
    await quiet(
      read.entries().flatMap(function* ([name, where]): Generator<Sent> {
        for (const place of where)
          for (const text of texts) {
            const what = `${name}: ${text.slice(0, 20)}`;
            yield sent(place, what, { [name]: text });
            if (name === 'authorization') yield sent(place, `${what}, a token`, { [name]: `Bearer ${text}` });
          }
      }),
    );
  });

  test('whatever stands in a query or form that something reads', { timeout }, async () => {
    const issuer = `${origin}/idp`;
    const { text } = await watch.send({
      method: 'GET',
      url: `${issuer}/.well-known/openid-configuration`,
      headers: {},
    });
    const endpoints = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>)
      .filter(([name]) => name.endsWith('_endpoint'))
      .map(([, address]) => String(address));
    assert.ok(endpoints.length > 3, text);
    const names =
      'acr_values claims_locales client_id client_secret code code_challenge code_challenge_method code_verifier display grant_type id_token_hint login_hint max_age nonce prompt redirect_uri refresh_token registration request request_uri resource response_mode response_type scope state subject_token token ui_locales'.split(
        ' ',
      );
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const client = `client_id=steward-console&redirect_uri=${encodeURIComponent(`${origin}/portal/approvals/signed-in`)}`;
    const asked = `${client}&response_type=code&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`;
    const opened = await fetch(`${issuer}/authorize?${asked}`, { redirect: 'manual' });
    const login = new URL(opened.headers.get('location') ?? '', origin).href;
    assert.match(login, /\/idp\/interaction\//, await opened.text());
    const cookie = opened.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const value = (make: (length: number) => string, length: number): string =>
      encodeURIComponent(make(length)).slice(0, length).replace(/%.?$/, '');
    await quiet(
      [...endpoints, login, `${origin}/`].values().flatMap(function* (url): Generator<Sent> {
        for (const [what, make] of Object.entries(hostile)) {
          const raw = make(url === login ? 16_000 : 55_000).replaceAll(/[^\t\x20-\x7e]/g, '~');
          yield { name: url, what: `form: ${what}`, method: 'POST', url, headers: { ...form, cookie }, body: raw };
          yield {
            name: url,
            what: `query: ${what}`,
            method: 'GET',
            url: `${url}?${raw.slice(0, 12_000)}`,
            headers: {},
          };
          if (url === login)
            for (const name of ['email', 'action', 'tenant']) {
              const body = `${name}=${value(make, 15_000)}`;
              yield { name: url, what: `${name}: ${what}`, method: 'POST', url, headers: { ...form, cookie }, body };
            }
          else if (/token|authorize|auth$/.test(url))
            for (const name of names) {
              const about = { name: url, what: `${name}: ${what}` };
              const query = `${asked}&${name}=${value(make, 11_000)}`;
              if (!url.endsWith('/token')) yield { ...about, method: 'GET', url: `${url}?${query}`, headers: {} };
              const body = `${client}&grant_type=authorization_code&${name}=${value(make, 50_000)}`;
              yield { ...about, method: 'POST', url, headers: form, body };
            }
        }
      }),
    );
  });

  const hostile = { ...hostileTexts, ...hostileLists };
  /** Addresses that a door owns, which no router tells of. */
  const doors = [
    '/mcp',
    '/rpc',
    '/mcp/manifest',
    '/sse',
    '/messages',
    '/idp/token',
    '/idp/register',
    '/idp/authorize',
    '/idp/no',
  ];
  const idOf = (name: string): string => String(known[name.toLowerCase()]?.(0, 0) ?? unknownId);
  const at = (place: string): { method: string; url: string } => {
    const [method = '', path = ''] = place.split(' ');
    const base = path === '/metrics' ? world.server.internalUrl : origin;
    return { method, url: base + path.replaceAll(/:(\w+)/g, (_all, key: string) => idOf(key)) };
  };
  const unbounded = (shape: Shape, place: string): string[] => [
    ...(shape.items !== undefined && shape.maxItems === undefined ? [place] : []),
    ...[shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? []]
      .flat()
      .flatMap((one) => unbounded(one as Shape, place)),
    ...Object.entries(shape.properties ?? {}).flatMap(([name, one]) => unbounded(one, `${place}/${name}`)),
    ...(typeof shape.additionalProperties === 'object' ? unbounded(shape.additionalProperties, `${place}/*`) : []),
  ];
  const calling = (name: string, args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`;

  /** @throws Error where the tool does not do it */
  async function use(name: string, args: Readonly<Record<string, unknown>>): Promise<Json> {
    const { url = '', headers = {} } = tools.get(name) ?? {};
    const { text } = await watch.send({ method: 'POST', url, headers, body: calling(name, JSON.stringify(args)) });
    const result = (JSON.parse(text) as Json)['result']?.['structuredContent'];
    if (String(result?.['status']) !== 'ok') throw new Error(`${name}: ${text.slice(0, 1_000)}`);
    return result?.['data'] as Json;
  }

  /** All tools of all addresses; those that only the platform's own callers see on the internal one. */
  async function listed(agent: Readonly<Record<string, string>>): Promise<Map<string, Listed>> {
    const found = new Map<string, Listed>();
    const list = async (url: string, who: Readonly<Record<string, string>>): Promise<Set<string>> => {
      const headers = { ...who, ...json };
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
      const { text } = await watch.send({ method: 'POST', url, headers, body });
      const { result } = JSON.parse(text) as {
        result: { tools: { name: string; inputSchema: Shape; _meta?: Json }[] };
      };
      const below = new Set<string>();
      for (const { name, inputSchema, _meta: told } of result.tools) {
        if (!found.has(name)) found.set(name, { url, headers, shape: inputSchema });
        const [pillar, area] = [told?.['pillar'], told?.['area']].map((one) => (one === undefined ? '' : String(one)));
        if (pillar !== '') below.add(`/p/${pillar}`);
        if (area !== '') below.add(`/p/${pillar}/${area}`);
      }
      return below;
    };
    const base = world.server.addresses.mcp;
    const addresses = await list(base, agent);
    for (const path of addresses) for (const more of await list(base + path, agent)) addresses.add(more);
    await list(`${world.server.internalUrl}/internal/mcp`, {
      authorization: `Bearer ${service.token}`,
      'x-tenant-id': tenant,
    });
    return found;
  }
});
