import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type Row, sql, type SqlPool } from '@steward/sql';
import { type Json, toolPaths, type World } from '../world/index.ts';

/** An organization with books, an agent and a person who decides. */
export interface Tenant {
  readonly tenant: string;
  readonly admin: SqlPool;
  /** Data of a tool that an agent calls; a pending action is approved. */
  act(name: string, args: object): Promise<Json>;
  /** As an agent calls it: also what is refused. */
  call(name: string, args: object): Promise<Json>;
  /** Connects an account; answers the id of the connection. */
  connect(wish: object, secrets: Readonly<Record<string, string>>): Promise<string>;
  /** Until all deliveries are settled and nothing is due any more. Makes what was put off due at once. */
  settled(): Promise<readonly Row[]>;
}

export async function openTenant(
  world: World,
  user: string,
  facts: { defaultCurrency?: string } = {},
): Promise<Tenant> {
  const { tenant } = await world.signUp(user, `${user} books`, facts);
  const agent = await world.token({ user, agent: 'assistant-1' });
  const approver = await world.token({ user, approver: true });
  const admin = openPool({ url: world.db.adminUrl, size: 2 });
  const pathOf = new Map<string, string>();
  const rpc = async (path: string, method: string, params: object): Promise<Json> =>
    (
      await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/${path}`, {
        token: agent,
        body: { jsonrpc: '2.0', id: 1, method, params },
      })
    ).body;
  for (const path of toolPaths)
    for (const tool of ((await rpc(path, 'tools/list', {}))['result']?.['tools'] ?? []) as unknown as Json[])
      pathOf.set(String(tool['name']), path);
  const rest = async (method: string, path: string, body?: unknown) =>
    world.call(`${world.server.addresses.portal}/api${path}`, {
      token: approver,
      tenant,
      method,
      ...(body === undefined ? {} : { body }),
    });
  const call = async (name: string, args: object): Promise<Json> => {
    const answered = await rpc(pathOf.get(name) ?? 'accounting', 'tools/call', { name, arguments: args });
    return answered['result']?.['structuredContent'] ?? answered;
  };
  return {
    tenant,
    admin,
    call,
    act: async (name, args) => {
      const asked = await call(name, args);
      if (String(asked['status']) === 'ok') return asked['data'] ?? {};
      assert.equal(String(asked['status']), 'pending_approval', `${name}: ${JSON.stringify(asked)}`);
      const id = String(asked['pending_action_id']);
      const { body: shown } = await rest('GET', `/pending-actions/${id}`);
      const { body } = await rest('POST', `/pending-actions/${id}/approve`, { previewHash: shown['previewHash'] });
      assert.equal(String(body['state']), 'executed', `${name}: ${JSON.stringify(body)}`);
      return (body['result']?.['data'] ?? {}) as Json;
    },
    connect: async (wish, secrets) => {
      const made = await rest('POST', '/connections', { live: true, name: 'Account', ...wish });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const id = String(made.body['id']);
      const given = await rest('PUT', `/connections/${id}/secrets`, { secrets });
      assert.equal(given.status, 200, JSON.stringify(given.body));
      return id;
    },
    settled: async () => {
      for (let tries = 0; tries < 1_500; tries += 1) {
        const rows = await admin.query(sql`
          select d.*, d.status <> 'waiting' as settled from callbacks.delivery d where tenant_id = ${tenant}::uuid order by received_at`);
        if (rows.some(({ attempts }) => Number(attempts) > 8))
          throw new Error(JSON.stringify(rows.map(({ topic, last_error }) => [topic, last_error])));
        if (rows.length > 0 && rows.every(({ settled }) => settled === true)) return rows;
        await admin.query(sql`
          update callbacks.delivery set next_at = clock_timestamp()
          where tenant_id = ${tenant}::uuid and status = 'waiting' and attempts > 0 and begun = 0 and next_at > clock_timestamp() and last_error is not null`);
        await sleep(20);
      }
      throw new Error('deliveries are not settled');
    },
  };
}
