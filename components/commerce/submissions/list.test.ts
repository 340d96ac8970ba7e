import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId, Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { publishForm, updateForm } from '@steward/studio';
import { createWorld, submit, type Running, type World } from '../fixtures/world.ts';
import { countSubmissions } from './count.ts';
import { exportSubmissions } from './export.ts';
import { getSubmission } from './get.ts';
import { listSubmissions, type SubmissionFilter } from './list.ts';

let world: World;
let server: Running;
before(async () => {
  world = await createWorld();
  server = await world.start();
});
after(async () => world[Symbol.asyncDispose]());

describe('what was submitted', () => {
  test('is read newest first, a page at a time, by version, contact and time', async () => {
    const shop = await server.shop();
    const ids: string[] = [];
    const take = async (n: number): Promise<void> => {
      const { body } = await submit(server, shop, { data: { email: `v${n % 3}@example.com`, n } });
      ids.push(String(body['submissionId']));
    };
    for (let n = 0; n < 5; n += 1) await take(n);
    await updateForm(shop.context, { formId: shop.formId, name: 'Second' });
    await publishForm(shop.context, { formId: shop.formId }, server.studio.deps);
    for (let n = 5; n < 9; n += 1) await take(n);
    const all: string[] = [];
    let after: string | undefined;
    do {
      const page = await listSubmissions(shop.context, { formId: shop.formId, limit: 4, cursor: after });
      all.push(...page.items.map(({ submissionId }) => submissionId));
      after = page.nextCursor ?? undefined;
    } while (after !== undefined);
    assert.deepEqual(all, ids.toReversed());
    const of = async (filter: SubmissionFilter): Promise<unknown[]> =>
      (await listSubmissions(shop.context, { formId: shop.formId, ...filter, limit: 200 })).items.map(
        ({ data }) => data['n'],
      );
    assert.deepEqual(await of({ version: 1 }), [4, 3, 2, 1, 0]);
    const first = await getSubmission(shop.context, { submissionId: ids[0] ?? '' });
    assert.deepEqual(await of({ contactId: first.contactId, version: 2 }), [6]);
    assert.deepEqual(await of({ mode: 'test' }), []);
    const third = await getSubmission(shop.context, { submissionId: ids[2] ?? '' });
    assert.ok((await of({ submittedBefore: third.createdAt })).every((n) => Number(n) < 2));
    assert.ok((await of({ submittedFrom: third.createdAt })).includes(2));
  });

  test('is counted from where it was left, what may not be settled each time', async () => {
    const shop = await server.shop();
    const take = async (): Promise<void> => void (await submit(server, shop, { data: { email: 'ada@example.com' } }));
    await take();
    await take();
    const later = Date.now() + 600_000;
    const fresh = await countSubmissions(shop.context);
    assert.deepEqual([fresh.settled, fresh.recent, fresh.more], [0, 2, false]);
    const whole = await countSubmissions(shop.context, fresh, later);
    assert.deepEqual([whole.settled, whole.recent], [2, 0]);
    await take();
    const next = await countSubmissions(shop.context, whole, later);
    assert.deepEqual([next.settled, next.recent], [3, 0]);
    assert.ok(next.through > whole.through);
  });

  test('is listed by a contact together with what came from those that were merged with it', async () => {
    const shop = await server.shop();
    const contacts: string[] = [];
    for (const name of ['ada', 'a.l', 'eve']) {
      const { body } = await submit(server, shop, { data: { email: `${name}@example.com` } });
      contacts.push(String(body['contactId']));
    }
    const [keep = '', other = '', eve = ''] = contacts;
    await world.admin.query(sql`update crm.contact set merged_into = ${keep}::uuid where contact_id = ${other}::uuid`);
    const by = async (contactId: string): Promise<unknown[]> =>
      (await listSubmissions(shop.context, { formId: shop.formId, contactId, limit: 10 })).items.map(
        ({ data }) => data['email'],
      );
    assert.deepEqual(await by(keep), ['a.l@example.com', 'ada@example.com']);
    assert.deepEqual(await by(other), ['a.l@example.com', 'ada@example.com']);
    assert.deepEqual(await by(eve), ['eve@example.com']);
    assert.deepEqual(await by(newId()), []);
  });

  test('is another tenant’s as little as if it were not there', async () => {
    const shop = await server.shop();
    const stranger = await server.tenant();
    const { body } = await submit(server, shop, { data: { email: 'a@b.example' } });
    for (const formId of [shop.formId, newId()]) {
      for (const asked of [
        async () => listSubmissions(stranger, { formId, limit: 10 }),
        async () => exportSubmissions(stranger, formId, {}),
      ])
        await assert.rejects(asked, (error: unknown) => error instanceof Problem && error.code === 'form_not_found');
    }
    await assert.rejects(
      getSubmission(stranger, { submissionId: String(body['submissionId']) }),
      (error: unknown) => error instanceof Problem && error.code === 'not_found',
    );
    await assert.rejects(
      listSubmissions(server.context(shop.context.tenant, 'mallory'), { formId: shop.formId, limit: 10 }),
      (error: unknown) => error instanceof Problem && error.code === 'tenant_forbidden',
    );
  });

  test('is taken along as a table that no spreadsheet runs, and that somebody did is recorded', async () => {
    const shop = await server.shop();
    await submit(server, shop, {
      data: { email: 'a@b.example', message: '=HYPERLINK("http://evil")', tags: ['x', 'y'], n: -5 },
    });
    await submit(server, shop, {
      data: { email: 'c@d.example', message: 'line\r\nbreak, "quoted"', '@extra': '+1 cmd|x' },
    });
    let text = '';
    for await (const chunk of await exportSubmissions(shop.context, shop.formId, {})) text += chunk;
    const [head = '', ...rest] = text.split('\r\n');
    assert.equal(
      head,
      'submission_id,submitted_at,form_version,mode,contact_id,erased_at,data.@extra,data.email,data.message,data.n,data.tags',
    );
    assert.match(rest.join('\r\n'), /,live,[0-9a-f-]{36},,'\+1 cmd\|x,c@d\.example,"line\r\nbreak, ""quoted""",,\r\n/);
    assert.match(text, /,,a@b\.example,"'=HYPERLINK\(""http:\/\/evil""\)",-5,"\[""x"",""y""\]"\r\n$/);
    const rows = await world.admin.query(sql`
      select event::json ->> 'payload' as payload from audit.event
      where tenant_id = ${shop.context.tenant}::uuid and type = 'commerce.submissions.exported'`);
    assert.deepEqual(rows, [{ payload: JSON.stringify({ form_id: shop.formId }) }]);
  });

  test('keeps its columns whatever strangers add: a flood of names pushes out no field, and no value is lost', async () => {
    const shop = await server.shop();
    const flood = (prefix: string): Record<string, unknown> =>
      Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${prefix}${n}`, n]));
    await submit(server, shop, { data: { email: 'one@example.com', message: 'Kept', often: 'yes', ...flood('a') } });
    await submit(server, shop, { data: { email: 'two@example.com', often: 'yes', ...flood('b') } });
    let text = '';
    for await (const chunk of await exportSubmissions(shop.context, shop.formId, {})) text += chunk;
    const [head = '', second = '', first = ''] = text.split('\r\n');
    const columns = head.split(',');
    assert.equal(columns.length, 6 + 500 + 1);
    assert.equal(columns.at(-1), 'data');
    for (const name of ['email', 'message', 'often']) assert.ok(columns.includes(`data.${name}`), name);
    assert.equal(first.split(',')[columns.indexOf('data.message')], 'Kept');
    assert.equal(second.split(',')[columns.indexOf('data.message')], '');
    assert.match(second, /,"\{""b0"":0,/);
  });
});
