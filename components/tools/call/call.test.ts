import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { tenantA } from '../fixtures/callers.ts';
import { call, legacy, mirrors, modern } from '../fixtures/requests.ts';
import { codeOf, members, resultOf, rpcCode } from '../fixtures/results.ts';
import { startWorld, type World } from '../fixtures/world.ts';

const inA = { 'x-tenant-id': tenantA };

describe('tools/call', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('answers the fields of the interface, in text and as an object', async () => {
    const result = resultOf(await world.post('/mcp', call('service_list_things', { limit: 3 }), inA));
    assert.deepEqual(result, {
      status: 'ok',
      tier: 'read',
      summary: 'At most 3 things.',
      data: { things: [{ id: '\u2028é😀"\\', size: 3 }], tenant: tenantA },
    });
  });

  test('an unknown tool and one that is not visible are one answer, byte for byte', async () => {
    const victor = { ...inA, authorization: 'Bearer victor' };
    const names = ['service_audit_things', 'service_make_thing', 'service_none', 'x', '__proto__'];
    for (const [body, headers] of [
      [(name: string) => call(name), victor],
      [(name: string) => call(name, { region: 'x', nonsense: 1 }), victor],
    ] as const) {
      const answers = await Promise.all(names.map(async (name) => world.post('/mcp', body(name), headers)));
      assert.equal(new Set(answers.map(({ text, status }) => `${status} ${text}`)).size, 1);
      assert.equal(rpcCode(answers[0] as (typeof answers)[0]), -32602);
    }
    // A visible tool's mirrored argument is checked; that of an invisible one must not show.
    const hidden = await world.post(
      '/mcp',
      modern('tools/call', { name: 'service_audit_things', arguments: { region: 'x' } }),
      { ...mirrors('tools/call', 'service_audit_things'), ...victor },
    );
    assert.equal(rpcCode(hidden), -32602);
  });

  test('a tool of another address is said to be there, and one that the caller may not see there either is not', async () => {
    const said = async (path: string, name: string, headers: Readonly<Record<string, string>> = inA): Promise<string> =>
      String((await world.post(path, call(name), headers)).json['error']?.['message']);
    const core = await said('/mcp/p/crm', 'service_list_things');
    assert.match(
      core,
      /^Unknown tool at this address: service_list_things is at http:\/\/[^ ]+\/mcp\. Call it there\.$/,
    );
    assert.match(
      await said(`/mcp/t/${tenantA}/p/crm`, 'service_list_things', {}),
      new RegExp(`/mcp/t/${tenantA}\\. Call`),
    );
    const victor = { ...inA, authorization: 'Bearer victor' };
    const none = await said('/mcp/p/crm', 'service_none', victor);
    assert.equal(await said('/mcp/p/crm', 'service_audit_things', victor), none);
    assert.match(none, /accounting\/books, .*commerce\/catalogue/);
    assert.match(none, /role, grant, policy, billing tier or the scopes of your token exclude/);
    assert.match(await said('/mcp/p/crm', 'service_audit_things'), /service_audit_things is at/);
    assert.match(await said('/mcp', 'service_measure_things', victor), /is at http:.*\/mcp\/p\/accounting\. Call/);
  });

  test('what is listed can be called, and nothing else', async () => {
    for (const authorization of ['alice', 'alice-reads', 'alice-crm', 'alice-signs-up', 'victor', 'platform'].map(
      (name) => `Bearer ${name}`,
    )) {
      for (const path of [
        '/mcp',
        `/mcp/t/${tenantA}`,
        `/mcp/t/${tenantA}/p/accounting`,
        `/mcp/t/${tenantA}/p/crm`,
        '/mcp/p/portal',
      ]) {
        const headers = { authorization };
        const list = await world.post(path, legacy('tools/list'), headers);
        const listed = members(list.json['result']?.['tools']).map(({ name }) => String(name));
        for (const name of [
          'service_whoami',
          'service_list_things',
          'service_audit_things',
          'service_make_thing',
          'service_measure_things',
          'service_platform_status',
        ]) {
          const answer = await world.post(path, call(name, { size: 'wrong on purpose' }), headers);
          const refused = rpcCode(answer) === -32602 || codeOf(answer) === 'tenant_required';
          assert.equal(refused, !listed.includes(name), `${authorization} ${path} ${name}`);
        }
      }
    }
  });

  test('arguments that do not fit are a result with pointers, never a protocol error', async () => {
    for (const [args, pointer, code] of [
      [{ limit: 0 }, '/limit', 'too_small'],
      [{ limit: 201 }, '/limit', 'too_big'],
      [{ limit: 1.5 }, '/limit', 'invalid_type'],
      [{ limit: '5' }, '/limit', 'invalid_type'],
      [{ limit: null }, '/limit', 'invalid_type'],
      [{ filter: { size: 'x' } }, '/filter/size', 'invalid_type'],
      [{ surplus: 1 }, '/surplus', 'unknown_field'],
      [{ 'a/b~c': 1 }, '/a~1b~0c', 'unknown_field'],
      [{ tenant_id: 7 }, '/tenant_id', 'invalid_type'],
      [{ preview: true }, '/preview', 'unknown_field'],
      ['text', '', 'invalid_type'],
      [[], '', 'invalid_type'],
      [7, '', 'invalid_type'],
    ] as const) {
      const result = resultOf(await world.post('/mcp', call('service_list_things', args), inA));
      assert.equal(result['error_code'], 'invalid_arguments', JSON.stringify(args));
      const [first] = members(result['data']?.['errors']);
      assert.deepEqual([first?.['pointer'], first?.['code']], [pointer, code], JSON.stringify(args));
    }
    const proto = await world.post(
      '/mcp',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_list_things","arguments":{"__proto__":{"limit":1}}}}',
      inA,
    );
    assert.equal(codeOf(proto), 'invalid_arguments');
    assert.equal(
      resultOf(await world.post('/mcp', legacy('tools/call', { name: 'service_list_things', arguments: null }), inA))[
        'status'
      ],
      'ok',
    );
  });

  test('a summary names every argument as the arguments do, and up to five faults', async () => {
    const summary = async (args: unknown) =>
      resultOf(await world.post('/mcp', call('service_refuse_things', args), inA))['summary'];
    for (const [how, told] of [
      ['field', '/due_date: Not so.'],
      ['fields', 'It is not valid: /due_date: Not so. /lines/0/unit_price: Not so.'],
      ['aside', 'Give /due_date, then /lines/0/unit_price, anew.'],
    ] as const)
      assert.equal(await summary({ how }), told, how);
    const surplus = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1]));
    const many = String(await summary({ how: 'role', ...surplus }));
    assert.match(many, /^The arguments are not valid: \/a: There is no such field\. .*\/e: .*\. And 2 more\.$/);
    assert.doesNotMatch(many, /\/f/);
    assert.match(
      String(await summary({ how: 'role', dueDate: 'x' })),
      /\/dueDate: There is no such field\. Did you mean due_date\?/,
    );
    assert.match(String(await summary({ how: 'role', duedate: 'x' })), /\/duedate: .* Did you mean due_date\?/);
    assert.match(String(await summary({ due_date: 7 })), /\/how: .* \/due_date: /);
  });

  test('a command takes preview and an idempotency key, and checks them', async () => {
    for (const [args, pointer] of [
      [{ size: 1, preview: 'yes' }, '/preview'],
      [{ size: 1, idempotency_key: 'short' }, '/idempotency_key'],
      [{ size: 1, idempotency_key: 'x'.repeat(201) }, '/idempotency_key'],
    ] as const) {
      const result = resultOf(await world.post('/mcp', call('service_make_thing', args), inA));
      assert.equal(members(result['data']?.['errors'])[0]?.['pointer'], pointer);
    }
    const previewed = resultOf(await world.post('/mcp', call('service_make_thing', { size: 1, preview: true }), inA));
    assert.deepEqual(previewed, {
      status: 'preview',
      tier: 'write',
      summary: 'Made.',
      preview: { id: 'new', size: 1 },
    });
  });

  test('a failing tool says its code in words an agent can act on, and a bug says nothing', async () => {
    for (const [how, code] of [
      ['role', 'insufficient_role'],
      ['missing', 'not_found'],
      ['bug', 'internal_error'],
      ['late-bug', 'internal_error'],
      ['bigint', 'internal_error'],
    ] as const) {
      const answer = await world.post('/mcp', call('service_refuse_things', { how }), inA);
      assert.equal(codeOf(answer), code);
      assert.doesNotMatch(answer.text, /hunter2|stack|\.ts/);
    }
  });

  test('calls are counted by tool and status, under names of the catalogue alone', async () => {
    const text = await world.metrics.registry.metrics();
    assert.match(
      text,
      /steward_tool_call_seconds_count\{surface="public",tool="service_list_things",status="ok"\} \d+/,
    );
    assert.match(text, /status="invalid_arguments"/);
    assert.match(text, /steward_tool_refusals_total\{surface="public"\} \d+/);
    assert.match(text, /steward_tool_foreign_tenants_total \d+/);
    assert.doesNotMatch(text, /service_none/);
  });
});
