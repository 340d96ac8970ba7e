import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SqlPool } from '@steward/sql';
import { pastChain, sample } from '@steward/audit/testing';
import { createSealingWorld, sealed, type SealingWorld, type SealingProcess } from '@steward/archive/testing';
import { recompute, remember } from '../fixtures/recompute.ts';
import { logOptions, told } from '../fixtures/verdict.ts';
import { verifyLog, type LogVerdict } from '../log/verify-log.ts';

const d = (day: number): string => `2026-03-0${day}`;
const days = { [d(1)]: 3, [d(2)]: 4, [d(4)]: 3 };

type Change = (admin: SqlPool, tenant: string, sound: string) => Promise<unknown>;

/** What a superuser may do once the triggers are off. `$1` is the tenant, `$2` a sound one. */
const statements =
  (...texts: readonly string[]): Change =>
  async (admin, tenant, sound) =>
    admin.withClient(async (client) => {
      for (const text of texts) await client.query(text, text.includes('$2') ? [tenant, sound] : [tenant]);
    });

/** Days 1, 2 and 4 hold rows 1 to 3, 4 to 7 and 8 to 10, sealed through day 5; rows 11 and 12 are not sealed. */
const attacks: readonly (readonly [what: string, change: Change, found: readonly string[]])[] = [
  [
    'one byte of the text',
    statements(`update audit.event set event = replace(event, '"5"', '"6"') where tenant_id = $1 and sequence = 5`),
    ['text 5-5', `${d(2)} rows 5-7`],
  ],
  [
    'a search column only',
    statements(`update audit.event set type = 'commerce.order.lost' where tenant_id = $1 and sequence = 5`),
    ['copy 5-5'],
  ],
  [
    'receivedAt only',
    statements(
      `update audit.event set received_at = received_at + interval '1 ms' where tenant_id = $1 and sequence = 5`,
    ),
    ['chain 5-5', `${d(2)} rows 5-7`],
  ],
  [
    'a middle row deleted',
    statements(`delete from audit.event where tenant_id = $1 and sequence = 5`),
    ['gap 5-5', `${d(2)} rows 5-7`],
  ],
  [
    'the tail cut together with head and keys',
    statements(
      `delete from audit.event where tenant_id = $1 and sequence > 8`,
      `delete from audit.idempotency where tenant_id = $1 and sequence > 8`,
      `update audit.head h set sequence = 8, row_hash = e.row_hash, received_at = e.received_at from audit.event e
       where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 8`,
    ),
    [`${d(4)} tail 9-10`],
  ],
  [
    'the tail cut with all that the database remembers of it',
    statements(
      `delete from audit.event where tenant_id = $1 and sequence > 5`,
      `delete from audit.sealed_day where tenant_id = $1 and day > '${d(1)}'`,
      `update audit.head h set sequence = 5, row_hash = e.row_hash, received_at = e.received_at, sealed_through = '${d(1)}'
       from audit.event e where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 5`,
    ),
    [`${d(2)}..${d(4)} tail 6-10`],
  ],
  [
    'the tenant deleted whole',
    statements(
      ...['event', 'idempotency', 'head', 'sealed_day'].map(
        (table) => `delete from audit.${table} where tenant_id = $1`,
      ),
    ),
    [`${d(5)} no_chain 1-10`],
  ],
  [
    'two rows swapped',
    statements(
      `update audit.event set sequence = 100 where tenant_id = $1 and sequence = 5`,
      `update audit.event set sequence = 5 where tenant_id = $1 and sequence = 6`,
      `update audit.event set sequence = 6 where tenant_id = $1 and sequence = 100`,
    ),
    ['chain 5-7', `${d(2)} rows 5-7`],
  ],
  [
    'a row of another tenant copied in',
    statements(
      `delete from audit.event where tenant_id = $1 and sequence = 5`,
      `insert into audit.event select $1, 5, received_at, event_hash, row_hash, id, type, grammar, occurred_at, causal_id, correlation_id, principals, event from audit.event where tenant_id = $2 and sequence = 5`,
    ),
    ['tenant 5-5', 'chain 5-6', `${d(2)} rows 5-7`],
  ],
  [
    'a row deleted and the rest renumbered',
    statements(
      `delete from audit.event where tenant_id = $1 and sequence = 5`,
      `update audit.event set sequence = sequence - 1 where tenant_id = $1 and sequence > 5`,
      `update audit.head set sequence = 11 where tenant_id = $1`,
    ),
    ['chain 5-11', `${d(2)}..${d(4)} rows 5-10`],
  ],
  ['the whole chain recomputed to its head', recompute, [`${d(2)}..${d(4)} rows 5-10`]],
  [
    'the whole chain recomputed, and what the database remembers of its days',
    async (admin, tenant) => {
      await recompute(admin, tenant);
      await remember(admin, tenant, [1, 2, 3, 4, 5].map(d));
    },
    [`${d(2)}..${d(5)} record 4-10`, `${d(2)}..${d(4)} rows 5-10`],
  ],
  [
    'what the database remembers of a day',
    statements(`update audit.sealed_day set root = sha256('x') where tenant_id = $1 and day = '${d(2)}'`),
    [`${d(2)} record 4-7`],
  ],
];

