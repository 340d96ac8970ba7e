import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serve, type Site } from '../fixtures/serve.ts';
import { createWorld, sample, type World } from '../fixtures/world.ts';

describe('ingest refuses', () => {
  let world: World;
  let site: Site;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    const one = world.process();
    site = await serve(one);
    tenant = await one.tenant();
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const refusals: readonly [what: string, body: unknown, status: number, code: string, pointer?: string][] = [
    ['no object', [], 400, 'invalid_envelope'],
    ['nothing at all', {}, 400, 'invalid_envelope', '/type'],
    ['an unknown field', sample({ eventVersion: '1' }), 400, 'invalid_envelope', '/eventVersion'],
    ['a prototype key', '{"__proto__":{"type":"x"}}', 400, 'invalid_envelope', '/__proto__'],
    ['a type in capitals', sample({ type: 'Commerce.Order' }), 400, 'invalid_envelope', '/type'],
    ['a type of one part', sample({ type: 'commerce' }), 400, 'invalid_envelope', '/type'],
    ['no semantic version', sample({ event_version: '1.0' }), 400, 'invalid_envelope', '/event_version'],
    ['a payload that is no object', sample({ payload: 'x' }), 400, 'invalid_envelope', '/payload'],
    ['a payload of null', sample({ payload: null }), 400, 'invalid_envelope', '/payload'],
    ['a list as payload', sample({ payload: [] }), 400, 'invalid_envelope', '/payload'],
    [
      'a payload beyond 64 KiB',
      sample({ payload: { order_id: 'é'.repeat(33_000) } }),
      400,
      'invalid_envelope',
      '/payload',
    ],
    ['no principals', sample({ principal_chain: [] }), 400, 'invalid_envelope', '/principal_chain'],
    [
      'seventeen principals',
      sample({ principal_chain: Array.from({ length: 17 }, () => ({ principal_type: 'user', principal_id: 'a' })) }),
      400,
      'invalid_envelope',
      '/principal_chain',
    ],
    [
      'an unknown principal type',
      sample({ principal_chain: [{ principal_type: 'robot', principal_id: 'a' }] }),
      400,
      'invalid_envelope',
      '/principal_chain/0/principal_type',
    ],
    [
      'a display name',
      sample({ principal_chain: [{ principal_type: 'user', principal_id: 'a', display_name: 'A' }] }),
      400,
      'invalid_envelope',
      '/principal_chain/0/display_name',
    ],
    [
      'an empty principal',
      sample({ principal_chain: [{ principal_type: 'user', principal_id: '' }] }),
      400,
      'invalid_envelope',
      '/principal_chain/0/principal_id',
    ],
    ['a leap second', sample({ occurred_at: '2026-06-30T23:59:60Z' }), 400, 'invalid_envelope', '/occurred_at'],
    ['a short key', sample({ idempotency_key: '1234567' }), 400, 'invalid_envelope', '/idempotency_key'],
    ['a long key', sample({ idempotency_key: 'x'.repeat(201) }), 400, 'invalid_envelope', '/idempotency_key'],
    ['NUL in a key', sample({ idempotency_key: 'abcdefg\0' }), 400, 'invalid_envelope', '/idempotency_key'],
    ['a separator in a key', sample({ correlation_id: 'a\x1fb' }), 400, 'invalid_envelope', '/correlation_id'],
    ['a number as identifier', sample({ causal_id: 7 }), 400, 'invalid_envelope', '/causal_id'],
    ['a tag that is no string', sample({ dimensional_tags: { a: 1 } }), 400, 'invalid_envelope', '/dimensional_tags/a'],
    [
      '33 tags',
      sample({ dimensional_tags: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`t${n}`, 'x'])) }),
      400,
      'invalid_envelope',
      '/dimensional_tags',
    ],
    ['an unknown grammar', sample({ grammar: 'astrology' }), 400, 'unknown_grammar'],
    ['the prototype as grammar', sample({ grammar: '__proto__' }), 400, 'unknown_grammar'],
    ['a reserved type', sample({ type: 'portal.tenant.created' }), 400, 'reserved_event_type'],
    ['a reserved type in capitals', sample({ type: 'Portal.Tenant.Created' }), 400, 'reserved_event_type'],
    ['a reserved type in full-width letters', sample({ type: 'ｐortal.tenant.created' }), 400, 'reserved_event_type'],
    ['a reserved type with a long s', sample({ type: 'toolſ.call.denied' }), 400, 'reserved_event_type'],
    ['a payload without its order', sample({ payload: {} }), 422, 'invalid_payload', '/payload/order_id'],
    ['an order that is no string', sample({ payload: { order_id: 7 } }), 422, 'invalid_payload', '/payload/order_id'],
    ['a key given twice', '{"type":"a.b","type":"a.c"}', 400, 'invalid_json'],
    ['a lone surrogate', '{"type":"a.b","payload":{"a":"\\ud800"}}', 400, 'invalid_json'],
    ['a number out of range', '{"payload":{"a":1e400}}', 400, 'invalid_json'],
    ['an integer beyond 2^53', '{"payload":{"a":9007199254740993}}', 400, 'invalid_json'],
    ['deep nesting', `{"payload":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 400, 'invalid_json'],
    ['half a document', '{"type":', 400, 'invalid_json'],
    ['two megabytes', sample({ payload: { order_id: 'x'.repeat(2_000_000) } }), 413, 'payload_too_large'],
  ];
  for (const [what, body, status, code, pointer] of refusals) {
    test(`${what} with ${status} ${code}`, async () => {
      const answer = await site.call('/api/audit/events', { tenant, body });
      assert.deepEqual([answer.status, answer.body['code']], [status, code], JSON.stringify(answer.body));
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      if (pointer !== undefined) {
        const pointers = (answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer);
        assert.ok(pointers.includes(pointer), `${pointers.join(' ')} lacks ${pointer}`);
      }
    });
  }

  test('nothing into the chain', async () => {
    const { body } = await site.call('/api/audit/events', { tenant });
    assert.equal((body['items'] as unknown[]).length, 1);
  });
});
