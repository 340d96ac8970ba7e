import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import { sql } from '@steward/sql';
import { anything, createWorld, type Process, type World } from '../../fixtures/world.ts';

describe('secrets of a tenant', () => {
  let world: World;
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  let one: Process;
  let tenant: string;
  before(async () => {
    world = await createWorld();
    one = world.process({ masterKeys: [old] });
    tenant = await one.tenant();
  });
  after(async () => world[Symbol.asyncDispose]());

  const seal = async (seat: string, plain: string, of = tenant): Promise<string> =>
    one
      .system(of)
      .require(anything)
      .write(async (tx) => one.audit.secrets.seal(tx, seat, Buffer.from(plain)));
  const open = async (seat: string, sealed: string, of = tenant, by = one): Promise<string> =>
    by
      .system(of)
      .require(anything)
      .write(async (tx) => (await by.audit.secrets.open(tx, seat, sealed)).toString());

  test('open at their seat alone, in their tenant alone, and unchanged alone', async () => {
    const sealed = await seal('shop/1', 'whsec_1');
    assert.ok(!Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('whsec_1'));
    assert.equal(await open('shop/1', sealed), 'whsec_1');
    assert.notEqual(await seal('shop/1', 'whsec_1'), sealed, 'the same secret is not seen to be the same');
    await assert.rejects(open('shop/2', sealed), /changed or moved/);
    await assert.rejects(open('shop/1', sealed, await one.tenant()), /changed or moved/);
    for (const broken of ['', '1', '1..', `2${sealed.slice(1)}`, `${sealed.slice(0, -4)}AAAA`, '1.not-an-id.AAAA'])
      await assert.rejects(open('shop/1', broken), /changed or moved/);
  });

  test('open after a change of the master key, and need the older one until they are wrapped anew', async () => {
    const sealed = await seal('shop/1', 'whsec_2');
    const without = world.process({ masterKeys: [fresh] });
    await assert.rejects(
      open('shop/1', sealed, tenant, without),
      (error: unknown) => error instanceof Problem && error.code === 'master_key_missing',
    );
    const both = world.process({ masterKeys: [fresh, old] });
    assert.ok((await both.audit.personal.rewrap(both.system(tenant))) > 0);
    assert.equal(await open('shop/1', sealed, tenant, without), 'whsec_2');
    one = both;
  });

  test('have a key that no caller can name, so that erasing people leaves them', async () => {
    const sealed = await seal('shop/1', 'whsec_3');
    const [row] = await world.admin.query<{ subject: string }>(
      sql`select subject from audit.subject_key where tenant_id = ${tenant} and key_id = ${sealed.split('.')[1] ?? ''}`,
    );
    assert.match(row?.subject ?? '', /^\p{Cc}/u);
  });
});
