import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pastChain } from '@steward/audit/testing';
import { sql } from '@steward/sql';
import { createSealingWorld, sealed } from '../fixtures/sealing.ts';

test('sealing notes who stands in the blocks that are full', async () => {
  await using site = await createSealingWorld();
  const one = site.process();
  const { admin } = site.world;
  const tenant = await pastChain(admin, { days: { '2026-03-01': 1_000, '2026-03-02': 1_100 } });
  const noted = async (): Promise<number> =>
    (await admin.query(sql`select from audit.principal_block where tenant_id = ${tenant}`)).length;
  await one.start();
  await sealed(one.archive, '2026-03-01');
  assert.equal(await noted(), 0);
  await sealed(one.archive, '2026-03-02');
  assert.equal(await noted(), 2);
});
