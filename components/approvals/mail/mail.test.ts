import assert from 'node:assert/strict';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createLog, type Log } from '@steward/kernel';
import { smtpNotify } from '@steward/mail';
import { sql } from '@steward/sql';
import { SMTPServer } from 'smtp-server';
import { desk, members, openSuite, text, type Suite } from '../fixtures/suite.ts';

interface Letter {
  readonly to: string[];
  readonly source: string;
}

interface Mail extends AsyncDisposable {
  readonly letters: Letter[];
  /** Recipients that it does not know. */
  readonly unknown: Set<string>;
  refusing: boolean;
}

/** A mail server on a real port that keeps what it gets, unless it refuses. */
async function startMail(port: number): Promise<Mail> {
  const letters: Letter[] = [];
  const unknown = new Set<string>();
  const state = { refusing: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(unknown.has(address) ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      let source = '';
      stream.on('data', (chunk) => (source += String(chunk)));
      stream.on('end', () => {
        if (state.refusing) return done(new Error('no'));
        letters.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    letters,
    unknown,
    get refusing() {
      return state.refusing;
    },
    set refusing(value) {
      state.refusing = value;
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
    suite = await openSuite({ notify: smtpNotify(`smtp://127.0.0.1:${port}`, 'Steward <steward@localhost>') });
  });
  after(async () => suite[Symbol.asyncDispose]());

  test('waits for a mail server that is dead, and changes nothing meanwhile; then goes to each who may approve', async () => {
    const tenant = await suite.house.tenant(members);
    const at = desk(suite.house, tenant);
    const lines: string[] = [];
    await using _worker = await suite.worker({
      notify: smtpNotify(`smtp://127.0.0.1:${port}`, 'Steward <steward@localhost>'),
      log: logTo(lines),
    });
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    // Each has been tried, and its lease given up for a shorter wait.
    const tried = async (): Promise<unknown[]> =>
      suite.look.admin.query(sql`
        select from approvals.notice where tenant_id = ${tenant} and attempts > 0 and next_at < clock_timestamp() + interval '1 minute'`);
    await until(async () => (await tried()).length === 3);
    assert.equal(await at.state(id), 'pending');
    await using mail = await startMail(port);
    await suite.look.admin.query(sql`update approvals.notice set next_at = clock_timestamp()`);
    await until(async () => mail.letters.length === 3);
    assert.deepEqual(mail.letters.flatMap(({ to }) => to).toSorted(), [
      'alice@example.com',
      'bob@example.com',
      'carol@example.com',
    ]);
    const source = mail.letters[0]?.source ?? '';
    assert.match(source, /Subject: Approval needed: Pay/);
    assert.ok(source.replaceAll('=\r\n', '').includes(`/portal/approvals/${id}`));
    assert.ok(!source.includes('acme'), 'nothing that the agent wrote');
    assert.equal(text((await at.approve(id)).body['state']), 'executed');
    const logged = lines.join('');
    assert.match(logged, /a notification was not sent/);
    assert.ok(!/@example\.com|acme/.test(logged), 'no personal data in the log');
  });

  test('about what was decided in the meantime is not sent, and a refusal is tried again later', async () => {
    const tenant = await suite.house.tenant({ alice: 'owner' });
    const at = desk(suite.house, tenant);
    const id = await at.ask('service_move_funds', { payee: 'acme', amount: '10.00' });
    await at.approve(id);
    const kept = await at.ask('service_move_funds', { payee: 'acme', amount: '11.00' });
    await using mail = await startMail(port);
    mail.refusing = true;
    await using _worker = await suite.worker({ notify: smtpNotify(`smtp://127.0.0.1:${port}`, 'steward@localhost') });
    const rows = async (action: string) =>
      suite.look.admin.query<{ attempts: number; sent: boolean; gone: boolean; later: boolean }>(sql`
        select attempts, sent_at is not null as sent, given_up_at is not null as gone,
          next_at > clock_timestamp() + interval '2 seconds' as later
        from approvals.notice where tenant_id = ${tenant} and action_id = ${action}`);
    await until(async () => (await rows(id))[0]?.gone === true);
    await until(async () => (await rows(kept))[0]?.later === true);
    assert.deepEqual(
      [(await rows(kept))[0]?.attempts, (await rows(kept))[0]?.sent, mail.letters.length],
      [1, false, 0],
    );
    mail.refusing = false;
    await suite.look.admin.query(
      sql`update approvals.notice set next_at = clock_timestamp() where tenant_id = ${tenant}`,
    );
    await until(async () => (await rows(kept))[0]?.sent === true);
    assert.equal(mail.letters.length, 1);
    // Whom the mail server does not know is not written to for hours.
    mail.unknown.add('alice@example.com');
    const unheard = await at.ask('service_move_funds', { payee: 'acme', amount: '12.00' });
    await until(async () => (await rows(unheard))[0]?.gone === true);
    assert.equal((await rows(unheard))[0]?.attempts, 1);
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
