import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld, surroundings, type Json, type World } from '@steward/conformance/world';
import { newId } from '@steward/kernel';
import { openPool, sql, statement, type SqlPool } from '@steward/sql';

const migrating = fileURLToPath(new URL('../../apps/server/migrate.ts', import.meta.url));

describe('rows that are written past the application', () => {
  let world: World;
  let tenant: string;
  let person: string;
  let app: SqlPool;
  let admin: SqlPool;
  const user = 'owner@example.com';
  before(async () => {
    world = await createWorld({ AUDIT_SEAL: 'off' });
    ({ tenant } = await world.signUp(user, 'Fjord Bikes', { defaultCurrency: 'USD' }));
    person = await world.token({ user, approver: true });
    app = openPool({ url: world.db.appUrl, size: 1 });
    admin = openPool({ url: world.db.adminUrl, size: 1 });
  });
  after(async () => {
    await app.close();
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  const forgeBy = async (login: SqlPool, ...statements: readonly string[]): Promise<void> =>
    login.withClient(async (client) => {
      try {
        await client.query(`begin; set local app.tenant_id = '${tenant}'; ${statements.join('; ')}; commit`);
      } finally {
        await client.query('rollback');
      }
    });
  const forge = async (...statements: readonly string[]): Promise<void> => forgeBy(admin, ...statements);
  const unrecorded = async (): Promise<string[]> => {
    const { code, out, err } = await world.command(['audit', 'verify', '--json']);
    assert.equal(err, '');
    const { findings } = JSON.parse(out) as { findings: { kind: string; detail: string }[] };
    assert.equal(code, findings.length === 0 ? 0 : 1);
    assert.deepEqual(
      findings.map(({ kind }) => kind).filter((kind) => kind !== 'no_event' && kind !== 'sum'),
      [],
    );
    return findings.map(({ detail }) => detail);
  };
  const graph = async (query: string): Promise<Json> => {
    const { body } = await world.call(`${world.server.addresses.accounting}/graphql`, {
      token: person,
      tenant,
      body: { query },
    });
    assert.equal(body['errors'], undefined, JSON.stringify(body));
    return body['data'] as Json;
  };
  const portal = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await world.call(`${world.server.addresses.portal}/api${path}`, { token: person, tenant, method, body })).body;

  test('nothing is reported of what the application does', async () => {
    await graph(`mutation { postJournalEntry(input: { date: "2024-03-10", currency: "USD", narration: "x", lines: [
      { account: "1000", debit: "9.00" }, { account: "4900", credit: "9.00" }] }) { id } }`);
    await graph(`mutation { closePeriod(month: "2024-02-01") { month } }`);
    await graph(`mutation { reopenPeriod(month: "2024-02-01", reason: "more to post") { month } }`);
    await graph(`mutation { closeFiscalYear(day: "2024-05-05") }`);
    await portal('PUT', '/approval-policy', { ...(await portal('GET', '/approval-policy')), expiryHours: 10 });
    const validUntil = new Date(Date.now() + 86_400_000).toISOString();
    const rule = await portal('POST', '/standing-rules', { tool: 'service_close_period', validUntil });
    await portal('DELETE', `/standing-rules/${String(rule['id'])}`);
    const { body: asked } = await world.call(`${world.server.addresses.mcp}/p/accounting`, {
      token: await world.token({ user, agent: 'assistant-1' }),
      tenant,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_close_period', arguments: { month: '2026-01-15' } },
      },
    });
    const id = String(asked['result']?.['structuredContent']?.['pending_action_id']);
    const { previewHash } = await portal('GET', `/pending-actions/${id}`);
    const { state } = await portal('POST', `/pending-actions/${id}/approve`, { previewHash });
    assert.equal(String(state), 'executed');
    const { createParty: party } = await graph(
      `mutation { createParty(input: { name: "Acme", customer: true, currency: "EUR" }) { id } }`,
    );
    await graph(`mutation { setExchangeRate(currency: "EUR", day: "2025-06-01", rate: "1.10") { rate } }`);
    const { createDocument: draft } =
      await graph(`mutation { createDocument(kind: invoice, input: { partyId: "${String(party?.['id'])}",
      issueDate: "2025-06-03", notes: "Ünïcode \\"quoted\\"", lines: [{ description: "One", quantity: "1", unitPrice: "10.00", account: "4000" }] }) { id } }`);
    await graph(`mutation { issueDocument(id: "${String(draft?.['id'])}") { id } }`);
    await graph(`mutation { recordPayment(input: { direction: received, partyId: "${String(party?.['id'])}", account: "1000", date: "2025-06-04",
      amount: "4.00", currency: "EUR", rate: "1.25", allocations: [{ itemId: "${String(draft?.['id'])}", amount: "4.00" }] }) { id } }`);
    await world.call(`${world.server.addresses.portal}/api/pending-actions`, {
      token: person,
      tenant,
      body: { tool: 'service_close_period', arguments: { month: '2026-03-15' } },
    });
    for (const email of ['one@example.com', 'two@example.com'])
      await portal('POST', '/invitations', { email, role: 'viewer' });
    await portal(
      'DELETE',
      `/invitations/${String((await portal('POST', '/invitations', { email: 'three@example.com', role: 'viewer' }))['id'])}`,
    );
    await portal('POST', '/agent-grants', { agentId: 'clerk', tools: ['service_list_accounts'] });
    await portal('POST', '/agent-grants', { agentId: 'gone' });
    await portal('DELETE', '/agent-grants/gone');
    await portal('PUT', '/tool-policy', { deniedTools: ['service_list_accounts'], agentsNeedGrant: false, version: 1 });
    assert.deepEqual(await unrecorded(), []);
  });

  test('the application’s login alone writes nobody’s membership, invitation, grant, tool policy, tier, limit, month or words that are approved', async () => {
    const key = `'${tenant}'`;
    for (const statement of [
      `insert into identity.member (tenant_id, principal_type, principal_id, role) values (${key}, 'user', 'mallory', 'owner')`,
      `update identity.member set role = 'owner', suspended_at = null`,
      `delete from identity.member`,
      `update portal.invitation set role = 'owner', secret_hash = sha256('mine')`,
      `insert into portal.invitation (tenant_id, invitation_id, email, role, secret_hash, invited_by, expires_at)
        values (${key}, '${newId()}', 'm@example.com', 'owner', sha256('mine'), 'x', clock_timestamp() + interval '1 day')`,
      `update portal.agent_grant set tools = null, revoked_at = null`,
      `insert into portal.agent_grant (tenant_id, agent_id, granted_by) values (${key}, 'mallory', 'x')`,
      `update portal.tool_policy set denied_tools = '{}'`,
      `update portal.billing set tier = 'enterprise', status = 'active'`,
      `update portal.tenant set name = 'Mallory Ltd'`,
      `select approvals.keep_outflow(action_id, tool, '{}', '{}', '{}') from approvals.action`,
      `update approvals.action set summary = 'Harmless', preview = 'null', facts = '[]', amount = 1 where state = 'pending'`,
      `select approvals.erase_facts(array_agg(action_id)) from approvals.action`,
      `insert into approvals.edit (tenant_id, action_id, number, editor_id, difference)
        select tenant_id, action_id, 1, 'x', '[]' from approvals.action where state = 'pending'`,
      `select accounting.set_period('2026-01-01', 'open')`,
      `select accounting.set_period('2026-02-01', 'closed')`,
      `select accounting.close_year('2025-01-01', '${newId()}', '${newId()}', 'x')`,
    ])
      await assert.rejects(forgeBy(app, statement), /is written by the application alone/, statement);
    assert.deepEqual(await unrecorded(), []);
  });

  test('a contact whose row was deleted is named, and one who was erased or merged is not', async () => {
    const commerce = async (path: string, body: object): Promise<Json> => {
      const answer = await world.call(`${world.server.addresses.commerce}/api${path}`, { token: person, tenant, body });
      assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const contact = async (name: string): Promise<string> =>
      String((await commerce('/contacts', { email: `${name}@example.com` }))['contact']?.['id']);
    const [kept, erased, merged, gone] = [
      await contact('kept'),
      await contact('erased'),
      await contact('merged'),
      await contact('gone'),
    ];
    await commerce(`/contacts/${erased}/merge`, { duplicateId: merged });
    await commerce(`/contacts/${erased}/erasure`, {});
    await using owner = openPool({ url: world.db.ownerUrl, size: 1 });
    await forgeBy(
      owner,
      ...['contact_term', 'timeline_entry', 'contact'].map(
        (table) => `delete from crm.${table} where contact_id = '${gone}'`,
      ),
    );
    const found = (await unrecorded()).filter((finding) =>
      [kept, erased, merged, gone].some((id) => finding.includes(id)),
    );
    assert.deepEqual(found, [`standing of contact ${gone}: an event tells of it, and it is not there`]);
  });

  test('each forged one is named: entries, months, years, votes, policies, rules and members', async () => {
    const accounts = await app.withClient(async (client) => {
      const { rows } = await client.query<{ set_config: string; code: string; account_id: string }>(
        `select account_id, code from (select set_config('app.tenant_id', '${tenant}', false)) s, accounting.account`,
      );
      await client.query(`select set_config('app.tenant_id', '', false)`);
      return new Map(rows.map(({ code, account_id }) => [code, account_id]));
    });
    const entry = newId();
    await forge(`select accounting.post_entry('${entry}', '2026-05-01', 'USD', 1, 'x', 'journal', null, null, '${newId()}',
      array['${accounts.get('6900')}']::uuid[], array['${accounts.get('1000')}']::uuid[], array[100]::bigint[], array[100]::bigint[],
      array[null]::text[], array[null]::text[])`);
    await forge(
      `select accounting.set_period('2026-01-01', 'open')`,
      `select accounting.set_period('2026-02-01', 'closed')`,
    );
    await forge(`select accounting.close_year('2025-01-01', '${newId()}', '${newId()}', 'x')`);
    await forge(
      `insert into identity.member (tenant_id, principal_type, principal_id, role) values ('${tenant}', 'user', 'mallory', 'owner')`,
    );
    await forge(`update approvals.policy set version = version + 1, document = '{"soleApprover":true}'`);
    const rule = newId();
    await forge(`insert into approvals.standing_rule (tenant_id, rule_id, tool, valid_until, created_by)
      values ('${tenant}', '${rule}', 'service_close_period', clock_timestamp() + interval '1 day', 'x')`);
    const { body } = await world.call(`${world.server.addresses.portal}/api/pending-actions`, {
      token: person,
      tenant,
      body: { tool: 'service_close_period', arguments: { month: '2026-03-15' } },
    });
    await forge(`insert into approvals.vote (tenant_id, action_id, preview_hash, approver_id)
      select tenant_id, action_id, preview_hash, 'mallory' from approvals.action where action_id = '${String(body['id'])}'`);
    const found = (await unrecorded()).join('\n');
    for (const about of [
      `ledger entry ${entry}: no event tells of it`,
      'month 2026-01-01: an event tells of it, and it is not there',
      'month 2026-02-01: no event tells of it',
      'month 2025-06-01 in its year: no event tells of it',
      'member user mallory: no event tells of it',
      `standing rule ${rule}: no event tells of it`,
      'approval policy version: it says 2 ',
    ])
      assert.ok(found.includes(about), `${about}\n${found}`);
    assert.match(found, /vote \S+ \S+ mallory: no event tells of it/);

    // And what was taken away, or changed, beneath every wall.
    await using owner = openPool({ url: world.db.adminUrl, size: 1 });
    await owner.query(sql`set session_replication_role = replica`);
    await owner.query(sql`alter table accounting.entry disable trigger immutable`);
    await owner.query(
      sql`update identity.member set role = 'viewer' where tenant_id = ${tenant}::uuid and principal_id <> 'mallory'`,
    );
    await owner.query(
      sql`update accounting.entry set number = number + 100 where tenant_id = ${tenant}::uuid and posting_date = '2024-03-10'`,
    );
    const after = (await unrecorded()).join('\n');
    assert.match(after, /member user \S+: it says viewer, and the newest event about it owner/);
    assert.match(
      after,
      /ledger entry \S+: it says \S+ 101 2024-03-10 journal USD \d+ .*, and the newest event about it \S+ 1 2024-03-10/,
    );
    await owner.query(sql`alter table accounting.posting disable trigger all`);
    await owner.query(
      sql`update accounting.posting set amount = amount + 1, base_amount = base_amount + 1 where tenant_id = ${tenant}::uuid and posting_date <> '2024-03-10'`,
    );
    assert.match(
      (await unrecorded()).join('\n'),
      /ledger entry \S+: it says \S+ \d+ (?!2024-03-10)\S+ \w+ USD \d+ .*, and the newest event/,
    );
  });

  test('each row that says something else than was recorded of it is named: who may come, what agents may, tier, entries and sums', async () => {
    await using owner = openPool({ url: world.db.adminUrl, size: 1 });
    await owner.query(sql`set session_replication_role = replica`);
    await owner.query(sql`alter table accounting.entry disable trigger all`);
    await owner.query(sql`alter table accounting.posting disable trigger all`);
    const [{ entry } = { entry: '' }] = await owner.query<{ entry: string }>(
      sql`select entry_id as entry from accounting.entry where tenant_id = ${tenant}::uuid and posting_date = '2024-03-10'`,
    );
    const changes: readonly (readonly [string, RegExp])[] = [
      [
        `portal.invitation set role = 'owner' where email = 'one@example.com'`,
        /role of invitation \S+: it says owner, and .* viewer/,
      ],
      [
        `portal.invitation set expires_at = expires_at + interval '1 year' where email = 'one@example.com'`,
        /address, secret and end of invitation \S+: it says /,
      ],
      [`portal.invitation set revoked_at = null`, /invitation \S+: it says open, and .* revoked/],
      [
        `portal.agent_grant set tools = null where agent_id = 'clerk'`,
        /terms of agent grant clerk: it says \[null, null, null\]/,
      ],
      [
        `portal.agent_grant set revoked_at = null where agent_id = 'gone'`,
        /agent grant gone: it says granted, and .* revoked/,
      ],
      [
        `portal.tool_policy set denied_tools = '{}'`,
        /tool policy version: it says 2 false \[\], and .* \["service_list_accounts"\]/,
      ],
      [`portal.billing set trial_ends_at = trial_ends_at + interval '1 year'`, /billing tier: it says trial trialing/],
      [
        `portal.tenant set default_currency = 'EUR'`,
        /currency and fiscal year of the organization first: it says EUR 1/,
      ],
      [
        `identity.member set suspended_at = now() where principal_id <> 'mallory'`,
        /standing of member user \S+: it says suspended/,
      ],
      [
        `approvals.action set arguments = '{"month":"2026-04-15"}' where state = 'pending'`,
        /arguments of action \S+: it says/,
      ],
      [
        `approvals.action set state = 'pending' where state = 'executed'`,
        /action \S+: it says service_close_period pending .*, and .* executed/,
      ],
      [
        `approvals.standing_rule set tool = 'service_reopen_period' where revoked_at is not null`,
        /terms of standing rule \S+: it says service_reopen/,
      ],
      [
        `accounting.entry set narration = 'y' where narration = 'x' and posting_date = '2024-03-10'`,
        new RegExp(`contents of ledger entry ${entry}: it says`),
      ],
      [
        `accounting.posting set debit_account_id = credit_account_id where posting_date = '2025-06-03'`,
        /balance of account \S+ EUR 2025-06-01: it says 1 1000 0 1100, and its postings make 1001 1001 1101 1101/,
      ],
      [
        `accounting.balance set debit = debit + 1 where month = '2025-06-01'`,
        /balance of account \S+ EUR 2025-06-01: it says 1001 400 1100 500, and/,
      ],
      [
        `accounting.item set open_amount = open_amount - 1 where open_amount > 1`,
        /open item \S+: it says 599 660, and its allocations make 600 660/,
      ],
      [`accounting.book set base_currency = 'CHF'`, /currency and fiscal year of the books first: it says CHF 1/],
    ];
    await owner.query(sql`alter table accounting.posting drop constraint posting_check`);
    for (const [change] of changes)
      await owner.query(
        statement(`update ${change}${change.includes(' where ') ? ' and' : ' where'} tenant_id = '${tenant}'`),
      );
    const found = (await unrecorded()).join('\n');
    for (const [change, told] of changes) assert.match(found, told, change);
  });

  test('another SECRET_KEY serves this database once its owner lets it in', async () => {
    const another = { SECRET_KEY: 'ab'.repeat(32) };
    await assert.rejects(world.another(another), /SECRET_KEY .* is not the one that this database is served with/);
    await promisify(execFile)(process.execPath, [migrating], {
      env: { ...surroundings, ...another, DATABASE_URL: world.db.appUrl, DATABASE_OWNER_URL: world.db.ownerUrl },
    });
    await world.another(another);
  });
});
