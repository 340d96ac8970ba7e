import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { publishForm, unpublishForm, updateForm } from '@steward/studio';
import { ask, contactFields, createWorld, faults, submit, type Running, type World } from '../fixtures/world.ts';

let world: World;
let server: Running;
let second: Running;
before(async () => {
  world = await createWorld();
  [server, second] = await Promise.all([world.start(), world.start()]);
});
after(async () => world[Symbol.asyncDispose]());

describe('many at once', () => {
  test('fifty identical submissions over two processes are fifty submissions of one contact', async () => {
    const shop = await server.shop();
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_one, n) =>
        submit(n % 2 === 0 ? server : second, shop, { data: { email: 'Ada@example.com', full_name: 'Ada' } }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ body }) => body['contactId'])).size, 1);
    assert.equal(new Set(answers.map(({ body }) => body['submissionId'])).size, 50);
    const { tenant } = shop.context;
    const [row] = await world.admin.query(sql`select
      (select count(*)::int from commerce.submission where tenant_id = ${tenant}::uuid) as submissions,
      (select count(*)::int from crm.contact where tenant_id = ${tenant}::uuid) as contacts,
      (select count(*)::int from crm.timeline_entry where tenant_id = ${tenant}::uuid) as entries,
      (select count(*)::int from bus.outbox where tenant_id = ${tenant}::uuid and type = 'commerce.storefront.form.submitted') as announced,
      (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid and type = 'commerce.form.submitted') as recorded,
      (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid and type = 'crm.contact.created') as created`);
    assert.deepEqual(row, { submissions: 50, contacts: 1, entries: 50, announced: 50, recorded: 50, created: 1 });
  });

  test('a refused one among them spoils nobody’s commit, and each event bears its own request’s id', async () => {
    const shop = await server.shop();
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_one, n) =>
        submit(
          server,
          shop,
          { data: n % 3 === 0 ? {} : { email: `v${n}@example.com` } },
          { 'x-request-id': `req-${n}` },
        ),
      ),
    );
    for (const [n, answer] of answers.entries()) assert.equal(answer.status, n % 3 === 0 ? 400 : 201);
    const rows = await world.admin.query<{ correlation_id: string; id: string }>(sql`
      select a.correlation_id, a.event::json -> 'payload' ->> 'submission_id' as id from audit.event a
      where tenant_id = ${shop.context.tenant}::uuid and type = 'commerce.form.submitted'`);
    assert.deepEqual(
      new Map(rows.map((row) => [row.id, row.correlation_id])),
      new Map(
        answers.flatMap((answer, n) =>
          answer.status === 201 ? [[String(answer.body['submissionId']), `req-${n}`]] : [],
        ),
      ),
    );
  });

  test('one that the database refuses is tried again apart from those it shared a commit with', async () => {
    const shop = await server.shop();
    await world.admin.query(sql`
      create function commerce.refuse_poison() returns trigger language plpgsql as 'begin if new.data like ''%poison%'' then raise exception ''no''; end if; return new; end'`);
    await world.admin.query(
      sql`create trigger poison before insert on commerce.submission for each row execute function commerce.refuse_poison()`,
    );
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_one, n) =>
        submit(server, shop, { data: { email: `v${n}@example.com`, message: n === 20 ? 'poison' : 'fine' } }),
      ),
    );
    await world.admin.query(sql`drop trigger poison on commerce.submission`);
    assert.deepEqual(
      answers.flatMap(({ status }, n) => (status === 201 ? [] : [[n, status]])),
      [[20, 500]],
    );
    const [row] = await world.admin.query(sql`
      select count(*)::int as stored, count(distinct contact_id)::int as contacts from commerce.submission where tenant_id = ${shop.context.tenant}::uuid`);
    assert.deepEqual(row, { stored: 39, contacts: 39 });
  });
});

