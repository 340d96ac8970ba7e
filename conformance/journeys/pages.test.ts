import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '../world/index.ts';

describe('pages that the product serves of itself', () => {
  let world: World;
  let origin: string;
  const get = async (
    url: string,
    more: Record<string, string> = {},
  ): Promise<{ status: number; type: string; text: string; headers: Headers }> => {
    const answer = await fetch(new URL(url, origin), { headers: more });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, text: await answer.text(), headers: answer.headers };
  };
  before(async () => {
    world = await createWorld();
    ({ origin } = new URL(world.server.addresses.portal));
  });
  after(async () => world[Symbol.asyncDispose]());

  test('the root tells a browser what runs here and how to connect, and each of its links leads somewhere', async () => {
    const { status, type, text, headers } = await get('/');
    assert.deepEqual([status, type], [200, 'text/html; charset=utf-8']);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const { mcp, portal } = world.server.addresses;
    for (const part of [mcp, `${portal}/approvals`, 'claude mcp add', 'no password'])
      assert.ok(text.includes(part), part);
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
    assert.ok(links.length > 4, 'they were found');
    // As a browser asks: an address of the API may have a page for people.
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const href of links) assert.equal((await get(href, { accept })).status, 200, href);
    assert.equal((await fetch(origin, { method: 'HEAD' })).status, 200);
  });

  test('a browser is shown words where nothing is for it, and the product’s icon; programs are answered as ever', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const url of [world.server.addresses.portal, '/none']) {
      const page = await get(url, { accept });
      assert.deepEqual([page.status, page.type], [404, 'text/html; charset=utf-8'], url);
      assert.match(page.text, /<a href="\/about">/);
      for (const asked of ['application/json', '*/*', 'application/problem+json, text/htmlx'])
        assert.equal((await get(url, { accept: asked })).type, 'application/problem+json', `${url} ${asked}`);
    }
    const icon = await get('/favicon.ico');
    assert.deepEqual([icon.status, icon.type.split(';')[0]], [200, 'image/svg+xml']);
    assert.match(icon.headers.get('cache-control') ?? '', /max-age=[1-9]/);
  });

  test('the type of every refusal leads to a page that says what its code means', async () => {
    const { mcp, storefront, portal, accounting } = world.server.addresses;
    const refusals = [`${portal}/api/members`, `${mcp}`, `${storefront}/forms/x/schema`, `${accounting}/none`, '/none'];
    for (const url of refusals) {
      const { text, type } = await get(url);
      assert.equal(type.split(';')[0], 'application/problem+json', url);
      const problem = JSON.parse(text) as { type: string; code: string };
      const page = await get(problem.type);
      assert.deepEqual([page.status, page.type], [200, 'text/html; charset=utf-8'], problem.type);
      assert.ok(page.text.includes(`id="${new URL(problem.type).hash.slice(1)}"`), problem.type);
      assert.equal(new URL(problem.type).hash, `#${problem.code}`);
    }
  });

  test('every code that the reference knows has its anchor there', async () => {
    const reference = await readFile(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8');
    const codes = [...reference.matchAll(/<a id="([a-z0-9_]+)">/g)].map(([, code = '']) => code);
    assert.ok(codes.length > 80, 'they were found');
    const { text } = await get('/docs/errors');
    assert.deepEqual(
      codes.filter((code) => !text.includes(`id="${code}"`)),
      [],
    );
  });
});
