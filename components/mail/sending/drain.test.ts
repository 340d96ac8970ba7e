import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from '@steward/sql';
import { openMailbox } from '../fixtures/mailbox.ts';
import { newTenant, openWorld } from '../fixtures/world.ts';

describe('thousands of emails', () => {
  test('go out, each once, and are never in memory together', async () => {
    await using world = await openWorld();
    await using mailbox = await openMailbox();
    const recipients = new Set<string>();
    let came = 0;
    let most = 0;
    // What is in memory is what was leased and not settled; the mail server here keeps only the addresses.
    mailbox.emails.push = (...emails) => {
      for (const { to } of emails) recipients.add(to.join());
      return (came += emails.length);
    };
    const tenants = [newTenant(), newTenant(), newTenant()];
    // All of them are more than may be held.
    const text = 'A long word. '.repeat(400);
    for (const tenant of tenants) {
      await world.admin.query(sql`
        insert into mail.letter (tenant_id, letter_id, key, recipient, subject, text, queued_at, next_at)
        select ${tenant}, gen_random_uuid(), sha256(n::text::bytea), ${tenant} || n || '@example.com', 'Hello', ${text},
          clock_timestamp(), clock_timestamp()
        from generate_series(1, case when ${tenant} = ${tenants[0]} then 1001 else 1000 end) n`);
    }
    const left = async (): Promise<number> => {
      const [row] = await world.admin.query<{ queued: number; leased: number }>(sql`
        select count(*)::int as queued, count(*) filter (where next_at > clock_timestamp())::int as leased
        from mail.letter where state = 'queued'`);
      most = Math.max(most, row?.leased ?? 0);
      return row?.queued ?? 0;
    };
    assert.equal(await left(), 3_001);
    const before = held();
    {
      await using _worker = world.worker({ url: mailbox.url });
      while ((await left()) > 0) await sleep(100);
    }
    assert.equal(came, 3_001);
    assert.equal(recipients.size, 3_001);
    assert.ok(most <= 20, `${most} letters were leased at a time`);
    const grown = (held() - before) / 2 ** 20;
    // Each leaves a timer that is not due yet, and what was compiled meanwhile is held as well.
    assert.ok(grown < 20, `${Math.round(grown)} MiB are held`);
  });
});

/** Bytes of the heap without what could be collected. */
function held(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
