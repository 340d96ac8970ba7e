import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics } from '@steward/kernel';
import { sql } from '@steward/sql';
import { addressDigest, owe, type Refusal, retryMail, summarizeMail } from '../component.ts';
import { freePort, header, openMailbox } from '../fixtures/mailbox.ts';
import { emailTo, logTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('an email', () => {
  let world: World;
  before(async () => (world = await openWorld()));
  after(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    await world.admin.query(sql`delete from mail.letter`);
  });

  const states = async (tenant: string): Promise<unknown[]> => (await world.rows(tenant)).map(({ state }) => state);
  const settled = async (tenant: string): Promise<void> =>
    until(async () => (await states(tenant)).every((state) => state !== 'queued'));

  test('is sent after the commit that it was written in, never when that is undone, and once for its key', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    await using _worker = world.worker({ url: mailbox.url });
    await world.postAndUndo(tenant, [emailTo('undone@example.com')]);
    const email = emailTo('ann@example.com', { key: 'one', html: '<p>A word.</p>' });
    await world.post(tenant, [email, { ...emailTo('ben@example.com'), key: 'two' }, email]);
    await world.post(tenant, [{ ...email, text: 'other words' }]);
    await settled(tenant);
    assert.deepEqual(mailbox.emails.flatMap(({ to }) => to).toSorted(), ['ann@example.com', 'ben@example.com']);
    const elsewhere = newTenant();
    await world.post(elsewhere, [email]);
    await settled(elsewhere);
    assert.equal(mailbox.emails.length, 3, 'a key is of one tenant');
    const source = mailbox.emails.find(({ to }) => to.includes('ann@example.com'))?.source ?? '';
    assert.equal(header(source, 'from'), 'Fjord <post@mail.example.com>');
    assert.equal(header(source, 'auto-submitted'), 'auto-generated');
    assert.equal(header(source, 'x-auto-response-suppress'), 'All');
    assert.equal(header(source, 'reply-to'), undefined);
    assert.match(source, /Content-Type: text\/plain[^]*A word\.[^]*Content-Type: text\/html[^]*<p>A word\.<\/p>/);
  });

  test('leaves nothing of its contents or its recipient behind once it is sent', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    await using _worker = world.worker({ url: mailbox.url });
    await world.post(tenant, [
      emailTo('secret.person@example.com', { text: 'a secret word', html: '<p>a secret word</p>' }),
    ]);
    await settled(tenant);
    const [row] = await world.admin.query<{ said: string }>(
      sql`select l::text as said from mail.letter l where tenant_id = ${tenant}`,
    );
    assert.ok(!/secret|person|example/.test(row?.said ?? ''));
    assert.deepEqual(await states(tenant), ['sent']);
  });

  test('waits for a dead mail server, whose fault costs no email an attempt of its own, and arrives when it is back', async () => {
    const tenant = newTenant();
    const port = await freePort();
    const said: string[] = [];
    const metrics = createMetrics();
    await using _worker = world.worker({ url: `smtp://user:hunter2@127.0.0.1:${port}`, log: logTo(said), metrics });
    await world.post(
      tenant,
      Array.from({ length: 30 }, (_, index) => emailTo(`p${index}@example.com`)),
    );
    await until(() => said.length >= 3);
    const tried = (await world.rows(tenant)).filter(({ attempts }) => Number(attempts) > 0).length;
    assert.ok(tried < 20, `${tried} of 30 letters were tried on a server known to be dead`);
    assert.match(await metrics.registry.metrics(), /steward_mail_letters\{state="queued"\} 30/);
    await using mailbox = await openMailbox(port, { disabledCommands: ['STARTTLS', 'AUTH'] });
    await settled(tenant);
    assert.equal(new Set(mailbox.emails.flatMap(({ to }) => to)).size, 30);
    assert.equal(mailbox.emails.length, 30);
    assert.ok(!/hunter2|example\.com|A word/.test(said.join('')), 'secrets and addresses stay out of the log');
    assert.match(said.join(''), /econnrefused|esocket/);
    const numbers = await metrics.registry.metrics();
    assert.match(numbers, /steward_mail_sent_total 30/);
    assert.match(numbers, /steward_mail_letters\{state="queued"\} 0/);
  });

  test('that is refused for now is tried again, later each time, and then goes', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    mailbox.refuse = { recipient: (address) => (address.startsWith('grey') ? 451 : undefined) };
    await using _worker = world.worker({ url: mailbox.url });
    await world.post(tenant, [emailTo('grey@example.com'), emailTo('white@example.com')]);
    const grey = async () =>
      (
        await world.admin.query<{ attempts: number; seconds: number; reason: string }>(sql`
          select attempts, reason, extract(epoch from next_at - clock_timestamp())::float8 as seconds
          from mail.letter where tenant_id = ${tenant} and state = 'queued'`)
      )[0];
    await until(async () => (await grey())?.reason === 'smtp_451' && mailbox.emails.length > 0);
    assert.deepEqual(
      mailbox.emails.flatMap(({ to }) => to),
      ['white@example.com'],
      'it holds up no other',
    );
    const first = await grey();
    assert.ok(first !== undefined && first.seconds > 30 && first.seconds < 80);
    await world.makeDue(tenant);
    await until(async () => (await grey())?.attempts === 2 && ((await grey())?.seconds ?? 0) < 200);
    const second = await grey();
    assert.ok((second?.seconds ?? 0) > 85, 'twice as long');
    mailbox.refuse = {};
    await world.makeDue(tenant);
    await settled(tenant);
    assert.deepEqual(await states(tenant), ['sent', 'sent']);
  });

  test('that is refused for now over a day is given up, with the reason', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    mailbox.refuse = { message: () => 451 };
    await world.post(tenant, [emailTo('ann@example.com')]);
    await world.admin.query(
      sql`update mail.letter set queued_at = queued_at - interval '25 hours' where tenant_id = ${tenant}`,
    );
    await using _worker = world.worker({ url: mailbox.url });
    await settled(tenant);
    const [row] = await world.rows(tenant);
    assert.deepEqual([row?.['state'], row?.['reason'], row?.['attempts']], ['dead', 'smtp_451', 1]);
  });

  test('that is refused for ever is given up at once; an operator has it tried again', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    mailbox.refuse = {
      recipient: (address) => (address.startsWith('gone') ? 550 : undefined),
      message: (source) => (source.includes('spam') ? 554 : undefined),
    };
    const said: string[] = [];
    const metrics = createMetrics();
    await using _worker = world.worker({ url: mailbox.url, log: logTo(said), metrics });
    await world.post(tenant, [emailTo('gone@example.com'), emailTo('ann@example.com', { text: 'spam' })]);
    await settled(tenant);
    assert.deepEqual(
      (await world.rows(tenant)).map(({ state, reason, attempts }) => [state, reason, attempts].join(' ')).toSorted(),
      ['dead smtp_550 1', 'dead smtp_554 1'],
    );
    assert.ok(!said.join('').includes('example.com'));
    assert.match(await metrics.registry.metrics(), /steward_mail_dead_total\{reason="smtp_550"\} 1/);
    assert.ok((await summarizeMail(world.pool)).some(({ state, reason }) => state === 'dead' && reason === 'smtp_550'));
    mailbox.refuse = {};
    assert.equal(await retryMail(world.pool, { tenant: newTenant() }), 0);
    assert.equal(await retryMail(world.pool, { tenant, reason: 'smtp_550' }), 1);
    await settled(tenant);
    assert.deepEqual((await states(tenant)).toSorted(), ['dead', 'sent']);
  });

  test('that is owed to a reader who may end such letters says how, and that it is refused; one that must be known does neither', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    const refused: Refusal[] = [];
    await using _worker = world.worker({
      url: mailbox.url,
      refused: async (refusal) => void refused.push(refusal),
      write: async (_tenant, { reader }) => ({
        to: `${reader}@example.com`,
        subject: 'News',
        text: 'News.\n',
        ...(reader.endsWith('free')
          ? { unsubscribe: 'https://mail.example.com/end', replyTo: 'shop@example.com' }
          : {}),
      }),
    });
    const tell = async (about: string): Promise<void> => {
      await world.write(tenant, async (tx) => owe(tx, { by: 'orders', about, readers: ['free', 'bound'] }));
      await settled(tenant);
    };
    await tell('one');
    const headers = new Map(
      mailbox.emails.map(({ to, source }) => [
        to[0],
        ['list-unsubscribe', 'list-unsubscribe-post', 'reply-to'].map((name) => header(source, name)),
      ]),
    );
    assert.deepEqual(headers.get('free@example.com'), [
      '<https://mail.example.com/end>',
      'List-Unsubscribe=One-Click',
      'shop@example.com',
    ]);
    assert.deepEqual(headers.get('bound@example.com'), [undefined, undefined, undefined]);
    mailbox.refuse = { recipient: () => 550 };
    await tell('two');
    assert.deepEqual(refused, [
      { tenant, address: addressDigest('free@example.com'), reason: 'smtp_550', stops: true },
    ]);
  });

  test('of a server that never answers is put back within its time', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    mailbox.delay = 60_000;
    const said: string[] = [];
    await using _worker = world.worker({ url: `${mailbox.url}?socketTimeout=300`, log: logTo(said) });
    await world.post(tenant, [emailTo('ann@example.com')]);
    await until(() => said.some((line) => line.includes('etimedout')));
    mailbox.delay = 0;
    await settled(tenant);
    assert.deepEqual(await states(tenant), ['sent']);
  });

  test('of a server that answers drop by drop is put back within its time too', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox(0, {
      onConnect: (_session, done) => void setTimeout(done, 60_000).unref(),
    });
    const said: string[] = [];
    await using _worker = world.worker({ url: mailbox.url, log: logTo(said), timings: { patience: 300 } });
    await world.post(tenant, [emailTo('ann@example.com')]);
    await until(() => said.some((line) => line.includes('eabort')));
    assert.deepEqual(await states(tenant), ['queued']);
  });

  test('meets a login or a sender that is refused: no email is given up for that', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox(0, {
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    await using strict = await openMailbox(0, {
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode: 550 })),
    });
    const said: string[] = [];
    await world.post(tenant, [emailTo('ann@example.com')]);
    {
      await using _one = world.worker({ url: mailbox.url.replace('//', '//user:hunter2@'), log: logTo(said) });
      await until(() => said.some((line) => line.includes('smtp_535')));
    }
    {
      await using _two = world.worker({ url: strict.url, log: logTo(said) });
      await until(() => said.some((line) => line.includes('smtp_550')));
    }
    assert.deepEqual(await states(tenant), ['queued']);
    assert.ok(!said.join('').includes('hunter2'));
  });

  test('at which the server hangs up each time comes ever more rarely, and the others go', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    mailbox.refuse = { message: (source) => (source.includes('poison') ? 421 : undefined) };
    await using _worker = world.worker({ url: mailbox.url, timings: { pause: { first: 40, longest: 60_000 } } });
    await world.post(tenant, [emailTo('ann@example.com', { text: 'poison' })]);
    await world.post(
      tenant,
      Array.from({ length: 40 }, (_, index) => emailTo(`p${index}@example.com`)),
    );
    const poison = async () =>
      (
        await world.admin.query<{ attempts: number; wait: number }>(sql`
          select attempts, extract(epoch from next_at - clock_timestamp())::float8 as wait from mail.letter
          where tenant_id = ${tenant} and state = 'queued'`)
      )[0];
    // While it is leased its next time is minutes away; then it is what was decided.
    await until(async () => {
      const { attempts = 0, wait = 0 } = (await poison()) ?? {};
      return mailbox.emails.length === 40 && attempts >= 5 && wait > 0.3 && wait < 100;
    });
  });

  test('is sent by one of several processes, and 400 by three of them once each', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    await using _one = world.worker({ url: mailbox.url });
    await using _two = world.worker({ url: mailbox.url });
    await using _three = world.worker({ url: mailbox.url });
    await world.post(
      tenant,
      Array.from({ length: 400 }, (_, index) => emailTo(`p${index}@example.com`)),
    );
    await settled(tenant);
    assert.equal(mailbox.emails.length, 400);
    assert.equal(new Set(mailbox.emails.flatMap(({ to }) => to)).size, 400);
  });

  test('of one tenant does not wait behind the thousands of another', async () => {
    const [flooded, quiet] = [newTenant(), newTenant()];
    await using mailbox = await openMailbox();
    mailbox.delay = 5;
    await world.post(
      flooded,
      Array.from({ length: 300 }, (_, index) => emailTo(`p${index}@example.com`)),
    );
    await world.post(quiet, [emailTo('quiet@example.com')]);
    {
      await using _worker = world.worker({ url: mailbox.url });
      await settled(quiet);
    }
    const place = mailbox.emails.findIndex(({ to }) => to.includes('quiet@example.com'));
    assert.ok(place >= 0 && place < 20, `it came ${place + 1}th`);
  });

  test('that waits for its hour takes the newest words of its key, and is sent once', async () => {
    const tenant = newTenant();
    await using mailbox = await openMailbox();
    await using _worker = world.worker({ url: mailbox.url });
    const notBefore = new Date(Date.now() + 3_600_000);
    for (const count of [1, 2, 3]) {
      await world.post(tenant, [emailTo('ann@example.com', { key: 'sum', text: `${count} more\n`, notBefore })]);
    }
    await sleep(100);
    assert.equal(mailbox.emails.length, 0);
    await world.makeDue(tenant);
    await settled(tenant);
    await world.post(tenant, [emailTo('ann@example.com', { key: 'sum', text: '4 more', notBefore })]);
    assert.deepEqual(await states(tenant), ['sent']);
    assert.match(mailbox.emails[0]?.source ?? '', /^3 more$/m);
  });

  test('is kept for some days while there is no mail server, then given up; what it says is erased, and its row removed', async () => {
    const { cleanUp } = await import('./cleanup.ts');
    const tenant = newTenant();
    await using _worker = world.worker({ url: undefined });
    await world.post(tenant, [emailTo('ann@example.com')]);
    const age = async (column: string, by: string): Promise<void> => {
      await world.admin.withClient(async (client) =>
        client.query(`update mail.letter set ${column} = ${column} - interval '${by}' where tenant_id = $1`, [tenant]),
      );
    };
    await cleanUp(world.pool);
    assert.deepEqual(await states(tenant), ['queued']);
    await age('queued_at', '73 hours');
    await cleanUp(world.pool);
    const [dead] = await world.rows(tenant);
    assert.deepEqual(
      [dead?.['state'], dead?.['reason'], dead?.['recipient']],
      ['dead', 'never_tried', 'ann@example.com'],
    );
    await age('settled_at', '8 days');
    await cleanUp(world.pool);
    const [erased] = await world.rows(tenant);
    assert.deepEqual([erased?.['state'], erased?.['recipient'], erased?.['text']], ['dead', null, null]);
    assert.equal(await retryMail(world.pool, { tenant }), 0, 'there is nothing left to send');
    await age('settled_at', '30 days');
    await cleanUp(world.pool);
    assert.deepEqual(await world.rows(tenant), []);
  });
});
