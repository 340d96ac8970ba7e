import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { createWorld, signed, type Json, type World } from '@steward/conformance/world';
import { openPool, sql } from '@steward/sql';

interface Told {
  readonly id: string;
  readonly data: { readonly type: string; readonly subject?: string };
}

const reference = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};

/** A reader of a stream of events, until it is left or ends. */
interface Reader extends AsyncDisposable {
  readonly status: number;
  readonly told: Told[];
  readonly ended: Promise<void>;
}

describe('webhooks and streams of events, by every door', () => {
  const stack = new AsyncDisposableStack();
  let world: World;
  let portal: string;
  let tenant: string;
  let token: string;
  let approver: string;
  let agent: string;
  const requests: { headers: Record<string, unknown>; body: Json }[] = [];
  let hook: string;
  before(async () => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        requests.push({ headers: request.headers, body: JSON.parse(body) as Json });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    stack.defer(() => server.closeAllConnections());
    stack.defer(() => void server.close());
    hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    world = stack.use(await createWorld({ WEBHOOKS_TO_LOOPBACK: 'allow', EVENT_STREAMS_PER_TENANT: '12' }));
    ({ portal } = world.server.addresses);
    ({ tenant, token } = await world.signUp('owner@example.com', 'Heard'));
    approver = await world.token({ user: 'owner@example.com', approver: true });
    agent = await world.token({ user: 'owner@example.com', agent: 'assistant-1' });
  });
  after(async () => stack.disposeAsync());

  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (let round = 0; !(await holds()); round += 1) {
      assert.ok(round < 2_000, `it never came to this: ${what}`);
      await sleep(10);
    }
  };
  const rest = async (method: string, path: string, body?: unknown, by = token) =>
    world.call(`${portal}/api${path}`, { token: by, tenant, method, ...(body === undefined ? {} : { body }) });
  const call = async (name: string, args: object): Promise<Json> => {
    const params = { name, arguments: args };
    const { body } = await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/portal`, {
      token: agent,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    return body['result']?.['structuredContent'] ?? body;
  };
  const contact = async (name: string): Promise<void> => {
    const params = { name: 'service_upsert_contact', arguments: { email: `${name}@example.com`, name } };
    const { body } = await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/crm`, {
      token: agent,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    assert.equal(String(body['result']?.['structuredContent']?.['status']), 'ok', JSON.stringify(body));
  };
  const listen = async (
    options: { by?: string; after?: string; types?: string; follow?: boolean; comesAgain?: boolean } = {},
  ): Promise<Reader> => {
    const leave = new AbortController();
    let at = options.after;
    const open = async (): Promise<Response> =>
      fetch(`${portal}/api/events/stream${options.types === undefined ? '' : `?types=${options.types}`}`, {
        headers: {
          authorization: `Bearer ${options.by ?? token}`,
          'x-tenant-id': tenant,
          ...(options.follow === false ? {} : { accept: 'text/event-stream' }),
          ...(at === undefined ? {} : { 'last-event-id': at }),
        },
        signal: leave.signal,
      });
    const answer = await open();
    const told: Told[] = [];
    const read = async ({ body }: Response): Promise<void> => {
      let text = '';
      try {
        for await (const chunk of body ?? []) {
          text += Buffer.from(chunk).toString();
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const frame = text.slice(0, end);
            text = text.slice(end + 2);
            at = /^id: (\d+)$/m.exec(frame)?.[1] ?? at;
            const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
            if (id !== undefined && data !== undefined) told.push({ id, data: JSON.parse(data) as Told['data'] });
          }
        }
      } catch {
        // Left.
      }
      // As browsers do where a server ends a stream: it may have failed to read once.
      if (options.comesAgain === true && !leave.signal.aborted) await read(await open());
    };
    const ended = read(answer);
    return {
      status: answer.status,
      told,
      ended,
      [Symbol.asyncDispose]: async () => {
        leave.abort();
        await ended.catch(() => {});
      },
    };
  };

  test('an agent proposes one, a person approves it, its secret is shown once, and events arrive signed', async () => {
    const asked = await call('service_create_webhook', { url: hook, types: ['crm.contact.created'] });
    assert.equal(String(asked['status']), 'pending_approval');
    const id = String(asked['pending_action_id']);
    const shown = (await rest('GET', `/pending-actions/${id}`, undefined, approver)).body;
    assert.match(String(shown['summary']), /^Would send crm\.contact\.created to 127\.0\.0\.1:/);
    const { body } = await rest(
      'POST',
      `/pending-actions/${id}/approve`,
      { previewHash: shown['previewHash'] },
      approver,
    );
    assert.equal(String(body['state']), 'executed', JSON.stringify(body));
    const { webhooks } = (await call('service_list_webhooks', {}))['data'] ?? {};
    const [made] = webhooks as unknown as Json[];
    assert.deepEqual([String(made?.['status']), String(made?.['reason'])], ['paused', 'secret_missing']);
    // Who has it signs as the organization: an agent is never shown it.
    const rotated = await call('service_rotate_webhook_secret', { webhook_id: made?.['id'] });
    assert.equal(String(rotated['status']), 'pending_approval', JSON.stringify(rotated));
    const itself = `/webhooks/${String(made?.['id'])}/secret`;
    assert.equal((await rest('POST', itself, {})).status, 403, 'nor is who may not decide');
    const secret = String((await rest('POST', itself, {}, approver)).body['secret']);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await contact('ada');
    await until('it arrives', () => requests.length > 0);
    assert.equal(String(requests[0]?.body['type']), 'crm.contact.created');
    assert.ok(!JSON.stringify(requests[0]).includes('ada@example.com'), 'ids and no personal data');
    // An agent changes neither where it goes nor what, without a person; nor does a person whose login may not decide.
    const there = { webhook_id: made?.['id'], url: `${hook}other` };
    assert.equal(String((await call('service_retarget_webhook', there))['status']), 'pending_approval');
    const refused = await rest('PUT', `/webhooks/${String(made?.['id'])}/target`, { types: null });
    assert.equal(refused.status, 403, JSON.stringify(refused.body));
    const changed = await rest('PUT', `/webhooks/${String(made?.['id'])}/target`, { types: null }, approver);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    await using pool = openPool({ url: world.db.adminUrl, size: 1 });
    const kept = await pool.query<{ n: number }>(
      sql`select count(*)::int as n from tools.command_step where result like '%whsec_%' or encode(value, 'escape') like '%whsec_%'`,
    );
    assert.equal(kept[0]?.n, 0);
    const { out, code } = await world.command(['webhooks', 'status']);
    assert.equal(code, 0, out);
    assert.match(out, /active +1/);
  });

  test('a stream tells what is announced, goes on behind what its reader had, and leaves nothing out', async () => {
    await using first = await listen();
    assert.equal(first.status, 200);
    await contact('bob');
    await until('it is told', () => first.told.length > 0);
    assert.deepEqual(Object.keys(first.told[0]?.data ?? {}), ['id', 'type', 'subject', 'time']);
    const at = first.told[0]?.id ?? '';
    await first[Symbol.asyncDispose]();
    for (const name of ['carl', 'dora', 'emil']) await contact(name);
    await using second = await listen({ after: at });
    await until('what was missed is told', () => second.told.length === 3);
    await Promise.all(['finn', 'gina', 'hugo'].map(contact));
    await until('what comes is told', () => second.told.length === 6);
    const ids = second.told.map(({ id }) => id);
    assert.deepEqual(ids, ids.toSorted());
    assert.ok(ids.every((id) => id > at));
    await using all = await listen({ after: '0', follow: false });
    await all.ended;
    assert.deepEqual(
      all.told.filter(({ id }) => id > at).map(({ id }) => id),
      ids,
    );
    await using some = await listen({ after: '0', follow: false, types: 'portal.tenant.created' });
    await some.ended;
    assert.deepEqual(
      some.told.map(({ data }) => data.type),
      ['portal.tenant.created'],
    );
  });

  test('a stream tells an agent of the pillars that its token or its grant names, a person’s client too, and is refused to strangers', async () => {
    const narrow = await world.token({ user: 'owner@example.com', agent: 'a-2', scope: 'openid mcp:read mcp:portal' });
    const granted = await signed(world, token, { client_id: 'reader-of-portal' });
    await rest('POST', '/agent-grants', { agentId: 'reader-of-portal', pillars: ['portal'] }, approver);
    for (const by of [narrow, granted]) {
      const events: { readonly data: { readonly type: string } }[] = [];
      // What was published is told once nobody who began before it is still publishing.
      while (events.length === 0) {
        await using told = await listen({ by, after: '0', follow: false });
        await told.ended;
        events.push(...told.told);
      }
      assert.ok(
        events.every(({ data }) => !data.type.startsWith('crm.')),
        JSON.stringify(events),
      );
    }
    const stranger = await world.token({ user: 'stranger@example.com' });
    assert.equal((await listen({ by: stranger })).status, 403);
    const bad = await world.call(`${portal}/api/events/stream`, { token, tenant, headers: { 'last-event-id': 'x' } });
    assert.equal(bad.status, 400);
  });

  test('what becomes of an action is announced as it is recorded, to whoever may see the action and to nobody else', async () => {
    const join = async (email: string, role: string): Promise<string> => {
      const { body } = await rest('POST', '/invitations', { email, role }, approver);
      const joined = await world.token({ user: email });
      const url = `${portal}/api/invitations/accept`;
      assert.equal((await world.call(url, { token: joined, body: { secret: body['secret'] } })).status, 200);
      return joined;
    };
    const [developer, viewer] = [await join('dev@example.com', 'developer'), await join('view@example.com', 'viewer')];
    await using heard = await listen({ comesAgain: true });
    assert.equal(heard.status, 200);
    const tool = 'service_create_webhook';
    const propose = async (path: string, by = token): Promise<string> => {
      const asked = { tool, arguments: { url: `${hook}${path}`, types: null } };
      const { status, body } = await rest('POST', '/pending-actions', asked, by);
      assert.equal(status, 201, JSON.stringify(body));
      return String(body['id']);
    };
    const decide = async (id: string, verb: string, body: object, by = approver): Promise<void> => {
      const { previewHash } = (await rest('GET', `/pending-actions/${id}`, undefined, approver)).body;
      const bound = verb === 'edit' || verb === 'approve' ? { previewHash } : {};
      const answer = await rest('POST', `/pending-actions/${id}/${verb}`, { ...bound, ...body }, by);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const own = await propose('a', developer);
    await decide(own, 'reject', { reason: 'No.' });
    const edited = await propose('b');
    await decide(edited, 'edit', { arguments: { url: `${hook}c`, types: null }, approve: true });
    const taken = await propose('d');
    await decide(taken, 'withdraw', {}, token);
    await using pool = openPool({ url: world.db.adminUrl, size: 1 });
    const rows = async (from: 'audit' | 'bus'): Promise<string[]> =>
      (
        await pool.query<{ type: string; id: string }>(
          from === 'audit'
            ? sql`select type, event::json -> 'payload' ->> 'action_id' as id from audit.event
                where tenant_id = ${tenant} and type like 'approvals.action.%' order by sequence`
            : sql`select type, subject as id from bus.outbox
                where tenant_id = ${tenant} and type like 'approvals.action.%' order by position`,
        )
      ).map(({ type, id }) => `${type} ${id}`);
    const [recorded, announced] = [await rows('audit'), await rows('bus')];
    assert.ok(recorded.length >= 8, recorded.join(', '));
    assert.deepEqual(announced, recorded);
    await until('it is told', () => heard.told.some(({ data }) => data.type === 'approvals.action.withdrawn'));
    const told = async (by: string): Promise<string[]> => {
      await using all = await listen({ by, after: '0', follow: false });
      await all.ended;
      return all.told
        .filter(({ data }) => data.type.startsWith('approvals.'))
        .map(({ data }) => `${data.type} ${data.subject}`);
    };
    assert.deepEqual(await told(token), announced);
    assert.deepEqual(await told(viewer), []);
    const heardByDeveloper = [`approvals.action.requested ${own}`, `approvals.action.rejected ${own}`];
    assert.deepEqual(await told(developer), heardByDeveloper);

    // Nor does any door tell them more of what a webhook gets that gets everything, sent again or not.
    const of = (one: Json): string => `${String(one['type'])} ${String(one['subject'])}`;
    const webhooks = (await rest('GET', '/webhooks')).body['items'] as unknown as Json[];
    const webhookId = String(webhooks.find(({ types }) => types === null)?.['id']);
    const kept = async (by: string): Promise<Json[]> => {
      const all: Json[] = [];
      for (let cursor = ''; ;) {
        const { status, body } = await rest('GET', `/webhooks/${webhookId}/deliveries?limit=2${cursor}`, undefined, by);
        assert.equal(status, 200, JSON.stringify(body));
        all.push(...(body['items'] as unknown as Json[]));
        if (body['nextCursor'] === null) return all.filter(({ type }) => String(type).startsWith('approvals.'));
        cursor = `&cursor=${String(body['nextCursor'])}`;
      }
    };
    const withdrawn = `approvals.action.withdrawn ${taken}`;
    await until('it is kept', async () => (await kept(token)).some((one) => of(one) === withdrawn));
    const again = await rest('POST', `/webhooks/${webhookId}/replay`, { from: '2020-01-01T00:00:00Z' }, developer);
    assert.equal(again.status, 202, JSON.stringify(again.body));
    const all = await kept(token);
    assert.deepEqual(all.map(of).toReversed(), announced);
    assert.deepEqual((await kept(developer)).map(of).toReversed(), heardByDeveloper);
    const sequence = String(all.find((one) => of(one) === withdrawn)?.['sequence']);
    const others = announced.map((one) => one.split(' ')[1] ?? '').filter((id) => id !== own);
    const tellers = async (by: string): Promise<string[]> => {
      const paths = Object.entries(reference.paths).filter(([path]) =>
        path.startsWith('/portal/api/webhooks/{webhookId}'),
      );
      const answers: [string, unknown][] = [];
      for (const [path] of paths.filter(([, verbs]) => 'get' in verbs)) {
        const there = path.replace('{webhookId}', webhookId).replace('{sequence}', sequence).replace('/portal/api', '');
        answers.push([`GET ${path}`, (await rest('GET', there, undefined, by)).body]);
      }
      const agents = await world.token({
        user: by === developer ? 'dev@example.com' : 'owner@example.com',
        agent: 'a-3',
      });
      const rpc = async (method: string, params: object): Promise<Json> =>
        (
          await world.call(`${world.server.addresses.mcp}/t/${tenant}/p/portal`, {
            token: agents,
            body: { jsonrpc: '2.0', id: 1, method, params },
          })
        ).body['result'] as Json;
      for (const { name, annotations, inputSchema } of (await rpc('tools/list', {}))['tools'] as unknown as Json[]) {
        const properties = inputSchema?.['properties'] as Json;
        if (annotations?.['readOnlyHint'] !== (true as unknown) || !('webhook_id' in properties)) continue;
        const args = { webhook_id: webhookId, ...('sequence' in properties ? { sequence } : {}) };
        answers.push([String(name), await rpc('tools/call', { name, arguments: args })]);
      }
      return answers
        .filter(([, answer]) => others.some((id) => JSON.stringify(answer).includes(id)))
        .map(([door]) => door);
    };
    assert.deepEqual(await tellers(token), [
      'GET /portal/api/webhooks/{webhookId}/deliveries',
      'GET /portal/api/webhooks/{webhookId}/deliveries/{sequence}',
      'service_get_webhook_delivery',
      'service_list_webhook_deliveries',
    ]);
    assert.deepEqual(await tellers(developer), []);
    const hidden = await rest('GET', `/webhooks/${webhookId}/deliveries/${sequence}`, undefined, developer);
    assert.equal(hidden.status, 404);
  });

  test('an agent and a member have so many streams, the owner has room beside them, and those that are left make room', async () => {
    const { body: invited } = await rest(
      'POST',
      '/invitations',
      { email: 'many@example.com', role: 'viewer' },
      approver,
    );
    const member = await world.token({ user: 'many@example.com' });
    await world.call(`${portal}/api/invitations/accept`, { token: member, body: { secret: invited['secret'] } });
    const inPerson = await world.token({ user: 'many@example.com', approver: true });
    const other = await world.token({ user: 'many@example.com', agent: 'assistant-2' });
    const open: Reader[] = [];
    const openAll = async (by: string): Promise<number> => {
      for (let got = 0; got < 12; got += 1) {
        const next = await listen({ by });
        if (next.status !== 200) {
          assert.equal(next.status, 429);
          await next.ended;
          return got;
        }
        open.push(next);
      }
      return 12;
    };
    assert.deepEqual([await openAll(agent), await openAll(other), await openAll(inPerson)], [3, 3, 3]);
    for (const by of [await world.token({ user: 'many@example.com', agent: 'assistant-3' }), member])
      assert.equal(await openAll(by), 0);
    assert.equal(await openAll(approver), 3);
    for (const one of open) await one[Symbol.asyncDispose]();
    await until('there is room', async () => {
      const next = await listen();
      await next[Symbol.asyncDispose]();
      return next.status === 200;
    });
  });

  test('a stream ends when the access of its reader ends', async () => {
    const { body } = await rest('POST', '/invitations', { email: 'reader@example.com', role: 'viewer' }, approver);
    const reader = await world.token({ user: 'reader@example.com' });
    const accepted = await world.call(`${portal}/api/invitations/accept`, {
      token: reader,
      body: { secret: body['secret'] },
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    await using stream = await listen({ by: reader });
    await contact('ida');
    await until('it is told', () => stream.told.length > 0);
    const members = (await rest('GET', '/members', undefined, approver)).body['items'] as unknown as Json[];
    const own = members.find((member) => JSON.stringify(member).includes('reader@example.com'));
    const gone = await rest('DELETE', `/members/user/${String(own?.['principalId'])}`, undefined, approver);
    assert.ok(gone.status < 300, JSON.stringify([gone.status, gone.body, own]));
    await stream.ended;
    const had = stream.told.length;
    await contact('jack');
    assert.equal(stream.told.length, had);
    assert.equal((await listen({ by: reader })).status, 403);
  });
});
