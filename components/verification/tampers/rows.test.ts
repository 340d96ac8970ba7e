import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, sample, type World, type Process } from '@steward/audit/testing';
import type { Finding } from '../log/finding.ts';
import { verifyChains } from '../log/verify-source.ts';

/** What a superuser may do once the triggers are off; `$1` is the tenant, its chain has rows 1 to 8. */
const attacks: readonly [
  what: string,
  statements: readonly string[],
  found: readonly [FindingKind: string, from: number, through: number][],
][] = [
  [
    'one byte of the text',
    [`update audit.event set event = replace(event, 'o-5', 'o-6') where tenant_id = $1 and sequence = 5`],
    [['text', 5, 5]],
  ],
  [
    'the text and its hash',
    [
      `update audit.event set event = replace(event, 'o-5', 'o-6') where tenant_id = $1 and sequence = 5`,
      `update audit.event set event_hash = sha256(convert_to(e'audit-event/v1\\n' || event, 'UTF8')) where tenant_id = $1 and sequence = 5`,
    ],
    [['chain', 5, 5]],
  ],
  [
    'the text to no JSON',
    [`update audit.event set event = 'x' where tenant_id = $1 and sequence = 5`],
    [
      ['canonical', 5, 5],
      ['text', 5, 5],
    ],
  ],
  [
    'a search column only',
    [`update audit.event set type = 'commerce.order.lost' where tenant_id = $1 and sequence = 4`],
    [['copy', 4, 4]],
  ],
  [
    'a principal in the search column',
    [`update audit.event set principals = '{user:eve}' where tenant_id = $1 and sequence = 4`],
    [['copy', 4, 4]],
  ],
  [
    'occurred_at in the search column',
    [
      `update audit.event set occurred_at = occurred_at + interval '1 microsecond' where tenant_id = $1 and sequence = 4`,
    ],
    [['copy', 4, 4]],
  ],
  [
    'event_hash only',
    [`update audit.event set event_hash = sha256('x') where tenant_id = $1 and sequence = 4`],
    [['copy', 4, 4]],
  ],
  [
    'receivedAt only',
    [`update audit.event set received_at = received_at + interval '1 hour' where tenant_id = $1 and sequence = 6`],
    [['chain', 6, 6]],
  ],
  [
    'receivedAt below a millisecond',
    [
      `update audit.event set received_at = received_at + interval '1 microsecond' where tenant_id = $1 and sequence = 3`,
    ],
    [['copy', 3, 3]],
  ],
  [
    'a row hash',
    [`update audit.event set row_hash = sha256('x') where tenant_id = $1 and sequence = 5`],
    [['chain', 5, 5]],
  ],
  ['a middle row deleted', [`delete from audit.event where tenant_id = $1 and sequence = 5`], [['gap', 5, 5]]],
  ['the first rows deleted', [`delete from audit.event where tenant_id = $1 and sequence < 4`], [['gap', 1, 3]]],
  ['the tail cut', [`delete from audit.event where tenant_id = $1 and sequence > 6`], [['tail', 7, 8]]],
  ['all rows deleted', [`delete from audit.event where tenant_id = $1`], [['tail', 1, 8]]],
  [
    'tail and head cut, the keys left',
    [
      `delete from audit.event where tenant_id = $1 and sequence > 6`,
      `update audit.head h set sequence = 6, row_hash = e.row_hash, received_at = e.received_at from audit.event e where h.tenant_id = $1 and e.tenant_id = $1 and e.sequence = 6`,
    ],
    [['tail', 8, 8]],
  ],
  ['the head moved back', [`update audit.head set sequence = 7 where tenant_id = $1`], [['head', 8, 8]]],
  ['the head moved on', [`update audit.head set sequence = 9 where tenant_id = $1`], [['tail', 9, 9]]],
  ['the hash in the head', [`update audit.head set row_hash = sha256('x') where tenant_id = $1`], [['head', 8, 8]]],
  [
    'the time in the head',
    [`update audit.head set received_at = received_at + interval '1 s' where tenant_id = $1`],
    [['head', 8, 8]],
  ],
  ['the head deleted', [`delete from audit.head where tenant_id = $1`], [['head', 8, 8]]],
  [
    'two rows swapped',
    [
      `update audit.event set sequence = 100 where tenant_id = $1 and sequence = 4`,
      `update audit.event set sequence = 4 where tenant_id = $1 and sequence = 6`,
      `update audit.event set sequence = 6 where tenant_id = $1 and sequence = 100`,
    ],
    [
      ['chain', 4, 7],
      ['idempotency', 4, 4],
      ['idempotency', 6, 6],
    ],
  ],
  [
    'a row deleted and the rest renumbered',
    [
      `delete from audit.event where tenant_id = $1 and sequence = 5`,
      `update audit.event set sequence = sequence - 1 where tenant_id = $1 and sequence > 5`,
      `update audit.head set sequence = 7 where tenant_id = $1`,
    ],
    [
      ['chain', 5, 7],
      ['idempotency', 5, 7],
      ['tail', 8, 8],
    ],
  ],
  [
    'a row of another tenant copied in',
    [
      `delete from audit.event where tenant_id = $1 and sequence = 5`,
      `insert into audit.event select $1, 5, received_at, event_hash, row_hash, id, type, grammar, occurred_at, causal_id, correlation_id, principals, event from audit.event where tenant_id = $2 and sequence = 2`,
    ],
    [
      ['tenant', 5, 5],
      ['chain', 5, 6],
      ['idempotency', 5, 5],
    ],
  ],
  ['a key deleted', [`delete from audit.idempotency where tenant_id = $1 and sequence = 6`], [['idempotency', 6, 6]]],
  [
    'a key pointed elsewhere',
    [`update audit.idempotency set sequence = 5 where tenant_id = $1 and sequence = 6`],
    [['idempotency', 5, 6]],
  ],
  [
    'a key for an event that has none',
    [`insert into audit.idempotency values ($1, 'planted-key', 5)`],
    [['idempotency', 5, 5]],
  ],
];