describe('a form that is published while it is submitted', () => {
  /** Odd versions ask for `odd`, even ones for `even`; a submission that mixed two would lack what its version asks for. */
  const asking = (name: string) => [
    ...(contactFields ?? []),
    { name, label: name, type: 'text' as const, required: true },
  ];

  test('is one version throughout: whatever is stored fits the version it names, and no version but that was checked', async () => {
    const site = await server.site(await server.tenant());
    const formId = await server.form(site.context, site.siteId, { fields: asking('odd') });
    const shop = { ...site, formId };
    const publishing = { done: false };
    const publish = async (): Promise<void> => {
      for (let version = 2; version <= 15; version += 1) {
        await updateForm(site.context, { formId, fields: asking(version % 2 === 0 ? 'even' : 'odd') });
        await publishForm(site.context, { formId }, server.studio.deps);
      }
      publishing.done = true;
    };
    const outcomes = new Map<string, number>();
    const visit = async (n: number): Promise<void> => {
      while (!publishing.done) {
        const name = n % 2 === 0 ? 'even' : 'odd';
        const answer = await submit(n % 3 === 0 ? second : server, shop, {
          data: { email: `v${n}@example.com`, [name]: 'x' },
        });
        const other = name === 'even' ? 'odd' : 'even';
        if (answer.status === 400)
          assert.deepEqual(faults(answer), ['required_fields_missing', `/data/${other} required`]);
        else assert.equal(answer.status, 201, answer.text);
        outcomes.set(`${answer.status}`, (outcomes.get(`${answer.status}`) ?? 0) + 1);
      }
    };
    await Promise.all([publish(), ...Array.from({ length: 12 }, async (_one, n) => visit(n))]);
    assert.ok((outcomes.get('201') ?? 0) > 10 && (outcomes.get('400') ?? 0) > 10, JSON.stringify([...outcomes]));
    const rows = await world.admin.query<{ version: number; asked: string; data: string }>(sql`
      select s.form_version as version, v.document as asked, s.data from commerce.submission s
      join studio.form_version v on v.tenant_id = s.tenant_id and v.form_id = s.form_id and v.version = s.form_version
      where s.form_id = ${formId}::uuid`);
    assert.equal(rows.length, outcomes.get('201'));
    assert.ok(new Set(rows.map(({ version }) => version)).size > 2);
    for (const { asked, data } of rows) {
      const { fields } = JSON.parse(asked) as { fields: { name: string; required: boolean }[] };
      const given = JSON.parse(data) as Record<string, unknown>;
      for (const { name, required } of fields) if (required) assert.ok(name in given, `${name} is missing`);
    }
  });

  test('is submitted as the version that is shown in this process, and another shows it within a second', async () => {
    const shop = await server.shop();
    const path = `/storefront/v1/forms/${shop.formId}/schema`;
    for (let version = 2; version <= 5; version += 1) {
      await ask(second, path, { key: shop.key });
      await updateForm(shop.context, { formId: shop.formId, name: `Version ${version}` });
      await publishForm(shop.context, { formId: shop.formId }, server.studio.deps);
      const shown = await ask(server, path, { key: shop.key });
      const taken = await submit(server, shop, { data: { email: 'a@example.com' } });
      const elsewhere = await submit(second, shop, { data: { email: 'a@example.com' } });
      assert.deepEqual(
        [shown.body['activeVersion'], taken.body['formVersion'], elsewhere.body['formVersion']],
        [version, version, version],
        'submitting asks the database, whatever a process remembers',
      );
    }
    for (let waited = 0; (await ask(second, path, { key: shop.key })).body['activeVersion'] !== 5; waited += 1) {
      assert.ok(waited < 100, 'the other process still shows an old version');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await unpublishForm(shop.context, { formId: shop.formId }, server.studio.deps);
    for (const process of [server, second])
      assert.equal((await submit(process, shop, { data: { email: 'a@example.com' } })).status, 404);
  });
});

test('a process that is killed amid submissions leaves each whole or not at all, and none unanswered that was promised', async () => {
  const shop = await server.shop();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../fixtures/child.ts', import.meta.url)), world.db.appUrl, world.dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const origin = line.toString().trim();
  const promised: string[] = [];
  const visit = async (n: number): Promise<void> => {
    for (let round = 0; ; round += 1) {
      try {
        const answer = await submit({ origin }, shop, { data: { email: `v${n}-${round % 5}@example.com` } });
        if (answer.status === 201) promised.push(String(answer.body['submissionId']));
      } catch {
        return;
      }
      if (promised.length >= 60) child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 16 }, async (_one, n) => visit(n)));
  const { tenant } = shop.context;
  const rows = await world.admin.query<{ id: string; whole: boolean }>(sql`
    select s.submission_id as id,
      exists (select from bus.outbox o where o.tenant_id = s.tenant_id and o.subject = s.submission_id::text)
      and exists (select from audit.event a where a.tenant_id = s.tenant_id and a.type = 'commerce.form.submitted'
        and a.event::json -> 'payload' ->> 'submission_id' = s.submission_id::text)
      and exists (select from crm.contact c where c.tenant_id = s.tenant_id and c.contact_id = s.contact_id) as whole
    from commerce.submission s where s.tenant_id = ${tenant}::uuid`);
  assert.ok(rows.every(({ whole }) => whole));
  const stored = new Set(rows.map(({ id }) => id));
  assert.ok(promised.length >= 60 && promised.every((id) => stored.has(id)));
  const [more] = await world.admin.query(sql`select
    (select count(*)::int from bus.outbox where tenant_id = ${tenant}::uuid and type = 'commerce.storefront.form.submitted') as announced,
    (select count(*)::int from audit.event where tenant_id = ${tenant}::uuid and type = 'commerce.form.submitted') as recorded,
    (select count(*)::int from crm.contact c where tenant_id = ${tenant}::uuid
      and not exists (select from commerce.submission s where s.tenant_id = c.tenant_id and s.contact_id = c.contact_id)) as orphans`);
  assert.deepEqual(more, { announced: rows.length, recorded: rows.length, orphans: 0 });
});
