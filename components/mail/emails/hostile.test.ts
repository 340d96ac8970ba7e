import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { isAddress, lines, oneLine } from '../component.ts';
import { head, header, openMailbox, type Mailbox } from '../fixtures/mailbox.ts';
import { emailTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('an email with hostile words', () => {
  let world: World;
  let mailbox: Mailbox;
  let worker: AsyncDisposable;
  before(async () => {
    world = await openWorld();
    mailbox = await openMailbox();
    worker = world.worker({ url: mailbox.url });
  });
  after(async () => {
    await worker[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  const arrived = async (more: Parameters<typeof emailTo>[1], to = 'ann@example.com') => {
    const tenant = newTenant();
    mailbox.emails.length = 0;
    await world.post(tenant, [emailTo(to, more)]);
    await until(async () => (await world.rows(tenant)).every(({ state }) => state !== 'queued'));
    return { tenant, email: mailbox.emails[0] };
  };

  test('has no header but its own, whatever its subject tries', async () => {
    for (const injection of [
      'Hi\r\nBcc: victim@example.net',
      'Hi\nBcc: victim@example.net',
      'Hi\rBcc: victim@example.net',
      'Hi\u2028Bcc: victim@example.net',
      'Hi\u0085Bcc: victim@example.net',
      'Hi\v\fBcc: victim@example.net',
      'Hi\0\u001b[31m\r\n\r\n<script>alert(1)</script>',
      '=?utf-8?Q?Hi=0D=0ABcc=3A_victim=40example=2Enet?=',
    ]) {
      const { email } = await arrived({ subject: injection });
      assert.ok(email !== undefined);
      assert.deepEqual(email.to, ['ann@example.com']);
      const names = head(email.source)
        .replace(/\r\n[ \t]+/g, ' ')
        .split('\r\n')
        .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
      assert.deepEqual(
        names.filter((name) => !expected.has(name)),
        [],
        JSON.stringify(injection),
      );
      assert.ok(!/^bcc:/im.test(head(email.source)));
    }
  });
  const expected = new Set([
    'from',
    'to',
    'subject',
    'message-id',
    'date',
    'mime-version',
    'content-type',
    'content-transfer-encoding',
    'auto-submitted',
    'x-auto-response-suppress',
  ]);

  test('goes to exactly one mailbox, or to none', async () => {
    for (const bad of [
      'ann@example.com, victim@example.net',
      'ann@example.com;victim@example.net',
      'Ann <victim@example.net>',
      '<victim@example.net>',
      'ann@example.com\r\nRCPT TO:<victim@example.net>',
      'ann@example.com victim@example.net',
      'group:victim@example.net;',
      '"ann@example.com"@example.net',
      'ann@@example.net',
      '@example.net',
      'ann@',
      'ann@.',
      'ann@-example.net',
      'ann(comment)@example.net',
      `${'a'.repeat(65)}@example.net`,
      `ann@${'a'.repeat(260)}`,
      'ann@\u202Eten.elpmaxe',
      '',
    ]) {
      assert.equal(isAddress(bad), false, bad);
      const { tenant, email } = await arrived({}, bad);
      assert.equal(email, undefined, bad);
      const [row] = await world.rows(tenant);
      assert.deepEqual([row?.['state'], row?.['reason'], row?.['recipient']], ['dead', 'bad_address', null]);
    }
    for (const good of ['ann@example.com', "o'brien+forms@sub.example.co.uk", 'jörg@bücher.example', 'a@localhost']) {
      assert.equal(isAddress(good), true, good);
    }
  });

  test('shows any script and emoji as they are, in the subject too', async () => {
    const words = 'Grüße, 日本語, עברית, العربية, 👩‍👩‍👧‍👦 😀';
    const { email } = await arrived({ subject: words, text: `${words}\n` });
    assert.ok(email !== undefined);
    assert.equal(decoded(header(email.source, 'subject') ?? ''), words);
    assert.equal(bodyOf(email.source).trim(), words);
  });

  test('loses what turns the reading direction around, and never half a character', async () => {
    const { email } = await arrived({
      subject: 'pay\u202Egpj.exe\u2066x\u2069',
      text: 'one\r\ntwo\rthree\u2028four\u202E\u0007!',
    });
    assert.equal(header(email?.source ?? '', 'subject'), 'paygpj.exex');
    assert.equal(lines('one\r\ntwo\rthree\u2028four\u202E\u0007!', 100), 'one\ntwo\nthree\nfour !');
    assert.equal(oneLine('ab😀', 4), 'ab😀');
    assert.equal(oneLine('ab😀d', 4), 'ab…');
    assert.equal(oneLine('\uD800x', 10), '\uFFFDx');
  });

  test('is cut where it is too long, and keeps to a line of its own what begins with a dot', async () => {
    const { email } = await arrived({
      subject: 'x'.repeat(10_000),
      text: `.\r\n..\n.quit\n${'y'.repeat(300_000)}`,
      html: 'z'.repeat(300_000),
    });
    assert.ok(email !== undefined);
    assert.ok((header(email.source, 'subject') ?? '').length < 600);
    assert.ok(email.source.length < 120_000, 'the part that is too long is not sent');
    assert.match(email.source, /^\.\r\n\.\.\r\n\.quit\r\n/m);
    for (const line of email.source.split('\r\n')) assert.ok(line.length <= 998, 'RFC 5322 §2.1.1');
  });

  test('of another tenant cannot be read or changed', async () => {
    const { tenant } = await arrived({});
    const [answer] = await world.pool.queryAll([
      sql`select set_config('app.tenant_id', ${newTenant()}, true)`,
      sql`select from mail.letter where tenant_id = ${tenant}`,
    ]);
    assert.equal(answer?.length, 1);
    const [, rows] = await world.pool.queryAll([
      sql`select set_config('app.tenant_id', ${newTenant()}, true)`,
      sql`select letter_id from mail.letter`,
    ]);
    assert.deepEqual(rows, []);
    await assert.rejects(world.pool.query(sql`update mail.letter set recipient = 'victim@example.net'`), {
      code: '42501',
    });
    await assert.rejects(world.pool.query(sql`delete from mail.letter`), { code: '42501' });
  });
});

/** Encoded words of RFC 2047, as nodemailer writes them. */
const decoded = (value: string): string =>
  value.replace(/\?=\s+=\?/g, '?==?').replace(/((?:=\?utf-8\?[BQ]\?[^?]*\?=)+)/gi, (run) =>
    Buffer.concat(
      [...run.matchAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi)].map(([, kind, text = '']) =>
        kind?.toUpperCase() === 'B'
          ? Buffer.from(text, 'base64')
          : Buffer.from(
              text
                .replaceAll('_', ' ')
                .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
              'latin1',
            ),
      ),
    ).toString(),
  );

const bodyOf = (source: string): string => {
  const body = source.slice(source.indexOf('\r\n\r\n') + 4);
  return /base64/i.test(header(source, 'content-transfer-encoding') ?? '')
    ? Buffer.from(body, 'base64').toString()
    : Buffer.from(
        body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        'latin1',
      ).toString();
};
