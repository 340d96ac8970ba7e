import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql } from '@steward/sql';
import { pastChain, serve, readMasterKeys, sealValue, wrap } from '@steward/audit/testing';
import { dayPaths } from '../format/paths.ts';
import { archiveVerdict, createSealingWorld, sealed } from '../fixtures/sealing.ts';
import { repeatErasures } from './repeat.ts';

describe('erasures after a restored backup', () => {
  test('are repeated from the archive, which never held the value and stays as it is', async () => {
    await using site = await createSealingWorld();
    const one = site.process();
    const { admin, dataDir } = site.world;
    const tenant = newId();
    const key = { keyId: newId(), bytes: randomBytes(32) };
    const id = newId();
    const seat = { tenant, event: id, pointer: '/customer_email' };
    const email = sealValue(key.bytes, key.keyId, seat, 'ada@example.com');
    const [master] = await readMasterKeys([], dataDir);
    // What a backup of before the erasure brings back.
    await admin.query(sql`insert into audit.subject_key (tenant_id, key_id, subject, master, wrapped)
      values (${tenant}, ${key.keyId}, 'c-1', ${master.id}, ${wrap(master, tenant, key)})`);
    const ordered = { id, payload: { order_id: '1', customer_id: 'c-1', customer_email: email } };
    const quoting = { payload: { order_id: '2', note: '"type":"audit.subject.erased"', key_ids: [key.keyId] } };
    const erasure = { type: 'audit.subject.erased', payload: { key_ids: [key.keyId], reason: 'requested' } };
    await pastChain(admin, {
      tenant,
      days: { '2026-01-01': 2, '2026-01-03': 1 },
      event: (n) => [ordered, quoting, erasure][n - 1] ?? {},
    });
    await sealed(one.archive, '2026-01-04');
    const door = await serve(one);
    const read = async (): Promise<unknown> => {
      const { body } = await door.call(`/api/audit/events/${id}`, { tenant });
      return (body['payload'] as Record<string, unknown>)['customer_email'];
    };
    const subject = { type: 'system', id: 'operator' } as const;
    const rest = { requestId: newId(), correlationId: newId() };
    const operator = one.tenancy.systemContext({ tenant, chain: [subject], subject, caller: subject, ...rest });
    const target = await one.archive.target();
    assert.equal(await read(), 'ada@example.com');
    assert.equal(await repeatErasures(operator, target, '2026-01-04'), 0);
    assert.equal(await read(), 'ada@example.com');
    assert.equal(await repeatErasures(operator, target, '2026-01-01'), 1);
    assert.equal(await repeatErasures(operator, target, '2026-01-01'), 0);
    assert.deepEqual(await read(), { $erased: true });
    const rows = await readFile(join(site.folder, dayPaths(tenant, '2026-01-01').rows), 'utf8');
    assert.ok(rows.includes('"$sealed":"1"') && !rows.includes('ada@example.com'));
    const verdict = await archiveVerdict(site.folder, await one.archive.keys.registered());
    assert.deepEqual(verdict.findings, []);
    await door[Symbol.asyncDispose]();
  });
});
