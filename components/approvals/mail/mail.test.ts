import assert from 'node:assert/strict';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import { createLog, type Log } from '@steward/kernel';
import { sql } from '@steward/sql';
import { SMTPServer } from 'smtp-server';
import { approvalsApi, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

interface Email {
  readonly to: string[];
  readonly source: string;
}

interface Mail extends AsyncDisposable {
  readonly emails: Email[];
  /** Recipients that it does not know. */
  readonly unknown: Set<string>;
  refusing: boolean;
  /** Awaited before an email is answered. */
  held: Promise<void> | undefined;
  /** Emails that came, answered or not. */
  readonly arrived: number;
}

/** A mail server on a real port that keeps what it gets, unless it refuses. */
async function startMail(port: number): Promise<Mail> {
  const emails: Email[] = [];
  const unknown = new Set<string>();
  const state = { refusing: false, arrived: 0, held: undefined as Promise<void> | undefined };
  const server = new SMTPServer({
    authOptional: true,
    // The library's pool keeps its connections for twenty seconds: a server that ends does not wait for them.
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      let source = '';
      stream.on('data', (chunk) => (source += String(chunk)));
      const answer = (): void => {
        if (state.refusing) return done(new Error('no'));
        emails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        return done();
      };
      stream.on('end', () => {
        state.arrived += 1;
        if (state.held === undefined) answer();
        else void state.held.then(answer);
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    emails,
    unknown,
    get refusing() {
      return state.refusing;
    },
    set refusing(value) {
      state.refusing = value;
    },
    get arrived() {
      return state.arrived;
    },
    get held() {
      return state.held;
    },
    set held(value) {
      state.held = value;
    },
    [Symbol.asyncDispose]: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

const freePort = async (): Promise<number> => {
  const server = createTcp();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
};

describe('mail to approvers', () => {
  let suite: Suite;
  let port: number;
  before(async () => {
    port = await freePort();
    suite = await openSuite({ smtp: `smtp://127.0.0.1:${port}` });
  });
  after(async () => suite[Symbol.asyncDispose]());

  test('waits for a mail server that is dead, and changes nothing meanwhile; then goes to each who may approve', async () => {
    const tenant = await suite.server.tenant(members);
    const at = approvalsApi(suite.server, tenant);
    const lines: string[] = [];
    await using _worker = await suite.worker({ smtp: `smtp://127.0.0.1:${port}`, log: logTo(lines) });
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    const tried = async (): Promise<unknown[]> =>
      suite.look.admin.query(sql`
        select from mail.letter where tenant_id = ${tenant} and about = ${id} and attempts > 0`);
    await until(async () => (await tried()).length > 0);
    // It counts as tried from when it is taken up, before anybody was reached.
    await until(async () => lines.join('').includes('the mail server takes no letters'));
    const [kept] = await suite.look.admin.query(sql`
      select count(recipient)::int + count(subject)::int + count(text)::int as said from mail.letter where tenant_id = ${tenant}`);
    assert.equal(kept?.['said'], 0, 'neither whom it goes to nor what it says is kept');
    assert.equal(await at.state(id), 'pending');
    await using mail = await startMail(port);
    await suite.look.admin.query(sql`update mail.letter set next_at = clock_timestamp() where state = 'queued'`);
    await until(async () => mail.emails.length === 3);
    assert.deepEqual(mail.emails.flatMap(({ to }) => to).toSorted(), [
      'alice@example.com',
      'bob@example.com',
      'carol@example.com',
    ]);
    const source = mail.emails[0]?.source ?? '';
    assert.match(source, /Subject: Approval needed: Pay/);
    assert.ok(source.replaceAll('=\r\n', '').includes(`/portal/approvals/${id}`));
    for (const said of ['An agent asks', 'organization: Fjord Bikes', 'person: alice', 'Amount: 10.00 EUR'])
      assert.ok(source.includes(said), said);
    assert.ok(!source.includes('acme'), 'nothing that the agent wrote');
    const [expiry] = await suite.look.admin.query(sql`
      select to_char(expires_at at time zone 'UTC', 'FMDay, FMDD FMMonth YYYY "at" HH24:MI "UTC"') as said
      from approvals.action where action_id = ${id}`);
    assert.ok(source.replaceAll('=\r\n', '').includes(`It expires on ${String(expiry?.['said'])}.`));
    assert.equal(text((await at.approve(id)).body['state']), 'executed');
    const logged = lines.join('');
    assert.match(logged, /the mail server takes no letters/);
    assert.ok(!/@example\.com|acme/.test(logged), 'no personal data in the log');
  });

  test('about what was decided in the meantime is not sent, and a refusal is tried again later', async () => {
    const tenant = await suite.server.tenant({ alice: 'owner' });
    const at = approvalsApi(suite.server, tenant);
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    await at.approve(id);
    const kept = await at.ask('service_move_funds', { payee: 'acme', amount: '11.00' });
    await using mail = await startMail(port);
    mail.refusing = true;
    await using _worker = await suite.worker({ smtp: `smtp://127.0.0.1:${port}` });
    const states = async (action: string): Promise<unknown[]> =>
      (
        await suite.look.admin.query(
          sql`select state, reason from mail.letter where tenant_id = ${tenant} and about = ${action}`,
        )
      ).map(({ state, reason }) => [state, reason]);
    await until(async () => (await states(id)).length === 0);
    await until(async () => isDeepStrictEqual(await states(kept), [['queued', 'smtp_450']]));
    assert.equal(mail.emails.length, 0);
    mail.refusing = false;
    await suite.look.admin.query(sql`update mail.letter set next_at = clock_timestamp() where tenant_id = ${tenant}`);
    await until(async () => isDeepStrictEqual(await states(kept), [['sent', null]]));
    assert.equal(mail.emails.length, 1);
    // Whom the mail server does not know is written to once.
    mail.unknown.add('alice@example.com');
    const unheard = await at.ask('service_move_funds', { payee: 'acme', amount: '12.00' });
    await until(async () => isDeepStrictEqual(await states(unheard), [['dead', 'smtp_550']]));
  });

  test('that was on its way while what it tells of was withdrawn is followed by that news, and one that never arrived by none', async () => {
    const tenant = await suite.server.tenant({ alice: 'owner' });
    const at = approvalsApi(suite.server, tenant);
    await using mail = await startMail(port);
    await using worker = await suite.worker({ smtp: `smtp://127.0.0.1:${port}` });
    const released = Promise.withResolvers<void>();
    mail.held = released.promise;
    await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    await until(async () => mail.arrived > 0);
    await worker.withdrawAll(tenant);
    released.resolve();
    await until(async () => mail.emails.length === 2);
    assert.match(mail.emails[1]?.source ?? '', /Subject: No longer waits/);

    mail.refusing = true;
    const refused = await at.ask('service_move_funds', { payee: 'acme', amount: '11.00' });
    const rows = async (): Promise<unknown[]> =>
      suite.look.admin.query(sql`select reason from mail.letter where tenant_id = ${tenant} and about = ${refused}`);
    await until(async () => isDeepStrictEqual(await rows(), [{ reason: 'smtp_450' }]));
    await worker.withdrawAll(tenant);
    mail.refusing = false;
    await suite.look.admin.query(sql`update mail.letter set next_at = clock_timestamp() where tenant_id = ${tenant}`);
    await until(async () => (await rows()).length === 0);
    assert.equal(mail.emails.length, 2);
  });
});

/** A log whose warnings and errors are kept. */
function logTo(lines: string[]): Log {
  const keep = (...said: unknown[]): void => {
    lines.push(inspect(said, { depth: 6 }));
  };
  return Object.create(createLog('silent'), { warn: { value: keep }, error: { value: keep } }) as Log;
}

async function until(met: () => Promise<boolean>): Promise<void> {
  for (let round = 0; !(await met()); round += 1) {
    assert.ok(round < 1_200, 'it never came');
    await sleep(25);
  }
}
