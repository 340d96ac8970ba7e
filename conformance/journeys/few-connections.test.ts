import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, sql } from '@steward/sql';
import {
  createWorld,
  everyCommand,
  everyReadingTool,
  leastOf,
  waysIn,
  type Json,
  type World,
} from '@steward/conformance/world';

/** More than requests have connections, of the fewest that a server takes, so that calls which need two would hold one each and wait for the others. */
const atOnce = 4;
/** Of an agent and a person, the one or the other calls what comes next; both do in long runs. */
const both = process.env['LONG_RUNS'] !== undefined;

describe('no call takes a second connection while it holds one', () => {
  let world: World;
  let tenant: string;
  let agent: string;
  let approver: string;
  const many = async (one: () => Promise<string>): Promise<string[]> => [
    ...new Set(await Promise.all(Array.from({ length: atOnce }, one))),
  ];
  const callers = (at: number): readonly string[] => (both ? [agent, approver] : [at % 2 === 0 ? agent : approver]);
  const call = async (name: string, args: unknown): Promise<string> => {
    const params = { name, arguments: args };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = await world.call(`${world.server.addresses.mcp}/p/accounting`, { token: agent, tenant, body });
    const result = answer.body['result']?.['structuredContent'] as Json;
    return String(result['error_code'] ?? result['status']);
  };

  before(async () => {
    world = await createWorld({ DATABASE_POOL: '5' });
    ({ tenant } = await world.signUp('owner@example.com', 'Narrow', { defaultCurrency: 'EUR' }));
    agent = await world.token({ user: 'owner@example.com', agent: 'bookkeeper' });
    approver = await world.token({ user: 'owner@example.com', approver: true });
    // What nobody has confirmed for two seconds is not cached: each look at what somebody may do reads the database.
    await using admin = openPool({ url: world.db.adminUrl, size: 1 });
    await admin.query(sql`alter function identity.standing_changes rename to away`);
    await sleep(2_500);
  });
  after(async () => world[Symbol.asyncDispose]());

  test('by none of the commands, whoever calls', async () => {
    const commands = await everyCommand(world, tenant, agent);
    assert.ok(commands.length > 140, `${commands.length}`);
    const waited: string[] = [];
    for (const [at, { name, shape, call: go }] of commands.entries())
      for (const token of callers(at)) {
        const codes = await many(async () => (await go(token, leastOf(shape, {}) as Record<string, unknown>)).code);
        if (codes.includes('unavailable')) waited.push(name);
      }
    assert.deepEqual(waited, []);
  });

  test('by nothing that reads, whoever calls', async () => {
    const tools = await everyReadingTool(world, tenant, agent);
    const ways = (await waysIn(world, approver, tenant)).filter(({ changes }) => !changes);
    assert.ok(tools.length > 40 && ways.length > 80, `${tools.length} tools, ${ways.length} routes and fields`);
    const reads = [
      ...tools.map(({ name, shape, call: go }) => ({
        name,
        read: async (token: string) => (await go(token, leastOf(shape, {}) as Record<string, unknown>)).code,
      })),
      ...ways.map(({ name, go }) => ({
        name,
        read: async (token: string) => {
          const { status, body } = await go(token);
          const [error] = (body['errors'] ?? []) as unknown as Json[];
          return status === 503 ? 'unavailable' : String(error?.['extensions']?.['code']);
        },
      })),
    ];
    const waited: string[] = [];
    for (const [at, { name, read }] of reads.entries())
      for (const token of callers(at))
        if ((await many(async () => read(token))).includes('unavailable')) waited.push(name);
    assert.deepEqual(waited, []);
  });

  test('nor where a standing rule lets it happen', async () => {
    const rule = await world.call(`${world.server.addresses.portal}/api/standing-rules`, {
      token: approver,
      tenant,
      body: {
        tool: 'service_post_journal_entry',
        upTo: { amount: '1000.00', currency: 'EUR' },
        validUntil: new Date(Date.now() + 3_600_000).toISOString(),
      },
    });
    assert.equal(rule.status, 201, JSON.stringify(rule.body));
    const entry = {
      date: '2026-03-15',
      currency: 'EUR',
      narration: 'Sale',
      lines: [
        { account: '1000', debit: '30.00' },
        { account: '4000', credit: '30.00' },
      ],
    };
    assert.deepEqual(await many(async () => call('service_post_journal_entry', entry)), ['ok']);
  });
});
