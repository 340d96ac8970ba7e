import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { openMailbox } from '../fixtures/mailbox.ts';
import { emailTo, logTo, newTenant, openWorld, until, type World } from '../fixtures/world.ts';

describe('the way to the mail server', () => {
  let world: World;
  before(async () => (world = await openWorld()));
  after(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    await world.admin.query(sql`delete from mail.letter`);
  });

  /** Emails that came, and what was logged of those that did not, until either is there. */
  const sentBy = async (url: string, came: readonly unknown[]): Promise<string> => {
    const said: string[] = [];
    await world.post(newTenant(), [emailTo('ann@example.com')]);
    await using _worker = world.worker({ url, log: logTo(said) });
    await until(() => said.length > 0 || came.length > 0);
    return said.join('');
  };
  // The certificate that smtp-server brings is nobody's.
  const offering = { disabledCommands: ['AUTH'] };

  test('is encrypted as soon as the server offers it, and then its certificate counts', async () => {
    const encrypted: boolean[] = [];
    await using mailbox = await openMailbox(0, {
      ...offering,
      onMailFrom: (_address, session, done) => {
        encrypted.push(session.secure);
        done();
      },
    });
    assert.match(await sentBy(mailbox.url, mailbox.emails), /'the mail server takes no letters'/);
    assert.deepEqual([mailbox.emails.length, encrypted], [0, []], 'not in the clear after all');
    assert.equal(await sentBy(`${mailbox.url}?tls.rejectUnauthorized=false`, mailbox.emails), '');
    assert.ok(encrypted.length > 0 && encrypted.every(Boolean));
  });

  test('is never open where the address demands TLS', async () => {
    await using open = await openMailbox();
    assert.match(
      await sentBy(`${open.url}?requireTLS=true&tls.rejectUnauthorized=false`, open.emails),
      /takes no letters/,
    );
    assert.equal(open.emails.length, 0);
    assert.match(await sentBy(open.url.replace('smtp:', 'smtps:'), open.emails), /takes no letters/);
    assert.equal(open.emails.length, 0);
    await using closed = await openMailbox(0, { ...offering, secure: true });
    const url = `${closed.url.replace('smtp:', 'smtps:')}?tls.rejectUnauthorized=false`;
    assert.equal(await sentBy(url, closed.emails), '');
    assert.ok(closed.emails.length > 0);
  });
});
