import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@steward/kernel';
import { sql, sqlState, type Statement } from '@steward/sql';
import { publishForm, updateForm, type SiteKey } from '@steward/studio';
import { createWorld, submit, type Running, type Shop, type World } from '../fixtures/world.ts';
import { readSubmitted } from './body.ts';

/** Nothing of it goes to a contact. */
const note = {
  targetEntityType: null,
  fields: [{ name: 'note', label: 'Note', type: 'text' as const, required: true }],
};

describe('tenants that share a commit', () => {
  let world: World;
  let server: Running;
  before(async () => {
    world = await createWorld();
    server = await world.start();
  });
  after(async () => world[Symbol.asyncDispose]());

  const shops = async (many: number): Promise<Shop[]> =>
    Promise.all(Array.from({ length: many }, async () => server.shop(note)));
  const tenantsOf = (all: readonly Shop[]): string[] => all.map(({ context }) => context.tenant);
  const count = async (statement: Statement) => (await world.admin.query(statement))[0];

  test('each has its own submissions, events and announcements', async () => {
    const all = await shops(20);
    const visit = async () =>
      Promise.all(
        all.flatMap((shop, at) =>
          Array.from({ length: 6 }, async (_one, n) => {
            const headers = { 'x-request-id': `visit-${at}-${n}` };
            return { at, ...(await submit(server, shop, { data: { note: `${at}` } }, headers)) };
          }),
        ),
      );
    const waiting = sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    // Held up, they gather: how many come in the time that a commit takes is up to the machine.
    const answers = await world.admin.withClient(async (client) => {
      await client.query('begin; lock table commerce.submission in share mode');
      const visits = visit();
      while (Number((await count(waiting))?.['n']) < 3) await sleep(10);
      await sleep(500);
      await client.query('rollback');
      return visits;
    });
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const stored = await world.admin.query(sql`
      select s.tenant_id, s.submission_id, s.form_id, s.site_id, s.data, s.xmin::text as transaction,
        a.correlation_id, o.correlation_id as announced
      from commerce.submission s
      join audit.event a on a.tenant_id = s.tenant_id and a.type = 'commerce.form.submitted'
        and a.event::json -> 'payload' ->> 'submission_id' = s.submission_id::text
      join bus.outbox o on o.tenant_id = s.tenant_id and o.subject = s.submission_id::text and o.causation_id = a.id::text
      where s.tenant_id = any (${tenantsOf(all)}::uuid[])`);
    const byId = new Map(stored.map((row) => [row['submission_id'], row]));
    assert.equal(byId.size, 120);
    for (const { at, body } of answers) {
      const row = byId.get(body['submissionId']);
      assert.ok(row !== undefined);
      assert.equal(row['tenant_id'], all[at]?.context.tenant);
      assert.equal(row['form_id'], all[at]?.formId);
      assert.equal(row['site_id'], all[at]?.siteId);
      assert.equal(row['data'], JSON.stringify({ note: `${at}` }));
      assert.match(String(row['correlation_id']), new RegExp(`^visit-${at}-\\d$`));
      assert.equal(row['announced'], row['correlation_id']);
    }
    const tenantsOfCommit = Map.groupBy(stored, (row) => row['transaction'])
      .values()
      .map((rows) => new Set(rows.map((row) => row['tenant_id'])).size);
    assert.ok(Math.max(...tenantsOfCommit) > 1, 'no commit was shared');
    const chains = await world.admin.query(sql`
      select h.sequence = (select max(sequence) from audit.event e where e.tenant_id = h.tenant_id) as whole
      from audit.head h where h.tenant_id = any (${tenantsOf(all)}::uuid[])`);
    assert.ok(chains.every(({ whole }) => whole === true));
  });

  test('a form whose next version makes contacts makes one for everybody who is checked against it', async () => {
    const shop = await server.shop(note);
    const values = { note: 'x', email: 'ada@example.com' };
    const before = await submit(server, shop, { data: values });
    assert.equal(before.body['contactId'], undefined);
    const mail = { name: 'email', label: 'E-mail', type: 'email' as const, required: true, mapsTo: 'email' };
    const publishing = (async () => {
      const next = { targetEntityType: 'crm_contact', fields: [...note.fields, mail] };
      await updateForm(shop.context, { formId: shop.formId, ...next });
      await publishForm(shop.context, { formId: shop.formId }, server.studio.deps);
    })();
    const during = await Promise.all(Array.from({ length: 40 }, async () => submit(server, shop, { data: values })));
    await publishing;
    const after = await submit(server, shop, { data: values });
    for (const { status, body } of [...during, after]) {
      assert.equal(status, 201);
      assert.equal(typeof body['contactId'], body['formVersion'] === 1 ? 'undefined' : 'string');
    }
    assert.equal(after.body['formVersion'], 2);
  });

  test('one that is held up keeps nobody else waiting, and is served when it can be', async () => {
    const all = await shops(8);
    const stuck = all[4];
    assert.ok(stuck !== undefined);
    const keys = new Map<Shop, SiteKey>();
    for (const shop of all) {
      const key = await server.studio.storefront.keyOf(shop.key);
      if (key !== undefined) keys.set(shop, key);
    }
    // At once, so that those after the first three share the next commit with it.
    const submitAll = (some: readonly Shop[]) =>
      some.map(async (shop) => {
        const key = keys.get(shop);
        assert.ok(key !== undefined);
        const submitted = readSubmitted({ data: { note: 'x' } });
        return server.commerce.submit({ key, formId: shop.formId, submitted, requestId: newId() });
      });
    const settled = { stuck: false };
    await world.admin.withClient(async (client) => {
      await client.query('begin');
      await client.query('select from audit.head where tenant_id = $1 for update', [stuck.context.tenant]);
      const first = submitAll(all);
      const late = first.splice(4, 1)[0]?.finally(() => (settled.stuck = true));
      await Promise.all(first);
      await Promise.all(submitAll(all.filter((shop) => shop !== stuck)));
      assert.equal(settled.stuck, false);
      await client.query('rollback');
      await late;
    });
    assert.deepEqual(
      await count(
        sql`select count(*)::int as stored from commerce.submission where tenant_id = ${stuck.context.tenant}::uuid`,
      ),
      { stored: 1 },
    );
  });

  test('what the database refuses of one undoes none of the others', async () => {
    const all = await shops(24);
    await world.admin.query(sql`
      create function commerce.refuse_bad() returns trigger language plpgsql as 'begin if new.data like ''%bad%'' then raise exception ''no''; end if; return new; end'`);
    await world.admin.query(
      sql`create trigger bad before insert on commerce.submission for each row execute function commerce.refuse_bad()`,
    );
    const answers = await Promise.all(
      all.map(async (shop, n) => submit(server, shop, { data: { note: n === 9 ? 'bad' : 'good' } })),
    );
    await world.admin.query(sql`drop trigger bad on commerce.submission`);
    assert.deepEqual(
      answers.flatMap(({ status }, n) => (status === 201 ? [] : [[n, status]])),
      [[9, 500]],
    );
    assert.deepEqual(
      await count(sql`
        select (select count(*)::int from commerce.submission where tenant_id = any (${tenantsOf(all)}::uuid[])) as stored,
          (select count(*)::int from audit.event where tenant_id = any (${tenantsOf(all)}::uuid[]) and type = 'commerce.form.submitted') as recorded,
          (select count(*)::int from bus.outbox where tenant_id = any (${tenantsOf(all)}::uuid[]) and type = 'commerce.storefront.form.submitted') as announced`),
      { stored: 23, recorded: 23, announced: 23 },
    );
  });

  test('its doors are shut within a tenant’s own transaction, where another’s rows would be its business least', async () => {
    const [one, other] = await shops(2);
    assert.ok(one !== undefined && other !== undefined);
    const row = {
      tenant_id: other.context.tenant,
      submission_id: newId(),
      form_id: other.formId,
      form_version: 1,
      site_id: other.siteId,
      key_id: other.keyId,
      mode: 'live',
      data: '{}',
    };
    const event = { tenant_id: other.context.tenant, event_id: newId(), type: 'a.b', source: 'a', data: '{}' };
    const attempts: Record<string, Statement> = {
      submission: sql`select commerce.store_together(${JSON.stringify([row])}::json)`,
      announcement: sql`select bus.publish_together(${JSON.stringify([event])}::json)`,
      'audit event': sql`select audit.record_together(${`${other.context.tenant}\x1f\x1f\x1f\x1f\x1f${newId()}`})`,
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      const enter = sql`select set_config('app.tenant_id', ${one.context.tenant}, true)`;
      await assert.rejects(server.pool.queryAll([enter, attempt]), (error) => sqlState(error) === '42501', what);
    }
  });

  test('a tenant without a log gets nothing in, and neither does whoever travels with it', async () => {
    const line = (tenant: string): string =>
      [
        tenant,
        '',
        '',
        '',
        '',
        newId(),
        'a.b',
        'a',
        '2026-01-01T00:00:00.000Z',
        '',
        '',
        '{}',
        '00'.repeat(32),
        '{}',
      ].join('\x1f');
    const [one] = await shops(1);
    assert.ok(one !== undefined);
    const tenants = [one.context.tenant, newId()].toSorted();
    const before = await count(sql`select sequence from audit.head where tenant_id = ${one.context.tenant}::uuid`);
    await assert.rejects(
      server.pool.query(sql`select audit.record_together(${tenants.map(line).join('\n')})`),
      (error) => sqlState(error) === 'AU404',
    );
    assert.deepEqual(
      await count(sql`select sequence from audit.head where tenant_id = ${one.context.tenant}::uuid`),
      before,
    );
  });
});
