import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type Process, type World } from '../fixtures/world.ts';

describe('filters', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  /** What was appended, by sequence. */
  const received: string[] = [];
  const append = async (changes: Record<string, unknown>): Promise<void> => {
    const { event } = await one.audit.ingest(one.as(tenant, 'alice'), sample(changes), 'snake');
    received[event.sequence] = event.receivedAt;
  };
  const agent = { principal_type: 'agent', principal_id: 'helper-1' };
  const alice = { principal_type: 'user', principal_id: 'alice' };
  before(async () => {
    world = await createWorld();
    one = world.process();
    site = await serve(one, 'with GraphQL');
    tenant = await one.tenant();
    await append({ payload: { order_id: 'A-1' } }); // 2
    await append({ payload: { order_id: 'A-2', note: 'about "A-1", or A-1' }, principal_chain: [alice, agent] }); // 3
    await append({ type: 'domain.entity.action', grammar: 'crm', payload: { lines: [{ ids: ['x', 'A-1'] }] } }); // 4
    await append({ type: 'domain.entity.note', grammar: 'crm', payload: { 'A-1': 'key', nul: 'a\0b' } }); // 5
    await append({ type: 'domain.entity', grammar: 'crm', payload: {}, dimensional_tags: { a: 'b', order: 'A-1' } }); // 6
    await append({ payload: { order_id: 'Ä 9/"7"' }, causal_id: 'A-1', correlation_id: 'A-1' }); // 7
    await append({ occurred_at: '2020-01-01T00:00:00Z', payload: { order_id: '1001' } }); // 8
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  const list = async (query: Record<string, string>) =>
    site.call(`/api/audit/events?${new URLSearchParams(query).toString()}`, { tenant });
  const sequences = async (query: Record<string, string>): Promise<number[]> => {
    const { status, body } = await list(query);
    assert.equal(status, 200, JSON.stringify(body));
    return (body['items'] as { sequence: number }[]).map(({ sequence }) => sequence);
  };

  const cases: readonly [what: string, query: Record<string, string>, found: number[]][] = [
    ['a type', { type: 'domain.entity' }, [6]],
    ['one part of a type', { type: 'domain.entity.*' }, [5, 4]],
    ['many parts of a type', { type: 'domain.**' }, [6, 5, 4]],
    ['a part in the middle', { type: '*.entity.note' }, [5]],
    ['the whole of a type', { type: '**', limit: '2' }, [8, 7]],
    ['a pattern that none fits', { type: 'domain.*' }, [6]],
    ['a pattern and a grammar', { type: 'commerce.**', grammar: 'crm' }, []],
    ['a person', { principal: 'user:alice', limit: '3' }, [8, 7, 6]],
    ['an agent behind a person', { principal: 'agent:helper-1' }, [3]],
    ['the platform itself', { principal: 'system:signup' }, [1]],
    ['a principal of another type', { principal: 'service:helper-1' }, []],
    ['a resource in payloads and tags, and neither in keys nor in parts of strings', { resource: 'A-1' }, [6, 4, 2]],
    ['a resource that JSON escapes', { resource: 'Ä 9/"7"' }, [7]],
    ['a resource that reads like a pattern', { resource: '1...' }, []],
    ['a tag key', { resource: 'order' }, []],
    ['a resource as long as ids of agents are', { resource: 'a'.repeat(300) }, []],
    ['the time of the event', { occurred_before: '2020-01-01T01:00:00.001+01:00' }, [8]],
    [
      'a span of the time of events',
      { occurred_from: '2020-01-01T00:00:00Z', occurred_before: '2020-01-01T00:00:00Z' },
      [],
    ],
    ['sequences', { sequence_from: '3', sequence_to: '5' }, [5, 4, 3]],
    ['an empty span of sequences', { sequence_from: '5', sequence_to: '4' }, []],
    ['a cause', { causal_id: 'A-1' }, [7]],
    ['all at once', { type: 'commerce.**', principal: 'user:alice', resource: '1001', sequence_from: '2' }, [8]],
  ];
  for (const [what, query, found] of cases) {
    test(`find ${what}`, async () => assert.deepEqual(await sequences(query), found));
  }

  test('find what was received in a span, from included, before excluded', async () => {
    const [from, until] = [received[4] ?? '', received[6] ?? ''];
    const expected = [8, 7, 6, 5, 4, 3, 2].filter((n) => (received[n] ?? '') >= from && (received[n] ?? '') < until);
    assert.deepEqual(await sequences({ received_from: from, received_before: until }), expected);
    assert.deepEqual(await sequences({ received_from: '9999-01-01T00:00:00Z' }), []);
    assert.deepEqual(await sequences({ received_before: '0001-01-01T00:00:00Z' }), []);
    assert.equal((await sequences({ received_from: '0001-01-01T00:00:00Z' })).length, 8);
    assert.deepEqual(await sequences({ received_before: '0001-01-02T00:00:00Z', principal: 'user:alice' }), []);
  });

  test('find the same over GraphQL', async () => {
    const query = `query ($p: String, $to: BigInt, $at: DateTime) {
      auditEvents(principal: $p, type: "commerce.**", sequenceTo: $to, receivedFrom: $at, limit: 2) { sequence } }`;
    const variables = { p: 'user:alice', to: '7', at: '2020-01-01T00:00:00+01:00' };
    const { body } = await site.call('/graphql', { tenant, body: { query, variables } });
    assert.deepEqual(body, { data: { auditEvents: [{ sequence: '7' }, { sequence: '3' }] } });
  });

  for (const [argument, value] of [
    ['type', '"a.*b"'],
    ['principal', '"alice"'],
    ['resource', '"\\u0000"'],
    ['sequenceTo', '"-1"'],
  ] as const) {
    test(`are refused by name over GraphQL: ${argument}`, async () => {
      const query = `{ auditEvents(${argument}: ${value}) { id } }`;
      const { body } = await site.call('/graphql', { tenant, body: { query } });
      const [error] = body['errors'] as { extensions: { code: string; errors: { pointer: string }[] } }[];
      assert.equal(error?.extensions.code, 'invalid_request');
      assert.equal(error.extensions.errors[0]?.pointer, `/${argument}`);
    });
  }

  const day = (n: number): string => `2020-01-0${n}T00:00:00Z`;
  const unanswerable: readonly (readonly [faulty: string, code: string, query: Record<string, string>])[] = [
    ['grammar', 'unknown_grammar', { grammar: 'comerce' }],
    ['received_before', 'invalid_value', { received_from: day(2), received_before: day(1) }],
    ['occurred_before', 'invalid_value', { occurred_from: day(2), occurred_before: day(1) }],
    ['sequence_to', 'invalid_value', { sequence_from: '5', sequence_to: '3' }],
  ];
  for (const [faulty, code, query] of unanswerable)
    test(`that no event can pass are refused by list and export: ${faulty}`, async () => {
      for (const door of ['events', 'export']) {
        const asked = `/api/audit/${door}?${new URLSearchParams(query).toString()}`;
        const { status, body } = await site.call(asked, { tenant });
        assert.equal(status, 400);
        const faults = (body['errors'] as { pointer: string; code: string }[]).map((one) => [one.pointer, one.code]);
        assert.deepEqual(faults, [[`?${faulty}`, code]]);
      }
    });

  const refusals: readonly [name: string, value: string][] = [
    ['type', 'Commerce.*'],
    ['type', 'commerce.*x'],
    ['type', 'a.b.c.d.e.f.*'],
    ['type', '***'],
    ['type', "commerce.*' or true --"],
    ['principal', 'alice'],
    ['principal', 'admin:alice'],
    ['principal', 'user:'],
    ['principal', 'user:a\0'],
    ['principal', `user:${'x'.repeat(400)}`],
    ['resource', '"'],
    ['resource', ''],
    ['resource', 'a'.repeat(301)],
    ['resource', ',"'],
    ['resource', 'a\0'],
    ['occurred_from', '2026-03-01'],
    ['occurred_before', '2026-06-30T23:59:60Z'],
    ['received_from', '2026-03-01T10:00:00 02:00'],
    ['received_before', '1'],
    ['sequence_from', '-1'],
    ['sequence_to', '1e3'],
    ['sequence_to', '9223372036854775808'],
  ];
  for (const [name, value] of refusals) {
    test(`refuse ${name}=${JSON.stringify(value).slice(0, 30)} by name`, async () => {
      const { status, body } = await list({ [name]: value });
      assert.deepEqual([status, body['code']], [400, 'invalid_request']);
      assert.deepEqual(
        (body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer),
        [`?${name}`],
      );
    });
  }
});
