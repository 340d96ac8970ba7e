import assert from 'node:assert/strict';
import { z } from 'zod';
import { after, before, describe, it } from 'node:test';
import { requireHuman } from '@steward/access';
import { mountRoutes, route } from '@steward/contract';
import { createRouter, listen, newId, type Listener } from '@steward/kernel';
import { sql } from '@steward/sql';
import { startIssuer, type TestIssuer } from '../fixtures/issuer.ts';
import { log } from '../fixtures/log.ts';
import { anything, createWorld, type Process, type World } from '../fixtures/world.ts';
import { makeServiceToken } from '../token/service.ts';

describe('guards on a real server', () => {
  const service = makeServiceToken('jobs');
  let world: World;
  let process: Process;
  let issuer: TestIssuer;
  let listener: Listener;
  let base: string;
  let tenant: string;
  let close: () => Promise<void>;
  before(async () => {
    [world, issuer, listener] = await Promise.all([createWorld(), startIssuer(), listen('127.0.0.1', 0, log)]);
    const [name = '', sha256 = ''] = service.entry.split(':');
    process = await world.process({ issuers: [issuer.profile({ audiences: [] })], serviceTokens: [{ name, sha256 }] });
    base = `http://127.0.0.1:${listener.port}/portal`;
    const { identity } = process;
    const answer = { 200: { description: 'what the guard let in' } };
    const common = { method: 'GET', summary: '', tag: 'test', does: 'for_anyone', answers: answer } as const;
    const routes = [
      route({
        ...common,
        path: '/who',
        query: z.looseObject({}),
        guard: identity.bearer(base, ['urn:signup']),
        handle: ({ guard }) => ({ status: 200, body: { id: guard.subject.id, human: guard.human } }),
      }),
      route({
        ...common,
        path: '/role',
        guard: identity.tenant(base),
        handle: async ({ guard: { context } }) => {
          const [row] = await context.require(anything).read(sql`select current_setting('app.tenant_id') as tenant`);
          return { status: 200, body: { ...row, chain: context.chain, caller: context.caller, id: context.requestId } };
        },
      }),
      route({
        ...common,
        path: '/person',
        guard: identity.person(base),
        handle: ({ guard }) => {
          requireHuman(guard.caller);
          return { status: 204 };
        },
      }),
    ];
    const router = await createRouter({
      server: listener.server,
      mounts: [{ base, register: (scope) => mountRoutes(scope, routes) }],
      doors: [],
      log,
      observe: () => undefined,
    });
    listener.open(router.handle);
    close = router.close;
    tenant = await process.tenant({ alice: 'admin', zoe: 'owner' });
  });
  after(async () => {
    await listener.close(0);
    await close();
    await issuer[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  interface Got {
    status: number;
    body: { code?: string; [member: string]: unknown };
    headers: Headers;
  }
  const get = async (path: string, headers: Record<string, string> = {}): Promise<Got> => {
    const response = await fetch(`${base}${path}`, { headers });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  };
  const bearer = async (claims: object = {}): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await issuer.sign({ aud: base, ...claims })}`,
  });
  const outcome = ({ status, body }: Got): [number, string | undefined] => [status, body.code];

  it('challenge a request without a token, and one whose token counts for nothing', async () => {
    const none = await get('/who');
    assert.deepEqual([...outcome(none), none.headers.get('www-authenticate')], [401, 'unauthenticated', 'Bearer']);
    const bad = await get('/who', { authorization: 'Bearer x' });
    assert.deepEqual(
      [...outcome(bad), bad.headers.get('www-authenticate')],
      [401, 'unauthenticated', 'Bearer error="invalid_token"'],
    );
  });

  it('refuse a token in the address, even beside a good one', async () => {
    const token = await issuer.sign({ aud: base });
    for (const path of [`/who?access_token=${token}`, '/who?a=1&ACCESS_TOKEN=x']) {
      assert.deepEqual(outcome(await get(path, await bearer())), [400, 'invalid_request']);
      assert.deepEqual(outcome(await get(path)), [401, 'unauthenticated']);
    }
    assert.equal((await get('/who?x=access_token=1', await bearer())).status, 200);
  });

  it('accept extra audiences only where they are named', async () => {
    assert.equal((await get('/who', await bearer({ aud: 'urn:signup' }))).status, 200);
    assert.deepEqual(outcome(await get('/role', await bearer({ aud: 'urn:signup' }))), [401, 'unauthenticated']);
  });

  it('ask for a tenant, and for the same one everywhere', async () => {
    assert.deepEqual(outcome(await get('/role', await bearer())), [400, 'tenant_required']);
    assert.deepEqual(outcome(await get('/role', { ...(await bearer()), 'x-tenant-id': '' })), [400, 'tenant_required']);
    const bound = await bearer({ tenant_id: tenant });
    assert.deepEqual(outcome(await get('/role', { ...bound, 'x-tenant-id': newId() })), [400, 'tenant_mismatch']);
    assert.equal((await get('/role', bound)).body['tenant'], tenant);
    assert.equal((await get('/role', { ...bound, 'x-tenant-id': tenant })).status, 200);
  });

  it('answer alike for a tenant of others, one that does not exist, and what is no id', async () => {
    const other = await process.tenant({ carol: 'owner' });
    const answers = await Promise.all(
      [other, newId(), 'x', tenant.toUpperCase(), `${tenant}, ${other}`].map(async (id) =>
        get('/role', { ...(await bearer()), 'x-tenant-id': id }),
      ),
    );
    const told = answers.map(({ status, body }) => [status, body.code, body['detail']]);
    assert.deepEqual(new Set(told.map(String)).size, 1);
    assert.deepEqual(told[0]?.slice(0, 2), [403, 'tenant_forbidden']);
  });

  it('hand verbs the whole chain: the person, then the agent that holds the token', async () => {
    const headers = { ...(await bearer({ act: { sub: 'bot' } })), 'x-tenant-id': tenant, 'x-request-id': 'req-1' };
    assert.deepEqual((await get('/role', headers)).body, {
      tenant,
      chain: [
        { type: 'user', id: 'alice' },
        { type: 'agent', id: 'bot' },
      ],
      caller: { type: 'agent', id: 'bot' },
      id: 'req-1',
    });
  });

  it('let service tokens into every tenant that exists, as nobody in particular', async () => {
    const headers = { authorization: `Bearer ${service.token}` };
    assert.equal((await get('/role', { ...headers, 'x-tenant-id': tenant })).status, 200);
    assert.deepEqual(outcome(await get('/role', { ...headers, 'x-tenant-id': newId() })), [403, 'tenant_forbidden']);
    assert.deepEqual(outcome(await get('/person', { ...headers, 'x-tenant-id': tenant })), [403, 'not_human']);
  });

  it('keep machines and agents from what only people may do', async () => {
    for (const claims of [{ act: { sub: 'bot' } }, { client_id: 'alice' }, { auth_time: 0 }]) {
      const headers = { ...(await bearer(claims)), 'x-tenant-id': tenant };
      assert.deepEqual(outcome(await get('/person', headers)), [403, 'not_human']);
    }
    assert.equal((await get('/person', { ...(await bearer()), 'x-tenant-id': tenant })).status, 204);
  });
});
