import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, type Process, type World } from '../fixtures/world.ts';

describe('the audit log over GraphQL', () => {
  let world: World;
  let one: Process;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process({
      namesOf: async () => new Map([['user:alice', 'Alice A.']]),
    });
    site = await serve(one, 'with GraphQL');
    tenant = await one.tenant();
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  interface Answer {
    readonly data?: Record<string, Record<string, unknown>> | null;
    readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  }
  const ask = async (query: string, variables: object = {}, user = 'alice'): Promise<Answer> =>
    (await site.call('/graphql', { tenant, user, body: { query, variables } })).body as Answer;

  const input = (changes: object = {}) => ({
    type: 'commerce.order.imported',
    eventVersion: '1.2.0',
    grammar: 'commerce',
    source: 'marketplace',
    payload: { order_id: 'g-1' },
    principalChain: [{ principalType: 'user', principalId: 'alice', displayName: 'Somebody else' }],
    occurredAt: '2026-03-01T10:00:00+02:00',
    idempotencyKey: 'graph-key-1',
    ...changes,
  });
  const ingest = `mutation ($input: IngestAuditEventInput!) { ingestAuditEvent(input: $input) {
    id type eventVersion sequence rowHash prevHash occurredAt receivedAt idempotencyKey payload
    principalChain { principalType principalId displayName } ingestedBy { principalId } receipt { format keyId signature } } }`;

  test('ingests by the same verb as REST: one key, one event, on either side', async () => {
    const { data, errors } = await ask(ingest, { input: input() });
    assert.equal(errors, undefined);
    const event = data?.['ingestAuditEvent'];
    assert.equal(event?.['sequence'], '2');
    assert.equal(event?.['occurredAt'], '2026-03-01T08:00:00.000Z');
    assert.deepEqual(event?.['principalChain'], [
      { principalType: 'user', principalId: 'alice', displayName: 'Alice A.' },
    ]);
    assert.equal(event?.['receipt'], null, 'nothing signs here');
    const rest = await site.call('/api/audit/events', {
      tenant,
      body: {
        type: 'commerce.order.imported',
        event_version: '1.2.0',
        grammar: 'commerce',
        source: 'marketplace',
        payload: { order_id: 'g-2' },
        principal_chain: [{ principal_type: 'user', principal_id: 'alice' }],
        occurred_at: '2026-03-01T10:00:00Z',
        idempotency_key: 'graph-key-1',
      },
    });
    assert.equal(rest.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([rest.body['id'], rest.body['row_hash']], [event?.['id'], event?.['rowHash']]);
    assert.doesNotMatch(JSON.stringify(rest.body), /Somebody else/);
  });

  test('reads lists, one event and the chain', async () => {
    const { data, errors } = await ask(
      `query ($limit: Int) { auditEvents(limit: $limit, grammar: "commerce") { id type principalChain { displayName } causalId correlationId }
        auditChain { tenantId head { sequence rowHash } sealedThrough } }`,
      { limit: 5 },
    );
    assert.equal(errors, undefined);
    const events = data?.['auditEvents'] as unknown as { id: string }[];
    assert.equal(events.length, 1);
    const head = data?.['auditChain']?.['head'] as { sequence: string } | undefined;
    assert.equal(head?.sequence, '2');
    const found = await ask('query ($id: ID!) { auditEvent(id: $id) { id } }', { id: events[0]?.id });
    assert.equal(found.data?.['auditEvent']?.['id'], events[0]?.id);
    const none = await ask('{ auditEvent(id: "x") { id } }');
    assert.deepEqual(none.data, { auditEvent: null });
  });

  const refusals: readonly [what: string, query: string, variables: object, code: string, user?: string][] = [
    ['a reserved type', ingest, { input: input({ type: 'audit.chain.opened' }) }, 'reserved_event_type'],
    ['a payload that does not fit', ingest, { input: input({ payload: { order_id: 1 } }) }, 'invalid_payload'],
    ['a leap second', ingest, { input: input({ occurredAt: '2026-06-30T23:59:60Z' }) }, 'invalid_envelope'],
    [
      'a system principal',
      ingest,
      { input: input({ principalChain: [{ principalType: 'system', principalId: 's' }] }) },
      'invalid_envelope',
    ],
    ['a limit of 0', '{ auditEvents(limit: 0) { id } }', {}, 'invalid_request'],
    ['a limit of 501', '{ auditEvents(limit: 501) { id } }', {}, 'invalid_request'],
    ['NUL in a filter', 'query ($t: String) { auditEvents(type: $t) { id } }', { t: 'a\0' }, 'invalid_request'],
    ['a stranger', '{ auditEvents { id } }', {}, 'tenant_forbidden', 'mallory'],
    ['a stranger who ingests', ingest, { input: input() }, 'tenant_forbidden', 'mallory'],
  ];
  for (const [what, query, variables, code, user] of refusals) {
    test(`refuses ${what} with ${code}`, async () => {
      const { errors } = await ask(query, variables, user);
      assert.equal(errors?.[0]?.extensions['code'], code, JSON.stringify(errors));
    });
  }
});
