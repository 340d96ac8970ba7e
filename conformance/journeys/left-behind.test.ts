import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, createWorld, type Json, signed, type World } from '../world/index.ts';

const list = (json: Json | undefined): Json[] => (json ?? []) as unknown as Json[];
const code = ({ body }: Answer): string => String(body['code'] ?? 'none');
const kindsAndIds = (items: Json | readonly Json[] | undefined): string[] =>
  list(items as Json)
    .map(({ kind, id }) => `${String(kind)} ${String(id)}`)
    .toSorted();

/** A person by their login, or an agent that an owner approves. */
type Aims = { readonly token: string } | { readonly client: string };

/** What somebody made, or was shown, that still gives data or entry to somebody outside once they are no longer trusted. */
describe('what whoever is not trusted any more has made', () => {
  let world: World;
  before(async () => {
    world = await createWorld({ WEBHOOKS_TO_LOOPBACK: 'allow' });
  });
  after(async () => world[Symbol.asyncDispose]());

  let organizations = 0;
  const open = async () => {
    organizations += 1;
    const owner = `owner-${organizations}@example.com`;
    const { tenant } = await world.signUp(owner, `Left ${organizations}`);
    const decides = await world.token({ user: owner, approver: true });
    const { addresses } = world.server;
    const rest = async (
      at: 'portal' | 'commerce' | 'studio',
      token: string,
      method: string,
      path: string,
      body?: unknown,
    ) => world.call(`${addresses[at]}/api${path}`, { token, tenant, method, ...(body === undefined ? {} : { body }) });
    const agent = async (id: string) =>
      signed(world, await world.token({ user: owner, agent: 'x' }), { act: { sub: id } });
    const tool = async (id: string, at: string, name: string, args: object): Promise<Json> => {
      const params = { name, arguments: args };
      const { body } = await world.call(`${addresses.mcp}/p/${at}`, {
        token: await agent(id),
        tenant,
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      });
      return body['result']?.['structuredContent'] ?? body;
    };
    /** Has an agent do it, and the owner approve it where that is needed. */
    const through = async (id: string, at: string, name: string, args: object): Promise<Json> => {
      const asked = await tool(id, at, name, args);
      if (String(asked['status']) === 'ok') return asked['data'] ?? asked;
      assert.equal(String(asked['status']), 'pending_approval', JSON.stringify(asked));
      const path = `/pending-actions/${String(asked['pending_action_id'])}`;
      const { body } = await rest('portal', decides, 'GET', path);
      const done = await rest('portal', decides, 'POST', `${path}/approve`, { previewHash: body['previewHash'] });
      assert.equal(String(done.body['state']), 'executed', JSON.stringify(done.body));
      return done.body['result']?.['data'] ?? done.body;
    };
    const { body: brands } = await rest('portal', decides, 'GET', '/brands');
    const brandId = String(list(brands['items'] ?? brands['brands'])[0]?.['id']);
    const integrations = async (): Promise<Json[]> =>
      list((await rest('portal', decides, 'GET', '/integrations')).body['items']);
    return {
      owner,
      tenant,
      decides,
      rest,
      tool,
      through,
      brandId,
      integrations,
      webhook: async (token: string, url: string): Promise<string> => {
        const made = await rest('portal', token, 'POST', '/webhooks', { url, types: null });
        assert.equal(made.status, 201, JSON.stringify(made.body));
        const id = String(made.body['id']);
        assert.equal((await rest('portal', token, 'POST', `/webhooks/${id}/secret`, {})).status, 201);
        return id;
      },
      webhooks: async (): Promise<Json[]> => list((await rest('portal', decides, 'GET', '/webhooks')).body['items']),
      invite: async (email: string): Promise<readonly [plain: string, decides: string]> => {
        const { status, body } = await rest('portal', decides, 'POST', '/invitations', { email, role: 'admin' });
        assert.equal(status, 201, JSON.stringify(body));
        const token = await world.token({ user: email });
        const accepted = await world.call(`${addresses.portal}/api/invitations/accept`, {
          token,
          body: { secret: body['secret'] },
        });
        assert.equal(code(accepted), 'none');
        return [token, await world.token({ user: email, approver: true })];
      },
      idOf: async (email: string): Promise<string> => {
        const { body } = await rest('portal', decides, 'GET', '/members?limit=200');
        return String(list(body['items']).find((one) => String(one['email']) === email)?.['principalId']);
      },
      /** Whether the key opens the door of the brand that sells to agents in tests. */
      opens: async (key: string): Promise<boolean> => {
        const { status } = await world.call(`${addresses.commerce}/acp/${brandId}/checkout_sessions/none`, {
          token: key,
          method: 'GET',
          headers: { 'api-version': '2026-04-17' },
        });
        assert.ok([401, 404].includes(status), String(status));
        return status === 404;
      },
    };
  };

  test('goes on where a person is removed, and is named: before, in the answer, and wherever it is listed', async () => {
    const { rest, decides, invite, idOf, webhook, webhooks, integrations, tool, brandId, owner } = await open();
    const ours = await webhook(decides, 'http://127.0.0.1:9/ours');
    const [plain, bob] = await invite('bob@example.com');
    const his = await webhook(bob, 'http://127.0.0.1:9/his');
    const issued = await rest('commerce', plain, 'POST', `/brands/${brandId}/agent-credentials`, {
      profileUrl: 'https://platform.example/',
    });
    assert.equal(issued.status, 201, JSON.stringify(issued.body));
    const site = await rest('studio', plain, 'POST', '/sites', { name: 'Shop', origins: ['https://shop.example'] });
    assert.equal(site.status, 201, JSON.stringify(site.body));
    const key = await rest('studio', plain, 'POST', `/sites/${String(site.body['id'])}/keys`, { label: 'Pages' });
    assert.equal(key.status, 201, JSON.stringify(key.body));
    assert.equal(
      (await rest('portal', bob, 'POST', '/members', { principalType: 'service', principalId: 'bot', role: 'viewer' }))
        .status,
      201,
    );
    assert.equal(
      (await rest('portal', bob, 'POST', '/invitations', { email: 'friend@example.com', role: 'viewer' })).status,
      201,
    );

    const id = await idOf('bob@example.com');
    const wanted = ['agent_credential true', 'invitation true', 'machine false', 'sdk_key false', 'webhook true'];
    const named = (items: Json | undefined): string[] =>
      list(items)
        .map((one) => `${String(one['kind'])} ${String(one['secret_known'] ?? one['secretKnown'])}`)
        .toSorted();
    const beforehand = await rest('portal', decides, 'GET', `/integrations?member=${encodeURIComponent(`user:${id}`)}`);
    assert.deepEqual(
      list(beforehand.body['items'])
        .map(({ kind }) => String(kind))
        .toSorted(),
      wanted.map((one) => one.split(' ')[0]),
      'before anything is asked',
    );
    // An agent that proposes it shows the approver what goes on.
    const asked = await tool('helper', 'portal', 'service_remove_member', { member: 'bob@example.com' });
    const action = await rest('portal', decides, 'GET', `/pending-actions/${String(asked['pending_action_id'])}`);
    assert.deepEqual(named(action.body['preview']?.['leaves']), wanted);
    assert.match(String(action.body['summary']), /webhook 127\.0\.0\.1:9, whose secret they know/);
    assert.equal((await webhooks()).filter((one) => String(one['createdByLeft']) !== 'null').length, 0);

    const removed = await rest('portal', decides, 'DELETE', `/members/user/${encodeURIComponent(id)}`);
    assert.equal(removed.status, 200, JSON.stringify(removed.body));
    assert.deepEqual(named(removed.body['leaves']), wanted);

    const facts = (one: Json | undefined) => [
      one?.['status'],
      one?.['createdBy'],
      one?.['createdThrough'],
      one?.['createdByLeft'],
      one?.['secretKnownToLeft'],
    ];
    const marks = new Map((await webhooks()).map((one) => [String(one['id']), facts(one)]));
    assert.deepEqual(marks.get(his), ['active', id, 'steward-console', 'removed', true], 'it goes on, and is marked');
    assert.deepEqual(marks.get(ours), ['active', await idOf(owner), 'steward-console', null, false]);
    const left = (await integrations()).filter((one) => String(one['createdByLeft']) === 'removed');
    assert.deepEqual(left.map((one) => String(one['kind'])).toSorted(), [
      'agent_credential',
      'invitation',
      'machine',
      'sdk_key',
      'webhook',
    ]);
    for (const one of left) assert.equal(String(one['createdBy']), id);
    assert.deepEqual(left.find((one) => String(one['kind']) === 'webhook')?.['knownToLeft'], [
      String(left[0]?.['createdByName']),
    ]);

    // A new secret that they never saw, and the one before at its end.
    const rotated = await rest('portal', decides, 'POST', `/webhooks/${his}/secret`, { overlapHours: 0 });
    assert.equal(rotated.status, 201);
    assert.deepEqual(facts((await webhooks()).find((one) => String(one['id']) === his)).slice(3), ['removed', false]);
  });

  test('is listed where a person who is shown a secret of another’s leaves', async () => {
    const { rest, decides, invite, idOf, webhook, webhooks, integrations } = await open();
    const ours = await webhook(decides, 'http://127.0.0.1:9/ours');
    const [, carol] = await invite('carol@example.com');
    assert.equal((await rest('portal', carol, 'POST', `/webhooks/${ours}/secret`, {})).status, 201);
    const { body } = await rest(
      'portal',
      decides,
      'DELETE',
      `/members/user/${encodeURIComponent(await idOf('carol@example.com'))}`,
    );
    assert.deepEqual(
      list(body['leaves']).map((one) => [one['kind'], one['id'], one['secretKnown']]),
      [['webhook', ours, true]],
    );
    const [one] = await webhooks();
    assert.deepEqual([one?.['createdByLeft'], one?.['secretKnownToLeft']], [null, true]);
    assert.equal(
      list((await integrations()).find(({ kind }) => String(kind) === 'webhook')?.['knownToLeft']).length,
      1,
    );
  });

  /** A webhook, what an agent platform is told, and a product feed, made by the owner through `maker`, or by themselves; all of them send. */
  const aimed = async (at: Awaited<ReturnType<typeof open>>, maker?: string) => {
    const { rest, decides, through, brandId } = at;
    const ok = async (answer: Promise<Answer>): Promise<Json> => {
      const { status, body } = await answer;
      assert.ok(status < 300, JSON.stringify(body));
      return body;
    };
    const issued = await ok(
      rest('commerce', decides, 'POST', `/brands/${brandId}/agent-credentials`, {
        profileUrl: 'https://platform.example/',
      }),
    );
    const agentId = String(issued['agentId']);
    const aims = {
      webhook: async (by: Aims, url: string, webhookId: string): Promise<unknown> =>
        'client' in by
          ? through(by.client, 'portal', 'service_retarget_webhook', { webhook_id: webhookId, url })
          : ok(rest('portal', by.token, 'PUT', `/webhooks/${webhookId}/target`, { url })),
      agent: async (by: Aims, url: string): Promise<string> =>
        'client' in by
          ? String(
              (await through(by.client, 'commerce/selling', 'service_set_agent_webhook', { agent_id: agentId, url }))[
                'webhook'
              ]?.['webhook_id'],
            )
          : String(
              (await ok(rest('commerce', by.token, 'PUT', `/shopping-agents/${agentId}/webhook`, { url })))[
                'webhookId'
              ],
            ),
      feed: async (by: Aims, url: string): Promise<string> => {
        const id =
          'client' in by
            ? (await through(by.client, 'commerce/selling', 'service_set_agent_feed', { agent_id: agentId, url }))[
                'feed'
              ]?.['id']
            : (await ok(rest('commerce', by.token, 'PUT', `/shopping-agents/${agentId}/feed`, { url })))['id'];
        await ok(
          rest('commerce', decides, 'PUT', `/agent-feeds/${String(id)}/token`, { token: 'token-of-the-platform', url }),
        );
        return String(id);
      },
    };
    const by: Aims = maker === undefined ? { token: decides } : { client: maker };
    const made =
      'client' in by
        ? (
            await through(by.client, 'portal', 'service_create_webhook', {
              url: 'http://127.0.0.1:9/ours',
              types: null,
              signing: 'ed25519',
            })
          )['webhook']?.['id']
        : await at.webhook(decides, 'http://127.0.0.1:9/ours');
    const told = await aims.agent(by, 'http://127.0.0.1:9/platform');
    await ok(rest('portal', decides, 'POST', `/webhooks/${told}/secret`, {}));
    const feed = await aims.feed(by, 'http://127.0.0.1:9/feed');
    const webhook = String(made);
    return {
      webhook,
      agentId,
      all: [`product_feed ${feed}`, `webhook ${webhook}`, `webhook ${told}`].toSorted(),
      /** Has all of them go elsewhere. */
      reaim: async (who: Aims, to: string): Promise<void> => {
        await aims.webhook(who, `http://127.0.0.1:9/${to}`, webhook);
        assert.equal(await aims.agent(who, `http://127.0.0.1:9/${to}`), told);
        assert.equal(await aims.feed(who, `http://127.0.0.1:9/${to}`), feed);
      },
    };
  };

  test('is of whoever had it go elsewhere last: a person who did, and is removed, is named', async () => {
    const at = await open();
    const { rest, decides, invite, idOf, integrations } = at;
    const things = await aimed(at);
    const [, bob] = await invite('bob-aims@example.com');
    const [, carol] = await invite('carol-aims@example.com');
    const leaves = async (email: string): Promise<string[]> => {
      const id = encodeURIComponent(await idOf(email));
      const { status, body } = await rest('portal', decides, 'DELETE', `/members/user/${id}`);
      assert.equal(status, 200, JSON.stringify(body));
      return kindsAndIds(body['leaves']);
    };
    await things.reaim({ token: bob }, 'bob');
    // Other types, another country, and the address that it has, have nothing go elsewhere.
    const alike = [
      await rest('portal', carol, 'PUT', `/webhooks/${things.webhook}/target`, {
        url: 'http://127.0.0.1:9/bob',
        types: ['commerce.order.placed'],
      }),
      await rest('commerce', carol, 'PUT', `/shopping-agents/${things.agentId}/webhook`, {
        url: 'http://127.0.0.1:9/bob',
      }),
      await rest('commerce', carol, 'PUT', `/shopping-agents/${things.agentId}/feed`, {
        url: 'http://127.0.0.1:9/bob',
        targetCountry: 'NO',
      }),
    ];
    for (const { status, body } of alike) assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(await leaves('carol-aims@example.com'), []);
    assert.deepEqual(await leaves('bob-aims@example.com'), things.all);
    const marked = async () =>
      kindsAndIds((await integrations()).filter((one) => String(one['createdByLeft']) === 'removed'));
    assert.deepEqual(await marked(), things.all);
    await things.reaim({ token: decides }, 'ours');
    assert.deepEqual(await marked(), [], 'until somebody who is there has it go elsewhere');
  });

  test('stops where a client that had it go elsewhere is shut out, and not the one that it was made through', async () => {
    const at = await open();
    const { rest, decides, webhooks } = at;
    const things = await aimed(at, 'maker');
    await things.reaim({ client: 'evil' }, 'evil');
    const foretold = async (client: string): Promise<string[]> =>
      kindsAndIds((await rest('portal', decides, 'GET', `/agent-grants/${client}/suspensions`)).body['items']);
    assert.deepEqual([await foretold('maker'), await foretold('evil')], [[], things.all]);
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/maker')).status, 204);
    assert.deepEqual(
      (await webhooks()).map(({ status }) => String(status)),
      ['active', 'active'],
    );
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/evil')).status, 204);
    assert.deepEqual(kindsAndIds((await rest('portal', decides, 'GET', '/suspensions')).body['items']), things.all);
    assert.deepEqual(
      (await webhooks()).map(({ status, reason }) => [status, reason]),
      [
        ['paused', 'client_shut_out'],
        ['paused', 'client_shut_out'],
      ],
    );
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, JSON.stringify(audit));
  });

  test('stops where an agent is shut out, as it was foretold, until a person restores it', async () => {
    const { rest, decides, through, brandId, opens, webhook, webhooks, integrations, tool } = await open();
    await through('helper', 'commerce/selling', 'service_create_signing_key', { brand_id: brandId });
    const door = await rest('commerce', decides, 'PATCH', `/brands/${brandId}/agentic-commerce`, {
      protocol: 'acp',
      active: true,
      mode: 'test',
    });
    assert.equal(door.status, 200, JSON.stringify(door.body));
    const ours = await webhook(decides, 'http://127.0.0.1:9/ours');
    const made = await through('evil', 'portal', 'service_create_webhook', {
      url: 'http://127.0.0.1:9/evil',
      types: null,
      signing: 'ed25519',
    });
    const theirs = String(made['webhook']?.['id']);
    const issued = await through('evil', 'commerce/selling', 'service_issue_agent_credential', {
      brand_id: brandId,
      profile_url: 'https://platform.example/',
    });
    const [key, credentialId] = [String(issued['credential']?.['key']), String(issued['credential']?.['id'])];
    assert.ok(key.startsWith('ak_test_'), JSON.stringify(issued));
    assert.ok(await opens(key));
    const fed = await through('evil', 'commerce/selling', 'service_set_agent_feed', {
      agent_id: String(issued['credential']?.['agent_id']),
      url: 'http://127.0.0.1:9/feed',
    });
    const feedId = String(fed['feed']?.['id']);
    const given = await rest('commerce', decides, 'PUT', `/agent-feeds/${feedId}/token`, {
      token: 'token-of-the-platform',
      url: 'http://127.0.0.1:9/feed',
    });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    const site = await through('evil', 'studio', 'service_create_site', {
      name: 'Shop',
      origins: ['https://shop.example'],
    });
    await through('evil', 'studio', 'service_issue_sdk_key', { site_id: String(site['site']?.['id']) });

    const foretold = await rest('portal', decides, 'GET', '/agent-grants/evil/suspensions');
    const stopping = [`agent_credential ${credentialId}`, `product_feed ${feedId}`, `webhook ${theirs}`];
    const named = (items: Json | undefined): string[] =>
      list(items)
        .map(({ kind, id }) => `${String(kind)} ${String(id)}`)
        .toSorted();
    assert.deepEqual(named(foretold.body['items']), stopping);
    assert.deepEqual(
      list(foretold.body['leaves']).map(({ kind }) => String(kind)),
      ['sdk_key'],
    );
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/evil')).status, 204);
    assert.deepEqual(named((await rest('portal', decides, 'GET', '/suspensions')).body['items']), stopping);

    const stateOf = async (id: string) => {
      const one = (await webhooks()).find((each) => String(each['id']) === id);
      return [one?.['status'], one?.['reason']];
    };
    assert.deepEqual(await stateOf(theirs), ['paused', 'client_shut_out']);
    assert.deepEqual(await stateOf(ours), ['active', null], 'what others made goes on');
    assert.equal(await opens(key), false);
    const feeds = async () => list((await rest('commerce', decides, 'GET', '/agent-feeds')).body['items'])[0];
    assert.deepEqual([(await feeds())?.['status'], (await feeds())?.['reason']], ['paused', 'client_shut_out']);
    const rotating = await tool('helper', 'commerce/selling', 'service_rotate_agent_credential', {
      credential_id: credentialId,
    });
    assert.equal(String(rotating['error_code']), 'agent_credential_ended', 'what it knows is the start of no other');

    for (const [kind, id] of [
      ['webhook', theirs],
      ['agent_credential', credentialId],
      ['product_feed', feedId],
    ] as const) {
      const again = { kind, id };
      assert.equal((await rest('portal', decides, 'POST', '/suspensions/restore', again)).status, 204, kind);
      assert.equal((await rest('portal', decides, 'POST', '/suspensions/restore', again)).status, 404, kind);
    }
    assert.deepEqual(await stateOf(theirs), ['active', null]);
    assert.ok(await opens(key));
    assert.equal(String((await feeds())?.['status']), 'active');
    // Whoever restored it answers for it from then on: shutting out the client again leaves it.
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/evil')).status, 204);
    assert.deepEqual(named((await rest('portal', decides, 'GET', '/suspensions')).body['items']), []);
    assert.deepEqual(
      (await integrations()).filter((one) => String(one['createdThrough']) === 'evil').map(({ kind }) => String(kind)),
      ['sdk_key'],
    );
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, JSON.stringify(audit));
  });

  test('stops also where it sent nothing at the moment, and is nobody’s but theirs who have it go on', async () => {
    const { rest, decides, through, webhooks, brandId } = await open();
    await through('helper', 'commerce/selling', 'service_create_signing_key', { brand_id: brandId });
    await rest('commerce', decides, 'PATCH', `/brands/${brandId}/agentic-commerce`, {
      protocol: 'acp',
      active: true,
      mode: 'test',
    });
    const { credential } = await through('helper', 'commerce/selling', 'service_issue_agent_credential', {
      brand_id: brandId,
      profile_url: 'https://platform.example/',
    });
    const fed = await through('evil', 'commerce/selling', 'service_set_agent_feed', {
      agent_id: String(credential?.['agent_id']),
      url: 'http://127.0.0.1:9/feed',
    });
    const feedId = String(fed['feed']?.['id']);
    const feed = async (): Promise<unknown[]> => {
      const [one] = list((await rest('commerce', decides, 'GET', '/agent-feeds')).body['items']);
      return [one?.['status'], one?.['reason'], String(one?.['createdThrough']) === 'evil'];
    };
    assert.deepEqual(await feed(), ['paused', 'token_missing', true]);
    const make = async (host: string, signing: string): Promise<string> => {
      const url = `http://127.0.0.1:9/${host}`;
      const made = await through('evil', 'portal', 'service_create_webhook', { url, types: null, signing });
      return String(made['webhook']?.['id']);
    };
    const [paused, later, secretless] = [
      await make('paused', 'ed25519'),
      await make('later', 'ed25519'),
      await make('secretless', 'hmac'),
    ];
    for (const id of [paused, later])
      assert.equal((await rest('portal', decides, 'POST', `/webhooks/${id}/pause`)).status, 200);
    const all = [paused, later, secretless, feedId].toSorted();
    const idsOf = (items: Json | undefined): string[] =>
      list(items)
        .map(({ id }) => String(id))
        .toSorted();
    const stateOf = async (id: string): Promise<unknown[]> => {
      const one = (await webhooks()).find((each) => String(each['id']) === id);
      return [one?.['status'], one?.['reason'], String(one?.['createdThrough']) === 'evil'];
    };
    const foretold = await rest('portal', decides, 'GET', '/agent-grants/evil/suspensions');
    assert.deepEqual(idsOf(foretold.body['items']), all);
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/evil')).status, 204);
    assert.deepEqual(idsOf((await rest('portal', decides, 'GET', '/suspensions')).body['items']), all);
    const stopped = ['paused', 'shut_out_stopped', true];
    for (const id of [paused, later, secretless]) assert.deepEqual(await stateOf(id), stopped);
    assert.deepEqual(await feed(), stopped);

    const resume = async (id: string): Promise<string> =>
      code(await rest('portal', decides, 'POST', `/webhooks/${id}/resume`));
    assert.equal(await resume(secretless), 'webhook_disabled');
    assert.equal(await resume(later), 'none');
    assert.deepEqual(await stateOf(later), ['active', null, false], 'whoever resumed it made it from then on');
    for (const id of [paused, secretless])
      assert.equal(
        (await rest('portal', decides, 'POST', '/suspensions/restore', { kind: 'webhook', id })).status,
        204,
      );
    assert.deepEqual(await stateOf(paused), ['paused', 'member', false], 'it had been paused');
    const given = { token: 'token-of-the-platform', url: 'http://127.0.0.1:9/feed' };
    assert.equal((await rest('commerce', decides, 'PUT', `/agent-feeds/${feedId}/token`, given)).status, 200);
    assert.deepEqual(await feed(), stopped, 'a token has it go on no more than a secret does');
    const restored = { kind: 'product_feed', id: feedId };
    assert.equal((await rest('portal', decides, 'POST', '/suspensions/restore', restored)).status, 204);
    assert.deepEqual(await feed(), ['paused', 'member', false]);
    assert.deepEqual(await stateOf(secretless), ['paused', 'secret_missing', false]);
    assert.equal((await rest('portal', decides, 'POST', `/webhooks/${secretless}/secret`, {})).status, 201);
    assert.deepEqual(await stateOf(secretless), ['active', null, false]);
    assert.equal((await rest('portal', decides, 'DELETE', '/agent-grants/evil')).status, 204);
    assert.deepEqual(idsOf((await rest('portal', decides, 'GET', '/suspensions')).body['items']), []);
    const audit = await world.command(['audit', 'verify']);
    assert.equal(audit.code, 0, JSON.stringify(audit));
  });

  test('is not had to go on by one person where making it takes two', async () => {
    const { rest, decides, invite, through } = await open();
    const [, admin] = await invite('admin@example.com');
    await through('rogue', 'portal', 'service_create_webhook', {
      url: 'http://127.0.0.1:9/rogue',
      types: null,
      signing: 'ed25519',
    });
    await through('rogue', 'portal', 'service_grant_agent', { agent_id: 'friend-of-rogue' });
    await through('rogue', 'portal', 'service_invite_member', { email: 'pal@example.com', role: 'admin' });
    const { body: policy } = await rest('portal', decides, 'GET', '/approval-policy');
    const two = { fourEyes: true };
    const tools = { service_resume_webhook: two, service_grant_agent: two, service_invite_member: two };
    assert.equal((await rest('portal', decides, 'PUT', '/approval-policy', { ...policy, tools })).status, 200);
    assert.ok((await rest('portal', decides, 'DELETE', '/agent-grants/rogue')).status < 300);
    const suspended = list((await rest('portal', admin, 'GET', '/suspensions')).body['items']);
    assert.deepEqual(suspended.map((one) => String(one['kind'])).toSorted(), ['grant', 'invitation', 'webhook']);
    for (const { kind, id } of suspended) {
      const alone = await rest('portal', admin, 'POST', '/suspensions/restore', { kind, id });
      assert.deepEqual([alone.status, code(alone)], [409, 'conflict'], String(kind));
    }
  });
});
