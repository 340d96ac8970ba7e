import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcessWorld, outputOf, type Answer, type ProcessWorld } from '@steward/conformance/world';
import { openPool, sql, type SqlPool } from '@steward/sql';
import { SMTPServer } from 'smtp-server';

interface Form {
  readonly siteId: string;
  readonly formId: string;
  readonly key: string;
}

interface Mail {
  readonly messageId: string;
  readonly text: string;
}

// A member: strangers are told of a few submissions an hour.
const recipient = 'owner@fjord.example';

describe('a chain from a form to an email, cut by kill -9', () => {
  let world: ProcessWorld;
  let admin: SqlPool;
  let port: number;
  let tenant: string;
  let token: string;
  before(async () => {
    port = await freePort();
    world = await createProcessWorld({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      STOREFRONT_PER_IP_PER_MINUTE: '100000',
      STOREFRONT_PER_KEY_PER_MINUTE: '100000',
    });
    admin = openPool({ url: world.db.adminUrl, size: 4 });
    ({ tenant, token } = await world.signUp('owner@fjord.example'));
  });
  after(async () => {
    await admin.close();
    await world[Symbol.asyncDispose]();
  });

  const studio = async (path: string, body: unknown): Promise<Answer> => {
    const answer = await world.call(`${world.server.addresses.studio}/api${path}`, { token, tenant, body });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer;
  };
  const text = (answer: Answer, name: string): string => String(answer.body[name]);

  /** A published form of its own: each may have twenty emails an hour. */
  const openForm = async (): Promise<Form> => {
    const siteId = text(await studio('/sites', { name: 'Fjord Bikes', origins: ['https://fjord.example'] }), 'id');
    const key = text(await studio(`/sites/${siteId}/keys`, { mode: 'live' }), 'key');
    const fields = [
      { name: 'email', label: 'E-mail', type: 'email', required: true, mapsTo: 'email' },
      { name: 'number', label: 'Number', type: 'number' },
    ];
    const form = { siteId, name: 'Contact', fields, targetEntityType: 'crm_contact', notificationEmails: [recipient] };
    const formId = text(await studio('/forms', form), 'id');
    await studio(`/forms/${formId}/publish`, {});
    return { siteId, formId, key };
  };

  let visitors = 0;
  /** The id, where it was acknowledged. */
  const submit = async ({ formId, key }: Form): Promise<string | undefined> => {
    try {
      const answer = await world.call(`${world.server.addresses.storefront}/forms/${formId}/submit`, {
        headers: { 'x-service-sdk-key': key },
        body: { data: { email: `visitor${(visitors += 1)}@example.net`, number: visitors } },
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return text(answer, 'submissionId');
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return undefined;
    }
  };
  const submitAll = async (form: Form, count: number): Promise<string[]> =>
    (await Promise.all(Array.from({ length: count }, async () => submit(form)))).filter((id) => id !== undefined);

  const restart = async (): Promise<void> => {
    await world.restart();
    token = await world.token({ user: 'owner@fjord.example' });
  };

  const idsIn = async (relation: 'commerce.submission' | 'studio.submission', { formId }: Form): Promise<string[]> =>
    admin.withClient(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `select submission_id as id from ${relation} where tenant_id = $1 and form_id = $2 order by 1`,
        [tenant, formId],
      );
      return rows.map(({ id }) => id);
    });

  /** Every submission that is there has its event, its entry and its email, once each. */
  const effects = async (form: Form): Promise<string[]> => {
    const stored = await idsIn('commerce.submission', form);
    await until(async () => (await idsIn('studio.submission', form)).length >= stored.length);
    assert.deepEqual(await idsIn('studio.submission', form), stored);
    const events = await admin.query<{ subject: string }>(sql`
      select subject from bus.outbox where tenant_id = ${tenant} and data::json ->> 'formId' = ${form.formId} order by subject`);
    assert.deepEqual(
      events.map(({ subject }) => subject),
      stored,
    );
    const emails = await admin.query<{ emails: number }>(sql`
      select count(*)::int as emails from mail.letter l join studio.submission s on s.tenant_id = l.tenant_id
      where l.tenant_id = ${tenant} and s.form_id = ${form.formId}
        and l.key = sha256(convert_to('submission ' || s.submission_id || ' ' || ${recipient}, 'UTF8'))`);
    assert.equal(emails[0]?.emails, stored.length, 'one email each');
    return stored;
  };

  test('between the commit and the delivery: every event is delivered after the restart', async () => {
    const form = await openForm();
    await admin.withClient(async (client) => {
      // The consumer is in another's hand, so nothing is delivered however long the server lives.
      await client.query(`select pg_advisory_lock(1112888112, hashtext('studio.submissions'))`);
      const acknowledged = await submitAll(form, 6);
      await world.server.kill();
      assert.equal(acknowledged.length, 6);
      assert.deepEqual(await idsIn('studio.submission', form), []);
      await client.query(`select pg_advisory_unlock_all()`);
      await restart();
      assert.deepEqual(await effects(form), acknowledged.toSorted());
    });
  });

  test('in the middle of the consumer, its entry written and its email not: both are there once', async () => {
    const form = await openForm();
    let acknowledged: string[] = [];
    await admin.withClient(async (client) => {
      await client.query('begin; lock table mail.letter in exclusive mode');
      acknowledged = await submitAll(form, 6);
      // The handler has inserted the entry, and waits for the table of the emails.
      await until(async () => {
        const waiting = await admin.query(sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into mail.letter%'`);
        return waiting.length > 0;
      });
      await world.server.kill();
      assert.deepEqual(await idsIn('studio.submission', form), [], 'nothing of it is there by halves');
      await client.query('rollback');
    });
    await restart();
    assert.deepEqual(await effects(form), acknowledged.toSorted());
  });

  test('at any moment, while visitors submit: what was acknowledged is there, and nothing is had twice', async () => {
    for (const moment of [1, 9]) {
      const form = await openForm();
      let killed: Promise<void> | undefined;
      let count = 0;
      const visitor = async (): Promise<string | undefined> => {
        const id = await submit(form);
        if (id !== undefined && (count += 1) === moment) killed = world.server.kill();
        return id;
      };
      const ids = await Promise.all(Array.from({ length: 18 }, visitor));
      await killed;
      const acknowledged = ids.filter((id) => id !== undefined);
      assert.ok(acknowledged.length >= moment);
      await restart();
      const stored = await effects(form);
      assert.ok(acknowledged.every((id) => stored.includes(id)));
    }
  });

  test('before this point all effects came in the order of the tenant, and no mail server was needed for any', async () => {
    const rows = await admin.query<{ place: bigint; email: bigint }>(sql`
      select o.position as place, row_number() over (order by l.queued_at) as email
      from bus.outbox o join mail.letter l on l.tenant_id = o.tenant_id
        and l.key = sha256(convert_to('submission ' || o.subject || ' ' || ${recipient}, 'UTF8'))
      where o.tenant_id = ${tenant} order by l.queued_at`);
    assert.ok(rows.length >= 12);
    const places = rows.map(({ place }) => place);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    const [queued] = await admin.query<{ states: string[] }>(
      sql`select array_agg(distinct state) as states from mail.letter where tenant_id = ${tenant}`,
    );
    assert.deepEqual(queued?.states, ['queued']);
  });

  test('in the middle of sending: every email arrives, a repeated one under the same Message-ID', async (at) => {
    const [total] = await admin.query<{ emails: number }>(
      sql`select count(*)::int as emails from mail.letter where tenant_id = ${tenant}`,
    );
    const mails: Mail[] = [];
    let silent = true;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onData: (stream, _session, done) => {
        let source = '';
        stream.on('data', (chunk) => (source += String(chunk)));
        stream.on('end', () => {
          mails.push({
            messageId: /^message-id: (.*)$/im.exec(source)?.[1] ?? '',
            text: source.replaceAll('=\r\n', ''),
          });
          // Whoever sent it never learns that it was taken.
          if (!silent) done();
        });
      },
    });
    server.on('error', () => undefined);
    at.after(() => server.close());
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    // Beside the worker, whose rows are left alone.
    const due = async (): Promise<unknown> =>
      admin.query(sql`
        update mail.letter l set next_at = clock_timestamp()
        from (select tenant_id, letter_id from mail.letter where tenant_id = ${tenant} and state = 'queued'
          for update skip locked) w
        where l.tenant_id = w.tenant_id and l.letter_id = w.letter_id`);
    await due();
    await until(async () => mails.length > 0);
    await world.server.kill();
    silent = false;
    const lost = mails.map(({ messageId }) => messageId);
    await due();
    await restart();
    await until(async () => {
      await due();
      const left = await admin.query(sql`select from mail.letter where tenant_id = ${tenant} and state = 'queued'`);
      return left.length === 0;
    });
    // What was made due again while it was being sent is sent twice: a stop waits for the second.
    await world.server.stop();
    await restart();
    const names = Map.groupBy(mails, ({ messageId }) => messageId);
    assert.equal(names.size, total?.emails);
    for (const name of lost) assert.ok((names.get(name)?.length ?? 0) >= 2, 'sent again, under the same name');
    const submissions = await admin.query<{ id: string }>(
      sql`select submission_id as id from commerce.submission where tenant_id = ${tenant}`,
    );
    for (const { id } of submissions) {
      const telling = new Set(mails.filter((mail) => mail.text.includes(id)).map(({ messageId }) => messageId));
      assert.equal(telling.size, 1, `one letter tells of ${id}`);
    }
    const [remains] = await admin.query<{ kept: number }>(
      sql`select count(*)::int as kept from mail.letter where recipient is not null or text is not null`,
    );
    assert.equal(remains?.kept, 0);
  });

  test('and an operator sees numbers and reasons, nobody’s address, and has emails tried again', async () => {
    const steward = async (...args: string[]): Promise<string> =>
      outputOf(world.command(['mail', ...args], { DATABASE_OWNER_URL: '' }));
    const sent = await admin.query<{ id: string }>(
      sql`select letter_id as id from mail.letter where tenant_id = ${tenant} and state = 'sent' order by letter_id limit 2`,
    );
    const givenUp = await admin.query(sql`
      update mail.letter set state = 'dead', reason = 'smtp_550', recipient = ${recipient}, subject = 'x', text = 'x'
      where tenant_id = ${tenant} and letter_id = any (${sent.map(({ id }) => id)}) returning letter_id`);
    assert.equal(givenUp.length, 2);
    const status = await steward('status');
    assert.match(status, /^queued +0$/m);
    assert.match(status, /^given up +2: 2 smtp_550$/m);
    assert.match(status, new RegExp(`tenant ${tenant} letter [0-9a-f-]{36} smtp_550, attempts: \\d+$`, 'm'));
    assert.ok(!status.includes('@'));
    assert.match(await steward('retry', '--reason', 'etimedout'), /^0 letters are due again/);
    assert.match(await steward('retry', '--tenant', tenant), /^2 letters are due again/);
    const { smtpUrlHere, heaps } = JSON.parse(await steward('status', '--json')) as {
      smtpUrlHere: boolean;
      heaps: unknown[];
    };
    assert.equal(smtpUrlHere, false, 'the server has it, and this command does not');
    assert.ok(heaps.length >= 2);
    const folder = await outputOf(world.command(['mail', 'status'], { MAIL_FOLDER: '/tmp/letters' }));
    assert.match(folder, /^MAIL_FOLDER is set for this command \(\/tmp\/letters\);/);
    assert.doesNotMatch(folder, /SMTP_URL/);
    await assert.rejects(steward('retry', '--tenant', 'x'), { code: 2 });
  });

  test('and the studio lists what commerce holds', async () => {
    const form = await openForm();
    const id = await submit(form);
    const url = `${world.server.addresses.studio}/api/forms/${form.formId}/submissions`;
    const listed = async (): Promise<Record<string, unknown>[]> =>
      (await world.call(url, { token, tenant })).body['items'] as unknown as Record<string, unknown>[];
    await until(async () => (await listed()).length === 1);
    const [item] = await listed();
    assert.equal(item?.['submissionId'], id);
    const truth = await world.call(String(item?.['url']), { token, tenant });
    assert.equal(truth.status, 200, JSON.stringify(truth.body));
    assert.equal(text(truth, 'submissionId'), id);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

async function until(met: () => Promise<boolean>): Promise<void> {
  for (let round = 0; !(await met()); round += 1) {
    assert.ok(round < 1_000, 'it never came');
    await sleep(25);
  }
}
