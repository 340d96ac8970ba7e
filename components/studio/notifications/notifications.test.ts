import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBus } from '@steward/bus';
import { createLog, createMetrics, newId, undeclared } from '@steward/kernel';
import { addressDigest, createMail } from '@steward/mail';
import { sql, type TenantContext } from '@steward/sql';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { createForm, createSite, publishForm, submissionConsumer, updateForm, updateSite } from '../component.ts';
import { anyWork, createWorld, recipients, type NewForm, type World } from '../fixtures/world.ts';
import { listFormSubmissions } from '../submissions/list.ts';

const ports = { submissionPage: (id: string) => `https://pages.example/${id}` };

interface Queued extends Record<string, unknown> {
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly waits: boolean;
}

describe('a submission', () => {
  let world: World;
  const submitted = new Map<string, Record<string, unknown>>();
  const log = createLog('silent');
  const startBus = (toStrangers = true) => {
    const consumer = submissionConsumer({
      readSubmission: async (_tx, id) => submitted.get(id),
      submissionPage: (id) => `https://shop.example/api/submissions/${id}`,
      submissionsPage: (id) => `https://shop.example/api/forms/${id}/submissions`,
      ...recipients,
      toStrangers,
    });
    const bus = createBus({ tenancy: world.tenancy, log, metrics: createMetrics(), consumers: [consumer] });
    bus.start();
    return { [Symbol.asyncDispose]: async () => bus[Symbol.asyncDispose]() };
  };
  let bus: AsyncDisposable;
  before(async () => {
    world = await createWorld();
    bus = startBus();
  });
  after(async () => {
    await bus[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const fields: NewForm['fields'] = [
    { name: 'email', label: 'E-mail', type: 'email', required: true },
    { name: 'message', label: 'Message', type: 'textarea' },
    {
      name: 'topics',
      label: 'Topics',
      type: 'multiselect',
      options: [
        { value: 'a', label: 'Bikes' },
        { value: 'b', label: 'Boats' },
      ],
    },
    { name: 'news', label: 'Newsletter', type: 'checkbox' },
    { name: 'count', label: 'Count', type: 'number' },
  ];
  const published = async (
    tenant: TenantContext,
    more: Partial<NewForm> = {},
    siteName = 'Fjord Bikes',
  ): Promise<{ siteId: string; formId: string }> => {
    const site = await createSite(tenant, { name: siteName, origins: ['https://fjord.example'] }, world.studio.deps);
    const form = await createForm(
      tenant,
      {
        siteId: site.id,
        name: 'Contact us',
        fields,
        notificationEmails: ['owner@fjord.example'],
        ...more,
      },
      world.studio.deps,
    );
    await publishForm(tenant, { formId: form.id }, world.studio.deps);
    return { siteId: site.id, formId: form.id };
  };

  /** As commerce does it: the values there, ids on the bus. */
  const submit = async (
    { tenant }: TenantContext,
    { siteId, formId }: { siteId: string; formId: string },
    values: Record<string, unknown>,
    { version = 1, mode = 'live', times = 1 }: { version?: number; mode?: string; times?: number } = {},
  ): Promise<string[]> => {
    const ids = Array.from({ length: times }, () => newId());
    for (const id of ids) submitted.set(id, values);
    await world
      .system(tenant)
      .require(anyWork)
      .write(async (tx) => {
        for (const id of ids) {
          tx.publish(
            undeclared({
              type: 'commerce.storefront.form.submitted',
              source: 'commerce',
              subject: id,
              data: { submissionId: id, formId, formVersion: version, siteId, mode },
            }),
          );
        }
      });
    return ids;
  };

  const handled = async ({ tenant }: TenantContext, count: number): Promise<void> => {
    for (let round = 0; ; round += 1) {
      const [row] = await world.admin.query<{ count: number }>(
        sql`select count(*)::int as count from studio.submission where tenant_id = ${tenant}`,
      );
      if (row?.count === count) return;
      assert.ok(round < 1_000, `${row?.count} of ${count} came`);
      await sleep(20);
    }
  };

  const emails = async ({ tenant }: TenantContext): Promise<Queued[]> =>
    world.admin.query<Queued>(sql`
      select recipient, subject, text, html, next_at > clock_timestamp() as waits from mail.letter
      where tenant_id = ${tenant} order by waits, recipient, letter_id`);

  test('stands in the list of its form, and its values in an email to each address of the form', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant, {
      notificationEmails: ['owner@fjord.example', 'sales@fjord.example'],
    });
    const [id = ''] = await submit(tenant, form, {
      email: 'visitor@example.net',
      message: 'Hello,\nI need a bike.',
      topics: ['a', 'b'],
      news: false,
      count: 0,
      utm: 'x',
    });
    await handled(tenant, 1);
    const { items, nextCursor } = await listFormSubmissions(tenant, { formId: form.formId, limit: 50 }, ports);
    assert.deepEqual(
      items.map(({ submissionId, formId, siteId, formVersion, contactId, mode }) => ({
        submissionId,
        formId,
        siteId,
        formVersion,
        contactId,
        mode,
      })),
      [{ submissionId: id, ...form, formVersion: 1, contactId: null, mode: 'live' }],
    );
    assert.equal(nextCursor, null);
    const came = await emails(tenant);
    assert.deepEqual(came.map(({ recipient }) => recipient).toSorted(), ['owner@fjord.example', 'sales@fjord.example']);
    const [email] = came;
    assert.equal(email?.subject, 'New submission: Contact us – Fjord Bikes');
    assert.match(email?.text ?? '', /^Contact us was submitted on Fjord Bikes at \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m);
    assert.match(email?.text ?? '', /E-mail:\n {4}visitor@example\.net\n/);
    assert.match(email?.text ?? '', /Message:\n {4}Hello,\n {4}I need a bike\.\n/);
    assert.match(email?.text ?? '', /Topics:\n {4}Bikes, Boats\n/);
    assert.match(email?.text ?? '', /Newsletter:\n {4}no\n/);
    assert.match(email?.text ?? '', /Count:\n {4}0\n/);
    assert.match(email?.text ?? '', /1 more value arrived for which the form has no field/);
    assert.ok(email?.text.includes(`The submission: https://shop.example/api/submissions/${id}\n`));
    assert.ok(!email?.text.includes('/letters/confirm/'), 'a member is asked nothing');
    assert.match(email?.text ?? '', /^To unsubscribe: http\S+\/letters\/unsubscribe\/\S+$/m);
    assert.match(email?.html ?? '', /<th scope="row"[^>]*>\s*Message\s*<\/th>/);
    assert.ok(email?.html.includes('>Hello,\nI need a bike.<'), 'white space is kept, none is added');
  });

  test('is told of once however often its event comes, also when the list is filled again', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant);
    await submit(tenant, form, { email: 'visitor@example.net' }, { times: 3 });
    await handled(tenant, 3);
    assert.equal((await emails(tenant)).length, 3);
    // As an operator does: the projection is emptied, and the consumer starts from the beginning.
    await bus[Symbol.asyncDispose]();
    await world.admin.query(sql`delete from mail.letter where tenant_id = ${tenant.tenant}`);
    await world.admin.query(sql`delete from studio.submission where tenant_id = ${tenant.tenant}`);
    await world.admin.query(sql`delete from bus.inbox where tenant_id = ${tenant.tenant}`);
    await world.admin.query(sql`update bus.consumer set position = 0, generation = generation + 1`);
    bus = startBus();
    await handled(tenant, 3);
    assert.deepEqual(await emails(tenant), []);
  });

  test('follows the version that it was made with: its fields, its addresses', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant);
    await updateForm(tenant, { formId: form.formId, name: 'Write to us', notificationEmails: ['new@fjord.example'] });
    await publishForm(tenant, { formId: form.formId }, world.studio.deps);
    await submit(tenant, form, { email: 'a@example.net' }, { version: 1 });
    await submit(tenant, form, { email: 'b@example.net' }, { version: 2, mode: 'test' });
    await handled(tenant, 2);
    assert.deepEqual(
      (await emails(tenant)).map(({ recipient, subject }) => [recipient, subject]),
      [
        ['new@fjord.example', '[Test] New submission: Write to us – Fjord Bikes'],
        ['owner@fjord.example', 'New submission: Contact us – Fjord Bikes'],
      ],
    );
    const listed = async (mode?: 'live' | 'test'): Promise<number[]> =>
      (await listFormSubmissions(tenant, { formId: form.formId, mode, limit: 9 }, ports)).items
        .map(({ formVersion }) => formVersion)
        .toSorted();
    assert.deepEqual([await listed('live'), await listed('test'), await listed()], [[1], [2], [1, 2]]);
  });

  test('to a form without addresses is in the list and makes no email', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant, { notificationEmails: [] });
    await submit(tenant, form, { email: 'a@example.net' });
    await handled(tenant, 1);
    assert.deepEqual(await emails(tenant), []);
  });

  test('among hundreds in an hour does not flood a mailbox: twenty emails, then one that counts the others', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant);
    const other = await published(tenant);
    await submit(tenant, form, { email: 'a@example.net' }, { times: 150 });
    await submit(tenant, other, { email: 'b@example.net' });
    await handled(tenant, 151);
    const came = await emails(tenant);
    // An hour may have ended in between.
    const perHour = came.filter(({ waits }) => !waits).length - 1;
    const sums = came.filter(({ waits }) => waits);
    assert.ok(perHour === 20 || perHour === 40, `${perHour} letters`);
    const counted = sums.map(({ subject }) =>
      Number(/^(\d+) more submissions?: Contact us – Fjord Bikes$/.exec(subject)?.[1]),
    );
    assert.equal(perHour + counted.reduce((sum, count) => sum + count, 0), 150);
    assert.match(sums[0]?.text ?? '', /None of them is lost/);
    assert.ok(sums[0]?.text.includes(`https://shop.example/api/forms/${form.formId}/submissions`));
  });

  test('writes to a stranger in our words alone, and no number of forms and tenants makes it a flood', async () => {
    const victims = Array.from({ length: 10 }, (_, index) => `Victim${index}@elsewhere.example`);
    const theirs = { name: 'YOU WON: evil.example', notificationEmails: victims };
    const tenants = await Promise.all(Array.from({ length: 3 }, async () => world.tenant()));
    const forms = await Promise.all(
      tenants.map(async (tenant) =>
        Promise.all([
          published(tenant, theirs, 'Call +1 900'),
          published(tenant, { ...theirs, notificationEmails: victims.map((one) => one.toLowerCase()) }),
        ]),
      ),
    );
    for (const [index, tenant] of tenants.entries()) {
      for (const form of forms[index] ?? []) {
        await submit(tenant, form, { message: 'Buy now' }, { times: 22 });
        await submit(tenant, form, { message: 'Buy now' }, { times: 1, mode: 'test' });
      }
    }
    for (const tenant of tenants) await handled(tenant, 46);
    const came = (await Promise.all(tenants.map(emails))).flat();
    const perVictim = Map.groupBy(came, ({ recipient }) => recipient.toLowerCase());
    assert.equal(perVictim.size, 10);
    for (const [index, tenant] of tenants.entries()) {
      const single = (await emails(tenant)).filter(({ waits }) => !waits);
      assert.ok(single.length <= 2 * 10 * 20, `${single.length} letters of tenant ${index}`);
    }
    for (const own of perVictim.values()) {
      // An hour may have ended in between. Tenants that send at the same moment may each go over by one.
      assert.ok(own.filter(({ waits }) => !waits).length <= 2 * (40 + 3), `${own.length} letters`);
      assert.ok(own.filter(({ waits }) => waits).length <= 2 * 6);
    }
    assert.deepEqual(
      new Set(came.map(({ subject }) => subject)).difference(
        new Set(['A form was submitted', '[Test] A form was submitted', 'A form was submitted more often']),
      ),
      new Set(),
    );
  });

  test('writes to so many strangers a day and no more, whichever addresses and forms a tenant names', async () => {
    const tenant = await world.tenant();
    const named = await Promise.all(
      Array.from({ length: 45 }, async (_, form) =>
        published(tenant, {
          notificationEmails: Array.from({ length: 10 }, (__, index) => `s${form}-${index}@elsewhere.example`),
        }),
      ),
    );
    for (const form of named) await submit(tenant, form, { message: 'x' });
    const own = await published(tenant);
    await submit(tenant, own, { message: 'x' });
    await handled(tenant, 46);
    const came = await emails(tenant);
    assert.equal(came.filter(({ recipient }) => recipient.endsWith('@elsewhere.example')).length, 400);
    assert.equal(came.filter(({ recipient }) => recipient === 'owner@fjord.example').length, 1, 'members are told');
  });

  test('is told to a stranger who confirmed as to a member, and to nobody who ended the emails or whose address was refused', async () => {
    const tenant = await world.tenant();
    const names = ['new', 'sure', 'ended', 'gone'].map((name) => `${name}@elsewhere.example`);
    const form = await published(tenant, { notificationEmails: names });
    const [fresh = '', sure = '', ended = '', gone = ''] = names;
    const confirmAt = (address: string): string =>
      recipients.links.to('confirm', { tenant: tenant.tenant, address: addressDigest(address) });
    const verbs = world.studio.recipients;
    await verbs.confirm({ tenant: tenant.tenant, address: addressDigest(sure) });
    await verbs.unsubscribe({ tenant: tenant.tenant, address: addressDigest(ended) });
    const refusal = { tenant: tenant.tenant, address: addressDigest(gone), reason: 'smtp_550', stops: true };
    await verbs.refused(refusal);
    await submit(tenant, form, { message: 'x' });
    await handled(tenant, 1);
    const came = await emails(tenant);
    assert.deepEqual(
      came.map(({ recipient, subject, text }) => [recipient, subject, text.includes(confirmAt(recipient))]),
      [
        [fresh, 'A form was submitted', true],
        [sure, 'New submission: Contact us – Fjord Bikes', false],
      ],
    );
  });

  test('is told to members alone where the operator wants it so', async () => {
    await bus[Symbol.asyncDispose]();
    bus = startBus(false);
    const tenant = await world.tenant();
    const form = await published(tenant, { notificationEmails: ['stranger@elsewhere.example', 'owner@fjord.example'] });
    await submit(tenant, form, { message: 'x' }, { times: 2 });
    await handled(tenant, 2);
    const came = await emails(tenant);
    assert.deepEqual(
      came.filter(({ recipient }) => recipient.startsWith('owner@')).map(({ subject }) => subject),
      Array.from({ length: 2 }, () => 'New submission: Contact us – Fjord Bikes'),
    );
    // The form was published before the operator wanted it so.
    assert.deepEqual(
      came.filter(({ recipient }) => recipient.startsWith('stranger@')).map(({ subject }) => subject),
      ['Do you want letters about a form?'],
    );
    await bus[Symbol.asyncDispose]();
    bus = startBus();
  });

  test('that is hostile stays between its quotes: no markup, no header, no reply address, no other recipient', async () => {
    const tenant = await world.tenant();
    const form = await published(
      tenant,
      {
        name: 'Contact <b>us</b> \u202Egro.live',
        fields: [
          { name: 'email', label: '<img src=x onerror=alert(1)>', type: 'email' },
          { name: 'message', label: 'Message', type: 'textarea' },
        ],
      },
      '"Fjord" <Bikes> & Bcc: victim@example.net',
    );
    const hostile = [
      '<script>alert("x")</script>',
      '</td></tr></table><a href="https://evil.example">Your account</a>',
      '\'"><svg onload=alert(1)>',
      '\r\nBcc: victim@example.net\r\n\r\n.\r\nMAIL FROM:<x>',
      '\u202Etxt.exe\u2066',
      '\0\u0007\u001b[2J',
      'E-mail:\n    forged@example.net\n\nThe submission: https://evil.example',
    ].join(' ');
    await submit(tenant, form, {
      email: 'victim@example.net\r\nBcc: victim@example.net',
      message: hostile,
      notificationEmails: ['victim@example.net'],
      nested: { deep: ['<i>'] },
    });
    await handled(tenant, 1);
    const came = await emails(tenant);
    assert.deepEqual(
      came.map(({ recipient }) => recipient),
      ['owner@fjord.example'],
    );
    const { subject = '', text = '', html = '' } = came[0] ?? {};
    assert.ok(!/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(subject));
    assert.ok(!subject.includes('victim@example.net\n'));
    assert.ok(!/<script|<img|<svg|<a href="https:\/\/evil|<b>|<i>|<Bikes>/.test(html), 'nothing of it is markup');
    assert.equal(html.match(/<a /g)?.length, 2, 'the submission, and the end of the emails');
    assert.ok(!/[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/u.test(text + html));
    const unquoted = text.split('\n').filter((line) => !line.startsWith('    '));
    assert.ok(
      !unquoted.some((line) => line.includes('forged') || line.includes('evil.example') || line.startsWith('Bcc')),
    );
    assert.equal(unquoted.filter((line) => line.startsWith('The submission:')).length, 1);
  });

  test('that is as large as one may be makes an email of bounded size that says where the rest is', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant, {
      fields: Array.from({ length: 50 }, (_, index) => ({
        name: `f${index}`,
        label: `Field ${index}`,
        type: 'textarea' as const,
      })),
    });
    const emoji = '👩‍👩‍👧‍👦'.repeat(5_000);
    await submit(tenant, form, Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, emoji])));
    await handled(tenant, 1);
    const [email] = await emails(tenant);
    assert.ok((email?.text.length ?? 0) < 50_000);
    assert.ok((email?.html.length ?? 0) < 80_000);
    assert.ok(email?.text.isWellFormed());
    assert.match(email?.text ?? '', /end with “…”/);
    assert.match(email?.text ?? '', /Field 49:\n {4}…/);
  });

  test('reaches a real mailbox when its mail server is back, in the words of any script', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant, { name: 'お問い合わせ 📬' }, 'Grüße & Söhne');
    await submit(tenant, form, { email: 'visitor@example.net', message: 'שלום 😀' });
    await handled(tenant, 1);
    await world.admin.query(sql`delete from mail.letter where tenant_id <> ${tenant.tenant}`);
    const sources: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onData: (stream, session, done) => {
        let source = `${session.envelope.rcptTo.map(({ address }) => address).join()}\r\n`;
        stream.on('data', (chunk) => (source += String(chunk)));
        stream.on('end', () => {
          sources.push(source);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.server.address() as AddressInfo;
    const smtp = { url: `smtp://127.0.0.1:${port}`, from: 'Steward <steward@fjord.example>' };
    const mail = createMail({ pool: world.pool, sends: smtp, metrics: createMetrics(), log, timings: { every: 20 } });
    mail.start();
    for (let round = 0; sources.length === 0; round += 1) {
      assert.ok(round < 500);
      await sleep(20);
    }
    await mail[Symbol.asyncDispose]();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const [source = ''] = sources;
    assert.match(source, /^owner@fjord\.example\r\n/);
    assert.match(source, /^Auto-Submitted: auto-generated\r$/m);
    assert.ok(!/^(reply-to|cc|bcc):/im.test(source));
    assert.ok(!source.slice(0, source.indexOf('\r\n\r\n')).includes('visitor@example.net'));
    assert.match(source, /^Subject: =\?UTF-8\?/im);
  });

  test('of another tenant is in nobody else’s list', async () => {
    const tenant = await world.tenant();
    const form = await published(tenant);
    await submit(tenant, form, { email: 'a@example.net' });
    await handled(tenant, 1);
    const stranger = await world.tenant();
    await assert.rejects(listFormSubmissions(stranger, { formId: form.formId, limit: 50 }, ports), {
      code: 'form_not_found',
    });
    await updateSite(tenant, { siteId: form.siteId, name: 'Renamed' }, world.studio.deps);
    await submit(tenant, form, { email: 'a@example.net' });
    await handled(tenant, 2);
    const first = await listFormSubmissions(tenant, { formId: form.formId, limit: 1 }, ports);
    assert.equal(first.items.length, 1);
    const second = await listFormSubmissions(
      tenant,
      { formId: form.formId, limit: 1, cursor: first.nextCursor ?? undefined },
      ports,
    );
    assert.equal(second.items.length, 1);
    assert.equal(second.nextCursor, null);
    assert.ok((second.items[0]?.submissionId ?? '') < (first.items[0]?.submissionId ?? ''));
  });
});
