import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createWorld, outputOf, type Answer, type World } from '@steward/conformance/world';

describe('a customer who asks to be forgotten', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const steward = async (args: readonly string[], more?: Record<string, string>): Promise<string> =>
    outputOf(world.command(['audit', ...args], more));

  test('is erased by the operator under no hold, and the chain stays whole', async () => {
    const { tenant, token } = await world.signUp('alice@example.com');
    const events = `${world.server.addresses.accounting}/api/audit/events`;
    const order = async (customer: string): Promise<Answer> =>
      world.call(events, {
        token,
        tenant,
        body: {
          type: 'commerce.order.imported',
          event_version: '1.0.0',
          grammar: 'commerce',
          source: 'marketplace',
          payload: { order_id: '1', customer_id: customer, customer_name: 'Ada Lovelace' },
          principal_chain: [{ principal_type: 'service', principal_id: 'importer' }],
          occurred_at: '2026-03-01T10:00:00Z',
        },
      });
    const nameOf = async ({ body }: Answer): Promise<unknown> => {
      const read = await world.call(`${events}/${String(body['id'])}`, { token, tenant });
      return read.body['payload']?.['customer_name'];
    };
    const [hers, his] = [await order('c-1'), await order('c-2')];
    assert.equal(hers.status, 201);
    assert.equal(await nameOf(hers), 'Ada Lovelace');
    const erase = ['erase', '--tenant', tenant, '--subject', 'c-1', '--reason', 'requested'];
    assert.match(
      await steward(['hold', '--tenant', tenant, '--reason', 'case 17']),
      /stands .* placed by system:operator/,
    );
    await assert.rejects(steward(erase), ({ stderr }: { stderr: string }) => /legal hold/.test(stderr));
    assert.match(await steward(['hold', '--tenant', tenant]), /case 17/);
    assert.match(await steward(['hold', '--tenant', tenant, '--release']), /is released/);
    assert.match(await steward(erase), /is destroyed, and event [0-9a-f-]{36} says so/);
    assert.match(await steward(erase), /nothing left/);
    assert.deepEqual(await nameOf(hers), { $erased: true });
    assert.equal(await nameOf(his), 'Ada Lovelace');
    assert.equal((await order('c-1')).status, 201);
    assert.match(await steward(['verify', '--tenant', tenant]), /Verified/);
    assert.match(await steward(['erase', '--from-archive']), /All that the archive says was erased is erased/);
    assert.match(await steward(['expire', '--dry-run']), /^0 days would expire/);
  });

  test('is erased by a person who may decide, and by no agent that was handed a token', async () => {
    const user = 'carol@example.com';
    const { tenant, token } = await world.signUp(user);
    const approver = await world.token({ user, approver: true });
    const agent = await world.token({ user, agent: 'assistant-1' });
    const { accounting } = world.server.addresses;
    const hold = `${accounting}/api/audit/hold`;
    const erase = async (bearer: string): Promise<Answer> => {
      const body = { subject: 'c-1', reason: 'requested' };
      return world.call(`${accounting}/api/audit/erasures`, { token: bearer, tenant, body });
    };
    const place = async (bearer: string): Promise<Answer> =>
      world.call(hold, { token: bearer, tenant, method: 'PUT', body: { reason: 'case 17' } });
    const refusals: readonly [bearer: string, code: string][] = [
      [agent, 'not_human'],
      [token, 'client_not_approver'],
    ];
    for (const [bearer, code] of refusals) assert.equal((await place(bearer)).body['code'], code);
    const robot = await world.token({ client: 'ci-bot' });
    assert.notEqual((await place(robot)).status, 200);
    assert.deepEqual((await world.call(hold, { token: approver, tenant })).body, { hold: null });
    assert.equal((await place(approver)).status, 200);
    for (const [bearer, code] of refusals) {
      assert.equal((await erase(bearer)).body['code'], code);
      assert.equal((await world.call(hold, { token: bearer, tenant, method: 'DELETE' })).body['code'], code);
    }
    assert.equal((await erase(approver)).body['code'], 'legal_hold');
    assert.deepEqual((await world.call(hold, { token: approver, tenant, method: 'DELETE' })).body, { hold: null });
    assert.equal((await erase(approver)).status, 200);
    const denied = await world.call(`${accounting}/api/audit/events?limit=20`, { token, tenant });
    assert.match(JSON.stringify(denied.body), /api\/audit\/erasures/);
  });

  test('stays readable for others when the master key is changed', async () => {
    const { tenant, token } = await world.signUp('bob@example.com');
    const { accounting } = world.server.addresses;
    const taken = await world.call(`${accounting}/api/audit/hold`, { token, tenant });
    assert.deepEqual(taken.body, { hold: null });
    const old = (await readFile(join(world.dataDir, 'audit', 'master-key'), 'utf8')).trim();
    const fresh = randomBytes(32).toString('hex');
    await assert.rejects(world.beside({ AUDIT_MASTER_KEY: fresh }), /sealed under master keys that are not here/);
    assert.match(await steward(['rewrap'], { AUDIT_MASTER_KEY: `${fresh},${old}` }), /^\d+ keys are wrapped anew/);
    await using _later = await world.beside({ AUDIT_MASTER_KEY: fresh });
  });

  test('is told apart on the command line from whoever mistypes', async () => {
    const tenant = '01a00000-0000-7000-8000-000000000000';
    const wrong: readonly [args: readonly string[], told: RegExp][] = [
      [['erase', '--tenant', 'x', '--subject', 'c-1', '--reason', 'r'], /--tenant/],
      [['erase', '--tenant', tenant, '--reason', 'r'], /--subject/],
      [['erase', '--tenant', tenant, '--subject', 'c-1'], /--reason/],
      [['erase', '--from-archive', '--since', 'yesterday'], /--since/],
      [['hold', '--tenant', tenant, '--reason', 'r', '--release'], /Either/],
      [['hold', '--tenant', tenant, '--reason', 'r'], /no audit chain/],
      [['rewrap', '--lost', 'x'], /--lost/],
    ];
    await Promise.all(
      wrong.map(async ([args, told]) =>
        assert.rejects(steward(args), ({ stderr }: { stderr: string }) => told.test(stderr)),
      ),
    );
  });
});
