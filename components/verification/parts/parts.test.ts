import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabaseProxy } from '@steward/testing';
import { createWorld, sample, type World } from '@steward/audit/testing';
import { readParts } from './threads.ts';
import { Findings } from '../log/finding.ts';
import type { Part } from './part.ts';
import { planParts } from './plan.ts';
import { openReader } from './reader.ts';
import { verifyChains } from '../log/verify-source.ts';

/** Wrong at every place where a cut can fall; `$1` is the tenant, its chain has rows 1 to 8. */
const wrongs = [
  `select $1::uuid`,
  `update audit.event set event = replace(event, 'o-5', 'o-6') where tenant_id = $1 and sequence = 5`,
  `update audit.event set row_hash = sha256('x') where tenant_id = $1 and sequence = 4`,
  `update audit.event set received_at = received_at - interval '1 hour' where tenant_id = $1 and sequence = 4`,
  `update audit.event set type = 'commerce.order.lost' where tenant_id = $1 and sequence > 2`,
  `delete from audit.event where tenant_id = $1 and sequence between 3 and 6`,
  `delete from audit.event where tenant_id = $1 and sequence > 3`,
  `delete from audit.event where tenant_id = $1 and sequence < 4`,
  `update audit.idempotency set sequence = sequence - 1 where tenant_id = $1`,
];

describe('parts of the log', () => {
  let world: World;
  const tenants: string[] = [];
  before(async () => {
    world = await createWorld();
    const one = world.process();
    for (const _ of wrongs) {
      const tenant = await one.tenant();
      for (let n = 2; n <= 8; n += 1)
        await one.audit.ingest(
          one.as(tenant, 'alice'),
          sample({ payload: { order_id: `o-${n}` }, idempotency_key: `key-of-event-${n}` }),
          'snake',
        );
      tenants.push(tenant);
    }
    await world.admin.withClient(async (client) => {
      await client.query('set session_replication_role = replica');
      for (const table of ['event', 'idempotency'])
        await client.query(`alter table audit.${table} disable trigger all`);
      for (const [index, wrong] of wrongs.entries()) await client.query(wrong, [tenants[index]]);
      await client.query('reset session_replication_role');
    });
  });
  after(async () => world[Symbol.asyncDispose]());

  const read = async (parts: readonly Part[], workers: number) => {
    const results = await readParts({ ownerUrl: world.database.ownerUrl }, parts, { workers, canonical: true });
    const findings = new Findings();
    for (const result of results) findings.join(result);
    return {
      tenants: results.reduce((sum, result) => sum + result.tenants, 0),
      events: results.reduce((sum, result) => sum + result.events, 0),
      findings: findings.list
        .map(({ tenant, kind, sequence, through }) => [tenant, kind, sequence, through] as const)
        .toSorted((a, b) => `${a}`.localeCompare(`${b}`)),
    };
  };

  test('find in ranges of a chain what is found in the whole, wherever it is cut', async () => {
    for (const tenant of tenants) {
      const whole = await read([{ tenant, from: 1, to: undefined }], 1);
      const last = tenant === tenants[6] ? 3 : 8;
      for (let cut = 2; cut <= last; cut += 1) {
        const parts = [
          { tenant, from: 1, to: cut },
          { tenant, from: cut, to: undefined },
        ];
        assert.deepEqual(await read(parts, 1), whole, `cut at ${cut}, ${wrongs[tenants.indexOf(tenant)]}`);
      }
    }
  });

  test('find on threads what is found on one', async () => {
    const [least = '', next = ''] = tenants.toSorted();
    const parts = [
      { after: undefined, through: least },
      { after: least, through: next },
      { tenant: tenants.toSorted()[2] ?? '', from: 1, to: undefined },
      { after: tenants.toSorted()[2], through: undefined },
    ];
    const whole = await read([{ after: undefined, through: undefined }], 1);
    assert.ok(whole.findings.length >= 8);
    assert.equal(whole.tenants, tenants.length);
    assert.deepEqual(await read(parts, 2), whole);
  });

  test('are read on the server of several that takes writes, threads and all', async () => {
    const { ownerUrl } = world.database;
    await using proxy = await createDatabaseProxy(ownerUrl);
    const several = proxy.through(ownerUrl).replace('@', '@127.0.0.1:1,');
    const [least = ''] = tenants.toSorted();
    const parts = [
      { after: undefined, through: least },
      { after: least, through: undefined },
    ];
    const results = await readParts({ ownerUrl: several }, parts, { workers: 2, canonical: false });
    assert.deepEqual(
      results.map((result) => result.tenants),
      [1, tenants.length - 1],
    );
  });

  test('say what went wrong on a thread', async () => {
    const parts = [
      { after: undefined, through: undefined },
      { after: undefined, through: undefined },
    ];
    await assert.rejects(readParts({ ownerUrl: world.database.appUrl }, parts, { workers: 2, canonical: false }), {
      message: /is no member of the role \S+_job_audit_verifier: run `steward migrate`/,
    });
  });

  test('are planned to cover every tenant once, large ones in ranges', async () => {
    const client = await openReader({ ownerUrl: world.database.ownerUrl });
    try {
      const { parts } = await planParts(client, { workers: 1, share: 7 });
      const covered = await read(parts, 1);
      assert.ok(parts.some((part) => 'tenant' in part && part.to !== undefined));
      assert.deepEqual(covered, await read([{ after: undefined, through: undefined }], 1));
      const few = await planParts(client, { workers: 1, share: 20 });
      assert.ok(few.parts.length > 2 && few.parts.every((part) => !('tenant' in part)));
      assert.deepEqual(await read(few.parts, 1), covered);
    } finally {
      await client.end();
    }
  });

  test('are one range where one tenant is asked for', async () => {
    const [tenant = ''] = tenants;
    const {
      ok,
      tenants: count,
      events,
    } = await verifyChains({
      ownerUrl: world.database.ownerUrl,
      tenant,
      canonical: true,
      workers: 2,
    });
    assert.deepEqual({ ok, count, events }, { ok: true, count: 1, events: 8 });
  });
});
