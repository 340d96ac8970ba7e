import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bodies as rawBodies } from './bodies.ts';
import { doors, hostile, json, createStallWorld, timeout, type StallWorld } from './world.ts';
import { restOperations } from './operations.ts';
import type { Sent } from './watch.ts';

// The same for every address, described or not, and for all that stands beside a body: parameters, headers, queries.

/** All of them are sent where there is a reader of its own; everybody else shares one. */
const mostEverywhere = 3;

describe('no request holds up another one', { timeout }, () => {
  let stall: StallWorld;
  before(async () => {
    stall = await createStallWorld();
  });
  after(async () => stall[Symbol.asyncDispose]());

  test('whatever any address is sent, and a stranger is not read at all', { timeout }, async () => {
    const { watch, owner, quiet, at } = stall;
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

  test('whatever stands in an address', { timeout }, async () => {
    const { watch, owner, quiet, at } = stall;
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
    const { watch, shop, owner, quiet, at } = stall;
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
    const { watch, origin, quiet } = stall;
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
});
