import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { createWorld, everyQuery, leastOf, type Command, type Json, type World } from '../world/index.ts';

/** Ends of periods, by their beginnings, and two that are not in order. */
const ends: Readonly<Record<string, readonly [end: string, late: string, early: string]>> = {
  from: ['to', '2026-02-02', '2026-02-01'],
  compare_from: ['compare_to', '2026-02-02', '2026-02-01'],
  received_from: ['received_before', '2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z'],
  occurred_from: ['occurred_before', '2026-02-02T00:00:00Z', '2026-02-01T00:00:00Z'],
  sequence_from: ['sequence_to', '5', '3'],
};

/** Words that are looked for: that nothing is found is the answer. */
const words = new Set([
  'name',
  'query',
  'supplier_number',
  'topic',
  'provider_event_id',
  'causal_id',
  'correlation_id',
  'resource',
  'tag',
  'type',
  'vendor',
  'option',
  'sku',
  'handle',
  'external_name',
  'cursor',
]);

/** What answers null of what is not there says it; submissions stay when contacts go, and orders when their channels do. */
const unjudged = /^(?:Query\.auditEvent id|Query\.w9 party_id|.*submissions(?:\.csv)? contact_id|.*orders channel_id)$/;

/** Any client can be shut out, also one that nothing was granted to. */
const ofAnyClient = /^GET \/portal\/api\/agent-grants\/\{agentId\}\/suspensions agent_id$/;

/** Of no list: none writes its cursors so. */
const garbage = ['x', '', '-1', '99999999999999999999', 'é'.repeat(400), '{"a":1}', 'e30', '2026-02-30.USD', '\0'];

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('a filter that can find nothing is refused by every door', () => {
  let world: World;
  let token: string;
  let queries: readonly Command[];
  /** By name in snake case: what stands for something that is there. */
  const known: Record<string, unknown> = {
    account: '1000',
    account_id: '1000',
    from: '2026-01-01',
    to: '2026-01-31',
    as_of: '2026-01-31',
    closing: '0.00',
    country: 'DE',
    price: '1.00',
    limit: 5,
    version: 1,
    sequence: '1',
    year: 2026,
  };
  before(async () => {
    world = await createWorld();
    const { tenant } = await world.signUp('owner@example.com');
    token = await world.token({ user: 'owner@example.com' });
    const make = async (path: string, body: object): Promise<unknown> =>
      (await world.call(`${world.server.addresses.studio}/api/${path}`, { token, tenant, body })).body['id'];
    const site = await make('sites', { name: 'Shop', origins: [] });
    const field = { name: 'email', label: 'E-mail', type: 'email' };
    const key = `sites/${String(site)}/keys`;
    const issued = (
      await world.call(`${world.server.addresses.studio}/api/${key}`, {
        token,
        tenant,
        body: { mode: 'test', label: 'Pages' },
      })
    ).body;
    queries = await everyQuery(world, tenant, token, String(issued['key']));
    Object.assign(known, { form_id: await make('forms', { siteId: site, name: 'Ask us', fields: [field] }) });
  });
  after(async () => world[Symbol.asyncDispose]());

  const ask = async (one: Command, given: Readonly<Record<string, unknown>>) => {
    const least = leastOf(one.shape, known) as Record<string, unknown>;
    const { code, body } = await one.call(token, { ...least, ...given });
    const [error] = (body['errors'] ?? []) as unknown as Json[];
    const errors = error?.['extensions']?.['errors'] ?? body['errors'] ?? body['data']?.['errors'] ?? [];
    const pointers = (errors as unknown as Json[]).map(({ pointer }) => String(pointer).slice(1));
    return { code, pointers, what: `${one.name} ${JSON.stringify(given)} ${code} ${JSON.stringify(errors)}` };
  };
  const each = function* (): Generator<readonly [one: Command, name: string, shape: Command['shape']]> {
    for (const one of queries)
      for (const [name, of] of Object.entries(one.shape.properties ?? {})) {
        const shape = (of.anyOf ?? []).find(({ type }) => type !== 'null') ?? of;
        if (name !== 'tenant_id' && name !== 'cursor') yield [one, name, shape];
      }
  };

  test('an id that names nothing', async () => {
    for (const [one, name, { format }] of each()) {
      if (format !== 'uuid' || unjudged.test(`${one.name} ${snake(name)}`)) continue;
      const { code, what } = await ask(one, { [name]: newId() });
      assert.match(code, /not_found$/, what);
    }
  });

  test('a word that is none of its set, and a text that can be none', async () => {
    for (const [one, name, { type, format, enum: values }] of each()) {
      if (format === 'uuid' || values !== undefined || type !== 'string' || words.has(snake(name))) continue;
      if (ofAnyClient.test(`${one.name} ${snake(name)}`)) continue;
      const { code, what } = await ask(one, { [name]: 'nope..nope' });
      assert.doesNotMatch(code, /^(?:ok|done)$/, what);
    }
  });

  test('a period that ends before it begins, with a pointer to its end', async () => {
    for (const [one, name] of each()) {
      const [wanted, late, early] = ends[snake(name)] ?? [];
      const end = Object.keys(one.shape.properties ?? {}).find((key) => snake(key) === wanted);
      if (end === undefined) continue;
      const { code, pointers, what } = await ask(one, { [name]: late, [end]: early });
      assert.match(code, /^invalid_(?:request|arguments)$/, what);
      assert.deepEqual(pointers, [end], what);
    }
  });

  test('a cursor that no page gave, by every list of every door', async (t) => {
    const lists = queries.filter(({ shape }) => shape.properties?.['cursor'] !== undefined);
    const limited = queries.filter(({ shape }) => shape.properties?.['limit'] !== undefined);
    assert.deepEqual(
      limited.filter((one) => !lists.includes(one)).map(({ name }) => name),
      ['Query.auditEvents'],
      'these ask for their pages by numbers of events',
    );
    for (const one of lists)
      for (const cursor of garbage) {
        const { code, pointers, what } = await ask(one, { cursor });
        assert.match(code, /^invalid_(?:request|arguments|cursor)$/, what);
        if (code !== 'invalid_cursor') assert.deepEqual(pointers, ['cursor'], what);
      }
    t.diagnostic(`${lists.length} lists`);
  });
});
