import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { components } from '@steward/server/components';
import { createWorld, everyCommand, leastOf, type Json, type World } from '../world/index.ts';

interface Described {
  readonly 'x-tool'?: string;
}

/** What the reference says that a route does: the tool that does the same. */
function toolOfRoutes(): ReadonlyMap<string, string> {
  const { paths } = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const found = new Map<string, string>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { 'x-tool': tool }] of Object.entries(methods))
      if (tool !== undefined && method !== 'get') found.set(`${method.toUpperCase()} ${path}`, tool);
  return found;
}

const mayPropose = (role: string, name: string): boolean =>
  components.some(({ tools = [] }) =>
    tools.some((tool) => tool.name === name && (tool.requires.roles as ReadonlySet<string>).has(role)),
  );

describe('what awaits approval', () => {
  let world: World;
  let tenant: string;
  let deciding: string;
  let owner: string;
  const rest = async (token: string, method: string, path: string, body?: unknown): Promise<Json> => {
    const more = body === undefined ? {} : { body };
    const answer = await world.call(`${world.server.addresses.portal}/api${path}`, { token, tenant, method, ...more });
    assert.ok(answer.status < 400, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  before(async () => {
    world = await createWorld();
    const user = 'owner@example.com';
    ({ tenant, token: owner } = await world.signUp(user));
    deciding = await world.token({ user, approver: true });
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is done at once by nobody whose role does not decide, by no route and for no command that the policy may name', async (t) => {
    const asked = toolOfRoutes();
    const commands = await everyCommand(world, tenant, owner);
    const routes = commands.filter(({ name }) => asked.has(name));
    // Before everything waits: joining is a command too.
    const others = new Map<string, string>();
    for (const role of ['merchandiser', 'developer', 'viewer']) {
      const user = `${role}@example.com`;
      const { secret } = await rest(deciding, 'POST', '/invitations', { email: user, role });
      await rest(await world.token({ user }), 'POST', '/invitations/accept', { secret });
      others.set(role, await world.token({ user, approver: true }));
    }
    const policy = await rest(deciding, 'GET', '/approval-policy');
    const offered = new Set(commands.filter(({ door }) => door === 'tool').map(({ name }) => name));
    const tools = Object.fromEntries(
      [...new Set(asked.values())].filter((name) => offered.has(name)).map((name) => [name, { tier: 'approval' }]),
    );
    await rest(deciding, 'PUT', '/approval-policy', { ...policy, tools });
    const done: string[] = [];
    for (const [role, token] of others)
      for (const route of routes) {
        if (tools[asked.get(route.name) ?? ''] === undefined) continue;
        const tool = asked.get(route.name) ?? '';
        const { code } = await route.call(token, leastOf(route.shape, {}) as Readonly<Record<string, unknown>>);
        // Whoever may propose it is told by which tool.
        const expected = mayPropose(role, tool) ? 'approval_required' : 'insufficient_role';
        if (code !== expected) done.push(`${role}: ${route.name}: ${code}, not ${expected}`);
      }
    t.diagnostic(`${routes.length} routes, ${Object.keys(tools).length} commands`);
    assert.deepEqual(done, []);
  });
});
