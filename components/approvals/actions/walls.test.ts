import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { agent, approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';
import { previewHashOf } from './preview.ts';

/** SQL by column. */
type Row = Readonly<Record<string, string | undefined>>;

// Each attack is a transaction that would stand, changed in one thing. That the plain one stands is asserted beside it.
describe('an action against the application’s own login', () => {
  let suite: Suite;
  let tenant: string;
  let at: ReturnType<typeof approvalsApi>;
  before(async () => {
    suite = await openSuite();
  });
  after(async () => suite[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await suite.server.tenant(members);
    at = approvalsApi(suite.server, tenant);
  });

  /** One transaction of the application's login, undone at its end; the SQLSTATE that refused it. */
  const attempt = async (...statements: readonly string[]): Promise<string | undefined> =>
    suite.server.pool.withClient(async (client) => {
      await client.query('begin');
      try {
        await client.query(`set local app.tenant_id = '${tenant}'`);
        for (const statement of statements) await client.query(statement);
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code ?? String(error);
      } finally {
        await client.query('rollback');
      }
    });
  const stands = async (...statements: readonly string[]): Promise<void> =>
    assert.equal(await attempt(...statements), undefined, statements.join('; '));
  const refused = async (...statements: readonly string[]): Promise<void> =>
    assert.equal(await attempt(...statements), '42501', statements.join('; '));

  const move = async (amount = '10.00'): Promise<string> => at.ask('service_move_funds', { payee: 'acme', amount });
  const pay = async (): Promise<string> =>
    at.ask('service_pay_supplier', { payee: 'acme', amount: '10.00', currency: 'EUR' });
  const set = (id: string, ...what: readonly string[]): string =>
    `update approvals.action set ${what.join(', ')} where action_id = '${id}'`;
  const vote = (id: string, by: string, change: { hash?: string; at?: string } = {}): string =>
    `insert into approvals.vote (tenant_id, action_id, preview_hash, approver_id, voted_at)
      select tenant_id, action_id, ${change.hash ?? 'preview_hash'}, '${by}', ${change.at ?? 'clock_timestamp()'} from approvals.action where action_id = '${id}'`;
  const now = 'clock_timestamp()';
  const approved = [`state = 'approved'`, `decided_at = ${now}`, `lease_until = ${now}`];
  const executed = [`state = 'executed'`, `result = '{}'`, `settled_at = ${now}`, 'lease_until = null'];
  const failed = [`state = 'failed'`, `error_code = 'x'`, `reason = 'x'`, `settled_at = ${now}`, 'lease_until = null'];
  const rejected = [
    `state = 'rejected'`,
    `decided_by = 'alice'`,
    `reason = 'no'`,
    `decided_at = ${now}`,
    `settled_at = ${now}`,
  ];
  const withdrawn = [`state = 'withdrawn'`, `decided_by = 'bot'`, `decided_at = ${now}`, `settled_at = ${now}`];
  const expired = [`state = 'expired'`, `settled_at = ${now}`, 'lease_until = null'];
  const everyEnd = { executed, failed, rejected, withdrawn, expired };
  const bound = ['arguments', 'summary', 'preview', 'effect_digest', 'versions', 'policy_version', 'payee', 'currency'];

  test('is approved by as many votes as it needs, about what is shown', async () => {
    const one = await move();
    await stands(vote(one, 'alice'), set(one, ...approved));
    await refused(set(one, ...approved));
    await refused(vote(one, 'alice', { hash: `'of another preview'` }));
    await refused(vote(one, 'alice', { at: `clock_timestamp() - interval '1 day'` }));
    await refused(vote(one, 'alice'), set(one, ...approved, `rule_id = '${newId()}'`));
    await refused(vote(one, 'alice'), set(one, `state = 'approved'`));
    const two = await pay();
    await stands(vote(two, 'alice'), vote(two, 'bob'), set(two, ...approved));
    await refused(vote(two, 'alice'), set(two, ...approved));
    await refused(vote(two, 'alice'), set(two, ...approved, 'approvals_needed = 1'));
    await refused(vote(two, 'alice'), set(two, 'approvals_needed = 1'), set(two, ...approved));
    assert.equal(await attempt(vote(two, 'alice'), vote(two, 'alice')), '23505');
    await at.setPolicy({ soleApprover: true });
    await stands(vote(two, 'alice'), set(two, ...approved));
    await refused(set(two, ...approved));
  });

  test('is approved as it was shown: what was bound, or only told, changes while it is pending, with its hash', async () => {
    const id = await move();
    for (const column of bound) {
      await refused(vote(id, 'alice'), set(id, ...approved, `${column} = 'x'`));
      await refused(vote(id, 'alice'), set(id, ...approved), set(id, `${column} = 'x'`));
      await refused(vote(id, 'alice'), set(id, ...approved), set(id, ...executed, `${column} = 'x'`));
    }
    for (const column of ['arguments', 'effect_digest', 'versions', 'policy_version', 'preview_hash'])
      await refused(set(id, `${column} = 'x'`));
    await refused(set(id, 'approvals_needed = 2'));
    const other = `preview_hash = approvals.preview_hash(tool, 'x', effect_digest, versions, policy_version, approvals_needed)`;
    await stands(set(id, `arguments = 'x'`, other));
    await refused(vote(id, 'alice'), set(id, `arguments = 'x'`, other), set(id, ...approved));
    await stands(set(id, `arguments = 'x'`, other), vote(id, 'alice'), set(id, ...approved));
    await stands(vote(id, 'alice'), set(id, ...approved), set(id, `state = 'pending'`, 'decided_at = null'));
    await refused(vote(id, 'alice'), set(id, ...approved), set(id, `state = 'pending'`));
  });

  test('has the hash of what it binds, as the product computes it', async () => {
    const said = '"quoted" \\ / \u0001 \u001f \u007f \u2028 ü 😂 \b\f\n\r\t </script>';
    const whole = {
      tool: 'service_move_funds',
      arguments: said,
      effectDigest: said,
      versions: said,
      policyVersion: said,
      needed: 2,
    };
    const [row] = await suite.server.pool.withClient(
      async (client) =>
        (
          await client.query<{ hash: string }>('select approvals.preview_hash($1, $2, $2, $2, $2, 2) as hash', [
            whole.tool,
            said,
          ])
        ).rows,
    );
    assert.equal(row?.hash, previewHashOf(whole));
  });

  test('takes the steps there are, and no others', async () => {
    const id = await move();
    const decided = [vote(id, 'alice'), set(id, ...approved)];
    for (const [state, end] of Object.entries(everyEnd)) {
      const fromPending = state === 'rejected' || state === 'withdrawn';
      await (fromPending ? stands : refused)(set(id, ...end));
      await (state === 'executed' || state === 'failed' ? stands : refused)(...decided, set(id, ...end));
    }
    await refused(...decided, set(id, ...executed.filter((one) => !one.startsWith('result'))));
    await refused(...decided, set(id, ...executed, `error_code = 'x'`));
    await refused(...decided, set(id, ...failed, `result = '{}'`));
    await refused(set(id, ...rejected.filter((one) => !one.startsWith('reason'))));
    await refused(set(id, ...withdrawn.slice(0, 3), `settled_at = ${now} - interval '1 day'`));
    for (const one of [
      `result = '{}'`,
      `decided_by = 'alice'`,
      `decided_at = ${now}`,
      `settled_at = ${now}`,
      `reason = 'x'`,
    ])
      await refused(set(id, one));
    await refused(...decided, set(id, `decided_at = ${now} - interval '1 day'`));
    await refused(set(id, `rule_id = '${newId()}'`));
    await refused(set(id, 'attempts = -1'));
    await refused(set(id, `nonce = 'mine'`));
    await stands(set(id, `lease_until = ${now}`, 'attempts = attempts + 1', `last_event_id = 'x'`));
  });

  test('past its time expires, and nothing else becomes of it', async () => {
    const id = await move();
    const past = `update approvals.action set expires_at = clock_timestamp() where action_id = '${id}'`;
    assert.equal(await attempt(past), '42501');
    await suite.look.admin.withClient(async (client) => client.query(past));
    await stands(set(id, ...expired));
    await refused(vote(id, 'alice'));
    await suite.look.admin.withClient(async (client) => {
      await client.query(vote(id, 'alice'));
    });
    await refused(set(id, ...approved));
    await suite.look.admin.withClient(async (client) => client.query(set(id, ...approved)));
    await refused(set(id, ...executed));
    await stands(set(id, ...expired));
  });

  test('once settled stays as it is', async () => {
    const settle: Record<string, () => Promise<string>> = {
      executed: async () => {
        const id = await move();
        assert.equal(text((await at.approve(id)).body['state']), 'executed');
        return id;
      },
      rejected: async () => {
        const id = await move();
        await at.post(id, 'reject', { reason: 'no' });
        return id;
      },
      withdrawn: async () => {
        const id = await move();
        await at.post(id, 'withdraw', undefined, agent);
        return id;
      },
    };
    for (const [state, make] of Object.entries(settle)) {
      const id = await make();
      assert.equal(await at.state(id), state);
      await stands(set(id, `state = '${state}'`));
      await stands(set(id, 'nonce = null'));
      for (const column of [
        ...bound,
        'preview_hash',
        'decided_by',
        'reason',
        'error_code',
        'result',
        'last_event_id',
        'nonce',
      ])
        await refused(set(id, `${column} = 'changed'`));
      for (const one of [
        'approvals_needed = 3 - approvals_needed',
        'amount = 0',
        'attempts = attempts + 1',
        `lease_until = ${now}`,
        `decided_at = ${now}`,
        `settled_at = ${now}`,
        `reasons = '{x}'`,
        `rule_id = '${newId()}'`,
        `state = 'pending', decided_at = null, settled_at = null, decided_by = null, reason = null, result = null`,
        `state = 'approved', settled_at = null, decided_by = null, reason = null, result = null`,
      ])
        await refused(set(id, one));
      for (const [other, end] of Object.entries(everyEnd)) if (other !== state) await refused(set(id, ...end));
      await refused(vote(id, 'carol'));
      await refused(
        `insert into approvals.edit (tenant_id, action_id, number, editor_id, difference) values ('${tenant}', '${id}', 1, 'alice', '[]')`,
      );
    }
  });

  test('begins open and now; approved only by a standing rule that covers it', async () => {
    const id = await move('5.00');
    const columns = [
      'tool',
      'tier',
      'arguments',
      'asked_digest',
      'chain',
      'subject_type',
      'subject_id',
      'agent_id',
      'requester',
      'summary',
      'preview',
      'effect_digest',
      'versions',
      'policy_version',
      'preview_hash',
      'approvals_needed',
      'reasons',
      'currency',
      'amount',
      'payee',
      'state',
      'rule_id',
      'correlation_id',
      'last_event_id',
      'requested_at',
      'expires_at',
      'decided_at',
      'settled_at',
      'result',
      'attempts',
    ];
    const copy = (change: Row = {}): string => {
      const fresh: Row = { requested_at: now, expires_at: `${now} + interval '1 hour'`, ...change };
      return `insert into approvals.action (tenant_id, action_id, ${columns.join(', ')})
        select tenant_id, '${newId()}', ${columns.map((one) => fresh[one] ?? one).join(', ')} from approvals.action where action_id = '${id}'`;
    };
    await stands(copy());
    for (const change of [
      { requested_at: `${now} - interval '1 day'` },
      { requested_at: `${now} + interval '1 day'` },
      { expires_at: `${now} + interval '721 hours'` },
      { preview_hash: `'x'` },
      { approvals_needed: '2' },
      { attempts: '1' },
      { result: `'{}'` },
      { state: `'executed'`, result: `'{}'`, decided_at: now, settled_at: now },
      { state: `'approved'`, decided_at: now },
    ])
      await refused(copy(change));
    const rule = newId();
    const made = (change: Row = {}): string => {
      const values: Row = {
        tenant_id: `'${tenant}'`,
        rule_id: `'${rule}'`,
        tool: `'service_move_funds'`,
        currency: `'EUR'`,
        most: '500',
        valid_until: `${now} + interval '1 day'`,
        created_by: `'alice'`,
        ...change,
      };
      return `insert into approvals.standing_rule (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`;
    };
    const covered = copy({ state: `'approved'`, decided_at: now, rule_id: `'${rule}'` });
    await stands(made(), covered);
    for (const change of [
      { tool: `'service_pay_supplier'` },
      { most: '499' },
      { currency: `'USD'` },
      { agent_id: `'another'` },
      { valid_until: `${now} - interval '1 day'` },
      { rule_id: `'${newId()}'` },
    ])
      await refused(made(change), covered);
    const revoke = `update approvals.standing_rule set revoked_at = ${now}, revoked_by = 'alice' where rule_id = '${rule}'`;
    await refused(made(), revoke, covered);
    await stands(made(), revoke);
    await refused(made(), revoke, revoke);
    await refused(
      made(),
      revoke,
      `update approvals.standing_rule set revoked_at = null, revoked_by = null where rule_id = '${rule}'`,
    );
    await refused(made({ valid_until: `${now} + interval '33 days'` }));
    await refused(made({ created_at: `${now} - interval '1 day'` }));
    await refused(made(), `update approvals.standing_rule set most = null where rule_id = '${rule}'`);
  });

  test('is bound to a version of the policy, which never passes for another', async () => {
    await at.setPolicy({ expiryHours: 24 });
    await stands(`update approvals.policy set document = '{}', version = version + 1`);
    for (const version of ['version', 'version - 1', 'version + 2'])
      await refused(`update approvals.policy set document = '{}', version = ${version}`);
  });

  test('is never gone: nothing of it is deleted, and no vote or edit changed', async () => {
    const id = await pay();
    await at.approve(id);
    for (const statement of [
      `delete from approvals.vote where action_id = '${id}'`,
      `update approvals.vote set approver_id = 'bob' where action_id = '${id}'`,
      `delete from approvals.action where action_id = '${id}'`,
      'truncate approvals.action cascade',
      'alter table approvals.action disable trigger all',
      'set session_replication_role = replica',
    ])
      await refused(statement);
  });
});
