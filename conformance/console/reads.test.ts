import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createVisitor, createWorld, type Bootstrap, type Visitor, type World } from '@steward/conformance/world';

const owner = 'owner@example.com';

interface Line {
  readonly at: number;
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly alone?: true;
}

interface Read {
  readonly path: string;
  readonly body?: unknown;
}

describe('what a page of the console reads in one request', () => {
  let world: World;
  let shop: Bootstrap;
  let visitor: Visitor;
  let api: string;
  before(async () => {
    world = await createWorld();
    shop = await world.signUp(owner);
    api = `/console/api/o/${shop.tenant}`;
    visitor = createVisitor(new URL(world.server.addresses.portal).origin);
    await visitor.signIn(owner);
    // Documents are known once the console is built.
    while ((await visitor.go('/')).status === 503);
  });
  after(async () => world[Symbol.asyncDispose]());

  const ask = async (reads: unknown, { by = visitor, at = api } = {}) =>
    by.ask(`${at}/reads`, { method: 'POST', body: { reads } });
  const read = async (reads: readonly Read[]): Promise<readonly Line[]> => {
    const answer = await ask(reads);
    assert.equal(answer.status, 200, answer.text);
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    return lines.toSorted((a, b) => a.at - b.at);
  };

  test('is answered as each alone is: every route, whatever it answers', async () => {
    const document = new URL('../../docs/reference/openapi.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
    const reads = Object.entries(paths).flatMap(([path, methods]) => {
      const found = /^\/(?:portal|accounting|commerce|studio)\/api\/.+$/.test(path);
      return 'get' in methods && found ? [{ path: path.slice(1).replaceAll(/\{\w+\}/g, shop.tenant) }] : [];
    });
    assert.ok(reads.length > 60, `${reads.length} found`);
    for (let from = 0; from < reads.length; from += 16) {
      const some = reads.slice(from, from + 16);
      const lines = await read(some);
      assert.equal(lines.length, some.length);
      for (const [at, { path }] of some.entries()) {
        const line = lines[at];
        if (path.endsWith('/stream')) {
          assert.deepEqual(line, { at, alone: true });
          continue;
        }
        const alone = await visitor.ask(`${api}/${path}`);
        assert.deepEqual([line?.status, line?.type], [alone.status, alone.headers.get('content-type') ?? ''], path);
        assert.doesNotMatch(line?.body ?? '', /eyJhbGciOi/, path);
      }
    }
  });

  test('has what was read, in whatever order it came', async () => {
    const variables = {
      today: '2026-01-31',
      monthFrom: '2026-01-01',
      beforeFrom: '2025-12-01',
      beforeTo: '2025-12-31',
    };
    const lines = await read([
      { path: 'portal/api/members?limit=1' },
      { path: 'accounting/graphql', body: { document: 'home', variables } },
      { path: `commerce/api/contacts/${shop.tenant}` },
    ]);
    assert.match(lines[0]?.body ?? '', /owner@example\.com/);
    assert.match(lines[1]?.body ?? '', /"data":\{"profitAndLoss"/);
    assert.equal(lines[2]?.status, 404);
    assert.equal((JSON.parse(lines[2]?.body ?? '') as { code: string }).code, 'not_found');
  });

  test('is packed as the browser takes it, and says the same', async () => {
    const reads = [{ path: 'portal/api/members' }, { path: 'accounting/api/accounts' }];
    const said = new Set<string>();
    for (const [accepted, packed] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const answer = await visitor.ask(`${api}/reads`, { method: 'POST', body: { reads }, headers });
      assert.deepEqual([answer.status, answer.headers.get('content-encoding')], [200, packed]);
      said.add(answer.text.trimEnd().split('\n').toSorted().join('\n'));
    }
    assert.equal(said.size, 1);
    assert.match([...said].join(''), /owner@example\.com/);
  });

  test('changes nothing, reaches nothing but the API, and has a bound', async () => {
    const members = { path: 'portal/api/members' };
    for (const reads of [
      [],
      Array.from({ length: 17 }, () => members),
      [{ ...members, method: 'DELETE' }],
      [{ ...members, body: {} }],
      [{ path: 'accounting/graphql' }],
      [{ path: 'accounting/graphql', body: { query: '{ __typename }' } }],
      [{ path: 'accounting/graphql', body: { document: 'money-period-close', variables: { month: '2026-01-01' } } }],
      [members, { path: 'portal/approvals/x' }],
      [{ path: 'portal/api/../approvals' }],
      [{ path: `../${shop.tenant}/portal/api/members` }],
      [{ path: `o/${shop.tenant}/portal/api/members` }],
      [{ path: 'reads' }],
      [{ path: 7 }],
      'portal/api/members',
    ]) {
      const answer = await ask(reads);
      assert.equal(answer.status, 400, `${JSON.stringify(reads)} ${answer.text}`);
    }
    assert.equal((await visitor.ask(`${api}/reads`)).status, 405);
    const foreign = { method: 'POST', body: { reads: [members] }, headers: { 'sec-fetch-site': 'same-site' } };
    assert.equal((await visitor.ask(`${api}/reads`, foreign)).status, 400);
    assert.equal((await ask([{ path: 'x'.repeat(2_000_000) }])).status, 413);
  });

  test('is read as the person who asks, and by nobody who is not signed in', async () => {
    const other = await world.signUp('other@example.com');
    const stranger = createVisitor(new URL(world.server.addresses.portal).origin);
    const members = [{ path: 'portal/api/members' }];
    assert.equal((await ask(members, { by: stranger })).status, 401);
    await stranger.signIn('other@example.com');
    const answer = await ask(members, { by: stranger });
    assert.equal((JSON.parse(answer.text) as Line).status, 403);
    const theirs = await ask(members, { by: stranger, at: `/console/api/o/${other.tenant}` });
    assert.equal((JSON.parse(theirs.text) as Line).status, 200);
    assert.doesNotMatch(theirs.text, /owner@example\.com/);
  });
});