describe('a sealed log, whose source is tampered with by a superuser,', () => {
  let site: SealingWorld;
  let one: SealingProcess;
  let sound: string;
  let verdict: LogVerdict;
  const tenants = new Map<string, string>();
  before(async () => {
    site = await createSealingWorld();
    one = site.process();
    await one.start();
    const { admin } = site.world;
    sound = await pastChain(admin, { days });
    for (const [what] of attacks) tenants.set(what, await pastChain(admin, { days }));
    await sealed(one.archive, d(5));
    for (const tenant of tenants.values())
      for (let n = 11; n <= 12; n += 1) await one.audit.ingest(one.as(tenant, 'alice'), sample(), 'snake');
    await withoutTriggers(admin, async () => {
      for (const [what, change] of attacks) await change(admin, tenants.get(what) ?? '', sound);
    });
    verdict = await verifyLog(logOptions(site));
  });
  after(async () => site[Symbol.asyncDispose]());

  for (const [what, , found] of attacks)
    test(`shows ${what}`, () => assert.deepEqual(told(verdict.findings, tenants.get(what)), found));

  test('raises no alarm about others', () => {
    assert.deepEqual(told(verdict.findings, sound), []);
    assert.deepEqual(told(verdict.findings, 'platform'), []);
    assert.equal(new Set(verdict.findings.map(({ tenant }) => tenant)).size, attacks.length);
    assert.ok(verdict.findings.every(({ where, detail }) => where === 'source' && detail !== ''));
  });

  test('is broken in integrity and in completeness, by keys that the database names', () => {
    const { ok, integrity, completeness, freshness, trust } = verdict;
    assert.deepEqual(
      { ok, integrity, completeness, freshness, by: trust.by },
      { ok: false, integrity: 'broken', completeness: 'broken', freshness: 'ok', by: 'database' },
    );
  });

  test('shows the same one tenant at a time, and on threads', async () => {
    const shared = await verifyLog({ ...logOptions(site), workers: 2 });
    assert.deepEqual(shared.findings, verdict.findings);
    for (const tenant of [tenants.get('the tenant deleted whole'), tenants.get('two rows swapped'), sound]) {
      const { findings } = await verifyLog({ ...logOptions(site), ...(tenant === undefined ? {} : { tenant }) });
      assert.deepEqual(told(findings, tenant), told(verdict.findings, tenant));
    }
  });
});

async function withoutTriggers(admin: SqlPool, use: () => Promise<void>): Promise<void> {
  const tables = ['event', 'head', 'idempotency', 'sealed_day'];
  await admin.withClient(async (client) => {
    for (const table of tables) await client.query(`alter table audit.${table} disable trigger all`);
  });
  await use();
}
