import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@steward/sql';
import { approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

describe('an approved action', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });
  after(async () => suite[Symbol.asyncDispose]());

  const until = async (id: string, state: string): Promise<void> => {
    for (let round = 0; (await at.state(id)) !== state; round += 1) {
      assert.ok(round < 1_200, `it never was ${state}`);
      await sleep(25);
    }
  };

  test('whose process is killed in the act is carried out once, by whichever process takes it up', async () => {
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const { previewHash } = await at.get(id);
    const child = fork(new URL('../fixtures/process.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send(suite.databaseUrl);
    const [origin] = (await once(child, 'message')) as [string];
    const acting = once(child, 'message');
    const approving = fetch(`${origin}/portal/api/pending-actions/${id}/approve`, {
      method: 'POST',
      headers: { authorization: 'Bearer person:bob', 'x-tenant-id': tenant, 'content-type': 'application/json' },
      body: JSON.stringify({ previewHash }),
    }).catch(() => undefined);
    const [said] = await acting;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    assert.equal(said, 'carrying out');
    await approving;
    assert.equal(await at.state(id), 'approved');
    assert.deepEqual(await suite.look.payments(tenant), []);
    {
      await using _one = await suite.worker();
      await using _two = await suite.worker();
      await until(id, 'executed');
      await sleep(1_500);
    }
    assert.deepEqual(await suite.look.payments(tenant), ['acme 1000']);
    const executed = (await suite.look.events(tenant)).filter(
      (event) => text(event['type']) === 'approvals.action.executed',
    );
    assert.equal(executed.length, 1);
    assert.deepEqual(executed[0]?.['ingestedBy'], { principalType: 'system', principalId: 'approvals' });
    assert.deepEqual(executed[0]?.['payload']?.['approvers'], ['bob']);
  });

  test('that was not carried out before it expired never is', async () => {
    const id = await at.ask('service_move_funds', { payee: 'late', amount: '10.00' });
    await suite.look.admin.query(sql`
      update approvals.action set state = 'approved', decided_at = clock_timestamp(), lease_until = clock_timestamp(),
        expires_at = clock_timestamp() where action_id = ${id}`);
    const waiting = await at.ask('service_move_funds', { payee: 'waiting', amount: '10.00' });
    await suite.look.admin.query(
      sql`update approvals.action set expires_at = clock_timestamp() where action_id = ${waiting}`,
    );
    await using _worker = await suite.worker();
    for (const one of [id, waiting]) {
      for (let round = 0; !(await settled(one)); round += 1) {
        assert.ok(round < 1_200);
        await sleep(25);
      }
      assert.equal(await at.state(one), 'expired');
    }
    assert.deepEqual(await suite.look.payments(tenant), ['acme 1000']);
    const last = (await suite.look.events(tenant)).slice(-2).map((event) => text(event['type']));
    assert.deepEqual(last, ['approvals.action.expired', 'approvals.action.expired']);
  });

  const settled = async (id: string): Promise<boolean> => (await at.get(id))['settledAt'] !== null;

  test('whose arguments were changed behind its back is not carried out, but shown anew', async () => {
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '1.00' });
    await suite.look.admin.query(sql`
      update approvals.action set state = 'approved', arguments = replace(arguments, '1.00', '9.00'),
        lease_until = clock_timestamp() where action_id = ${id}`);
    await using _worker = await suite.worker();
    await until(id, 'pending');
    assert.deepEqual(await suite.look.payments(tenant), ['acme 1000']);
  });

  test('that meets a fault of ours is tried again', async () => {
    const id = await at.ask('service_move_funds', { payee: 'patient', amount: '2.00' });
    suite.server.hooks.effect = () => {
      suite.server.hooks.effect = () => undefined;
      throw new Error('a fault of ours');
    };
    assert.equal(text((await at.approve(id)).body['state']), 'approved');
    await using _worker = await suite.worker();
    await until(id, 'executed');
    assert.deepEqual(await suite.look.payments(tenant), ['acme 1000', 'patient 200']);
  });
});