describe('verification', () => {
  let world: World;
  let one: Process;
  let sound: string;
  before(async () => {
    world = await createWorld();
    one = world.process();
    sound = await chain();
  });
  after(async () => world[Symbol.asyncDispose]());

  async function chain(): Promise<string> {
    const tenant = await one.tenant();
    for (let n = 2; n <= 8; n += 1) {
      const key = n % 2 === 0 ? { idempotency_key: `key-of-event-${n}` } : {};
      await one.audit.ingest(
        one.as(tenant, 'alice'),
        sample({ payload: { order_id: `o-${n}` }, correlation_id: `w-${n}`, ...key }),
        'snake',
      );
    }
    return tenant;
  }

  async function tamper(statements: readonly string[], tenant: string): Promise<void> {
    await world.admin.withClient(async (client) => {
      for (const table of ['event', 'head', 'idempotency'])
        await client.query(`alter table audit.${table} disable trigger all`);
      for (const text of statements) await client.query(text, text.includes('$2') ? [tenant, sound] : [tenant]);
      for (const table of ['event', 'head', 'idempotency'])
        await client.query(`alter table audit.${table} enable always trigger append_only`);
      await client.query('alter table audit.head enable always trigger moves_with_chain');
    });
  }

  const verify = async (tenant?: string): Promise<readonly Finding[]> =>
    (await verifyChains({ ownerUrl: world.database.ownerUrl, ...(tenant === undefined ? {} : { tenant }) })).findings;

  test('finds nothing in an untouched log, and counts what it read', async () => {
    const progress: { tenants: number; events: number }[] = [];
    const verdict = await verifyChains({
      ownerUrl: world.database.ownerUrl,
      tenant: sound,
      onProgress: (at) => progress.push(at),
    });
    assert.deepEqual(verdict, { ok: true, tenants: 1, events: 8, findings: [], truncated: false });
    assert.deepEqual(progress.at(-1), { tenants: 1, events: 8 });
  });

  for (const [what, statements, found] of attacks) {
    test(`names ${what}`, async () => {
      const tenant = await chain();
      await tamper(statements, tenant);
      const findings = await verify(tenant);
      assert.deepEqual(
        findings.map(({ kind, sequence, through }) => [kind, sequence, through]),
        found,
        JSON.stringify(findings, null, 1),
      );
      assert.ok(findings.every((finding) => finding.tenant === tenant && finding.detail !== ''));
    });
  }

  test('raises no alarm about the tenants beside', async () => {
    const findings = await verify();
    assert.ok(findings.length > 20);
    assert.ok(findings.every(({ tenant }) => tenant !== sound));
  });

  test('misses a tenant deleted whole only where nobody says which there must be', async () => {
    const tenant = await chain();
    await tamper(
      [
        'delete from audit.event where tenant_id = $1',
        'delete from audit.head where tenant_id = $1',
        'delete from audit.idempotency where tenant_id = $1',
      ],
      tenant,
    );
    assert.deepEqual(await verify(tenant), []);
    const { ok, findings } = await verifyChains({ ownerUrl: world.database.ownerUrl, tenant, expected: [tenant] });
    assert.equal(ok, false);
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      ['no_chain'],
    );
  });

  test('can be called off', async () => {
    await assert.rejects(verifyChains({ ownerUrl: world.database.ownerUrl, signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });
});
