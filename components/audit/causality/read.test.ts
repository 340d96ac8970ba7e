import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

describe('the causality of one correlation', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  const append = async (correlation_id: string, causal_id: string | null): Promise<string> => {
    const event = sample({ correlation_id, causal_id });
    return (await one.audit.ingest(one.as(tenant, 'alice'), event, 'snake')).event.envelope.id;
  };
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one, 'with GraphQL');
    tenant = await one.tenant({ alice: 'owner', vera: 'viewer' });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const read = async (id: string, user = 'alice', in_ = tenant) =>
    site.call(`/api/audit/causality?correlation_id=${encodeURIComponent(id)}`, { tenant: in_, user });

  test('is the same tree over REST and GraphQL, for every member', async () => {
    const outside = await append('other', null);
    const root = await append('flow', outside);
    const child = await append('flow', root);
    const grandchild = await append('flow', child);
    const second = await append('flow', root);
    const { status, body } = await read('flow', 'vera');
    assert.equal(status, 200);
    const items = body['items'] as Record<string, unknown>[];
    assert.deepEqual(
      items.map(({ id, parent_id, depth, children }) => [id, parent_id, depth, children]),
      [
        [root, undefined, 0, [child, second]],
        [child, root, 1, [grandchild]],
        [grandchild, child, 2, []],
        [second, root, 1, []],
      ],
    );
    assert.equal(items[0]?.['causal_id'], outside);
    assert.deepEqual(items[0]?.['principal_chain'], [{ principal_type: 'user', principal_id: 'alice' }]);
    const query = `{ auditCausality(correlationId: "flow") { correlationId truncated
      events { id parentId depth children sequence type causalId principalChain { principalId } } } }`;
    const graph = await site.call('/graphql', { tenant, body: { query } });
    const told = (graph.body['data'] as { auditCausality: { events: Record<string, unknown>[] } }).auditCausality;
    assert.deepEqual(
      told.events.map(({ id, parentId, depth, children }) => [id, parentId ?? undefined, depth, children]),
      items.map(({ id, parent_id, depth, children }) => [id, parent_id, depth, children]),
    );
  });

  test('stops at a thousand events and says so', async () => {
    const context = one.as(tenant, 'alice');
    const event = sample({ correlation_id: 'long' });
    await Promise.all(Array.from({ length: 1_001 }, async () => one.audit.ingest(context, event, 'snake')));
    const { body } = await read('long');
    assert.deepEqual([(body['items'] as unknown[]).length, body['truncated']], [1_000, true]);
  });

  test('is empty for an unknown correlation, shut for others, and refuses what is no identifier', async () => {
    assert.deepEqual((await read('nothing')).body['items'], []);
    assert.equal((await read('flow', 'mallory')).status, 403);
    const other = await one.tenant({ bob: 'owner' });
    assert.deepEqual((await read('flow', 'bob', other)).body['items'], []);
    for (const id of ['', '\0', 'x'.repeat(201)]) assert.equal((await read(id)).body['code'], 'invalid_request');
  });
});
