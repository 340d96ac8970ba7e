import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { createWorld, type Json, toolPaths, type World } from '../world/index.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly additionalProperties?: boolean | Schema;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly _meta: { readonly pillar: string; readonly kind: string };
}

/** Of any kind: each is bad for most arguments. */
const bad: readonly unknown[] = [null, -1, '', 'x', newId(), [], { x: 1 }];

describe('arguments of tools', () => {
  let world: World;
  let tenant: string;
  let token: string;
  const tools = new Map<string, { readonly tool: Listed; readonly path: string }>();

  const rpc = async (path: string, method: string, params: object): Promise<Json> => {
    const { body } = await world.call(`${world.server.addresses.mcp}/t/${tenant}${path}`, {
      token,
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
    assert.equal(body['error'], undefined, JSON.stringify(body));
    return body['result'] as Json;
  };
  const call = async (name: string, args: object): Promise<Json> => {
    const { structuredContent } = await rpc(tools.get(name)?.path ?? '', 'tools/call', { name, arguments: args });
    return structuredContent as Json;
  };

  before(async () => {
    world = await createWorld();
    ({ tenant, token } = await world.signUp('owner@example.com'));
    for (const path of ['', ...toolPaths.map((one) => `/p/${one}`)])
      for (const tool of (await rpc(path, 'tools/list', {}))['tools'] as unknown as Listed[])
        tools.set(tool.name, { tool, path });
    assert.ok(tools.size > 80, 'they were found');
  });
  after(async () => world[Symbol.asyncDispose]());

  test('that are bad are invalid_arguments, told by pointers that the arguments have', async () => {
    const told = { faults: 0, results: 0 };
    for (const { tool } of tools.values()) {
      const good = fill(tool.inputSchema) as Record<string, unknown>;
      for (const key of Object.keys(tool.inputSchema.properties ?? {})) {
        if (key === 'tenant_id' || key === 'idempotency_key') continue;
        for (const value of bad) {
          const preview =
            'preview' in (tool.inputSchema.properties ?? {}) && key !== 'preview' ? { preview: true } : {};
          const result = await call(tool.name, { ...good, ...preview, [key]: value });
          if (String(result['status']) !== 'error') continue;
          const where = `${tool.name} ${key}=${JSON.stringify(value)}: ${JSON.stringify(result)}`;
          assert.ok(!['invalid_request', 'internal_error'].includes(String(result['error_code'])), where);
          told.results += 1;
          const errors = (result['data']?.['errors'] ?? []) as unknown as { pointer: string; code: string }[];
          for (const { pointer, code } of errors) {
            told.faults += 1;
            // One that is not known is told by the name it was sent by.
            if (code !== 'unknown_field')
              assert.ok(has(tool.inputSchema, pointer.split('/').slice(1)), `${pointer} of ${where}`);
          }
        }
      }
    }
    assert.ok(told.results > 1_000 && told.faults > 1_000, JSON.stringify(told));
  });

  test('that name what is not there are refused by whatever reads the books, and never answered with an empty list', async () => {
    const asked: string[] = [];
    for (const { tool } of tools.values()) {
      if (tool._meta.pillar !== 'accounting' || tool._meta.kind !== 'query') continue;
      const good = fill(tool.inputSchema) as Record<string, unknown>;
      for (const [key, { format }] of Object.entries(tool.inputSchema.properties ?? {})) {
        if (['tenant_id', 'cursor'].includes(key) || (format !== 'uuid' && !key.startsWith('account'))) continue;
        const money = { closing: '0.00' };
        const extra = 'closing' in (tool.inputSchema.properties ?? {}) ? money : {};
        const result = await call(tool.name, { ...good, ...extra, [key]: newId() });
        const where = `${tool.name} ${key}: ${JSON.stringify(result)}`;
        assert.equal(String(result['error_code']), 'not_found', where);
        asked.push(`${tool.name} ${key}`);
      }
    }
    assert.ok(asked.length > 10, asked.join(', '));
  });

  test('that are a cursor of nowhere are told alike by every tool that takes one', async () => {
    const taking = [...tools.values()].filter(({ tool }) => tool.inputSchema.properties?.['cursor'] !== undefined);
    assert.ok(taking.length > 10, 'they were found');
    const fault = {
      pointer: '/cursor',
      code: 'invalid_cursor',
      detail: 'Send the cursor of the previous page unchanged.',
    };
    for (const { tool } of taking) {
      const good = fill(tool.inputSchema) as Record<string, unknown>;
      for (const cursor of [
        'x',
        '',
        '-1',
        '99999999999999999999',
        'é'.repeat(400),
        '{"a":1}',
        'e30',
        '2026-02-30.USD',
      ]) {
        const { error_code: code, data } = await call(tool.name, { ...good, cursor });
        assert.deepEqual([code, data?.['errors']], ['invalid_arguments', [fault]], `${tool.name} ${cursor}`);
      }
    }
  });
});

/** The least that fits a schema. */
function fill(schema: Schema): unknown {
  const { type, format, enum: choices, anyOf, properties = {}, required = [], items } = schema;
  if (choices !== undefined) return choices[0];
  if (anyOf !== undefined) return fill(anyOf[0] ?? {});
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, fill(properties[name] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => fill(items ?? {}));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      if (format === 'uuid') return newId();
      if (format === 'date') return '2026-03-31';
      if (format === 'date-time') return '2026-03-31T00:00:00Z';
      if (format === 'email') return 'someone@example.com';
      return schema.pattern === '^[A-Z]{3}$' ? 'EUR' : '1'.repeat(Math.max(schema.minLength ?? 1, 1));
  }
}

/** Whether arguments may have something there. */
function has(schema: Schema, segments: readonly string[]): boolean {
  const [name, ...rest] = segments;
  if (name === undefined) return true;
  if (schema.anyOf !== undefined) return schema.anyOf.some((one) => has(one, segments));
  if (schema.items !== undefined) return /^\d+$/.test(name) && has(schema.items, rest);
  const own = schema.properties?.[name];
  if (own !== undefined) return has(own, rest);
  return schema.additionalProperties !== false && (schema.type ?? 'object') === 'object';
}
