import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { json } from 'node:stream/consumers';
import { newId } from '@steward/kernel';
import { createWorld, type Json, type World } from '../world/index.ts';

const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security: readonly unknown[] }>>>>;
};

/** Names and values by turns, as they go over the wire. */
type Headers = readonly string[];

describe('a request carries one credential in one place, at every door that asks for one', () => {
  let world: World;
  let tenant: string;
  let token: string;
  let doors: readonly (readonly [method: string, url: string])[];

  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('owner@example.com'));
    const { portal, accounting, mcp, mcpAlias } = world.server.addresses;
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, { security }]) => security.length > 0)
        .map(([method]) => [method.toUpperCase(), new URL(path.replaceAll(/\{\w+\}/g, newId()), portal).href] as const),
    );
    assert.ok(routes.length > 90, 'they were found');
    const tools = [mcp, mcpAlias, `${mcp}/t/${tenant}`, `${mcp}/p/crm`].map((url) => ['POST', url] as const);
    doors = [...routes, ['POST', `${accounting}/graphql`], ...tools, ['GET', `${mcp}/manifest`]];
  });
  after(async () => world[Symbol.asyncDispose]());

  const ask = async ([method, url]: readonly [string, string], query: string, headers: Headers) => {
    const sent = request(`${url}${query}`, { method, headers: [...headers, 'host', new URL(url).host] });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = (await json(answer).catch(() => ({}))) as Json;
    return {
      status: answer.statusCode,
      code: String(body['code'] ?? ''),
      challenge: answer.headers['www-authenticate'],
    };
  };
  const each = async (query: string, headers: Headers, expected: readonly [number, string]): Promise<void> => {
    for (const door of doors) {
      const { status, code } = await ask(door, query, headers);
      assert.deepEqual([status, code], expected, door.join(' '));
    }
  };
  const authorization = (...values: readonly string[]): string[] => values.flatMap((value) => ['authorization', value]);

  test('a token in the address is challenged where it stands alone, and refused beside a header', async () => {
    for (const query of [`?access_token=${token}`, '?x=1&access%5Ftoken=x', '?ACCESS_TOKEN=x']) {
      await each(query, [], [401, 'unauthenticated']);
      await each(query, [...authorization(`Bearer ${token}`), 'x-tenant-id', tenant], [400, 'invalid_request']);
    }
    for (const door of doors) {
      const { challenge } = await ask(door, '?access_token=x', []);
      assert.match(String(challenge), /^Bearer/, door.join(' '));
    }
  });

  test('two headers that differ, or a doubled tenant, are refused', async () => {
    for (const values of [
      [`Bearer ${token}`, 'Bearer another'],
      ['Bearer another', `Bearer ${token}`],
    ])
      await each('', [...authorization(...values), 'x-tenant-id', tenant], [400, 'invalid_request']);
    const doubled = [...authorization(`Bearer ${token}`), 'X-Tenant-ID', tenant, 'x-tenant-id', tenant];
    await each('', doubled, [400, 'invalid_request']);
  });

  test('spaces after the scheme are as many as the sender likes', async () => {
    for (const door of doors) {
      const outcomes = await Promise.all(
        [' ', '  ', '      '].map(async (spaces) => {
          const { status, code } = await ask(door, '', authorization(`Bearer${spaces}${token}`));
          return `${status} ${code}`;
        }),
      );
      assert.equal(new Set(outcomes).size, 1, `${door.join(' ')}: ${outcomes.join(', ')}`);
      assert.doesNotMatch(outcomes[1] ?? '', /unauthenticated/);
    }
  });
});
