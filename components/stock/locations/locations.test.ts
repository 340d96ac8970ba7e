import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { isAsItWas } from '@steward/access';
import { sql } from '@steward/sql';
import { release, reserve } from '../component.ts';
import { byDoor, createWorld, faults, refused, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { countStock } from '../levels/count.ts';
import { createLocation } from './create.ts';
import { listLocations } from './list.ts';
import { mostLocations } from './location.ts';
import { updateLocation } from './update.ts';

const create = byDoor(createLocation);
const update = byDoor(updateLocation);

describe('locations', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    try {
      assert.deepEqual(await world.told(), []);
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  test('are made, changed and listed; a code is taken once', async () => {
    const shop = await world.tenant();
    const one = await create(shop, { name: ' Berlin ', code: 'berlin', country: 'DE' }, world.ports);
    const two = await create(shop, { name: 'Bern', code: 'bern', address: 'Gasse 1\nBern' }, world.ports);
    assert.deepEqual([one.name, one.priority, two.priority], ['Berlin', 1, 2]);
    const taken = { code: 'location_code_taken', pointer: { '/code': 'location_code_taken' } };
    for (const work of [
      create(shop, { name: 'Other', code: 'bern' }, world.ports),
      update(shop, { locationId: one.id, code: 'bern' }, world.ports),
    ]) {
      const problem = await refused(work);
      assert.deepEqual({ code: problem.code, pointer: faults(problem) }, taken);
    }
    const changed = await update(shop, { locationId: two.id, country: 'CH', address: null, priority: 0 }, world.ports);
    assert.deepEqual([changed.country, changed.address, changed.priority, changed.version], ['CH', null, 0, 2]);
    assert.ok(isAsItWas(await update(shop, { locationId: two.id, country: 'CH' }, world.ports)));
    const { items } = await listLocations(shop, { limit: 9 });
    assert.deepEqual(
      items.map(({ code }) => code),
      ['berlin', 'bern'],
    );
    assert.equal((await refused(update(shop, { locationId: newId(), name: 'x' }, world.ports))).code, 'not_found');
    const other = await world.tenant();
    assert.equal((await refused(update(other, { locationId: one.id, name: 'x' }, world.ports))).code, 'not_found');
    for (const code of ['Bern', 'a_b', '-a', 'a--b', '', 'a'.repeat(41)])
      assert.deepEqual(Object.keys(faults(await refused(create(shop, { name: 'x', code }, world.ports)))), ['/code']);
  });

  test('say where they are in parts, which is changed as a whole and taken away by null', async () => {
    const shop = await world.tenant();
    const bare = { line1: 'Markt 3', city: 'Potsdam' };
    const whole = { ...bare, line2: null, region: null, postcode: null };
    const one = await create(shop, { name: 'Store', code: 'store', country: 'DE', postalAddress: bare }, world.ports);
    assert.deepEqual(one.postalAddress, whole);
    assert.ok(isAsItWas(await update(shop, { locationId: one.id, postalAddress: bare }, world.ports)));
    const coded = { ...bare, postcode: '14467' };
    const changed = await update(shop, { locationId: one.id, postalAddress: coded }, world.ports);
    assert.deepEqual([changed.postalAddress, changed.version], [{ ...whole, postcode: '14467' }, 2]);
    const renamed = await update(shop, { locationId: one.id, name: 'Shop' }, world.ports);
    assert.deepEqual(renamed.postalAddress, changed.postalAddress);
    const cleared = await update(shop, { locationId: one.id, postalAddress: null }, world.ports);
    assert.deepEqual([cleared.postalAddress, cleared.version], [null, 4]);
    for (const [given, pointer] of [
      [{ line1: 'x' }, '/postalAddress/city'],
      [{ ...bare, postcode: '<1>' }, '/postalAddress/postcode'],
    ] as const)
      assert.deepEqual(
        Object.keys(
          faults(await refused(update(shop, { locationId: one.id, postalAddress: given as never }, world.ports))),
        ),
        [pointer],
      );
  });

  test('are archived when they are empty, and come back', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    const line = async (counted: number) => countStock(shop, { lines: [{ variantId: lamp, counted }] }, world.ports);
    const locationId = (await line(1)).lines[0]?.locationId ?? '';
    const archive = async (archived = true) => update(shop, { locationId, archived }, world.ports);
    const held = await refused(archive());
    assert.deepEqual([held.code, faults(held)], ['location_in_use', { '/archived': 'location_in_use' }]);
    await setStockItems(
      shop,
      { variants: [{ variantId: lamp, items: [{ quantity: 1, policy: 'continue' }] }] },
      world.ports,
    );
    await line(0);
    const holder = newId();
    const lines = [{ variantId: lamp, quantity: 1 }];
    await selling(shop, async (tx) => reserve(tx, { holder, mode: 'live', lines, expiresAt: null }));
    assert.equal((await refused(archive())).code, 'location_in_use', 'what is promised from there holds it');
    await selling(shop, async (tx) => release(tx, { holder }));
    assert.notEqual((await archive()).archivedAt, null);
    assert.deepEqual(await selling(shop, async (tx) => reserve(tx, { holder, mode: 'live', lines, expiresAt: null })), [
      { variantId: lamp, asked: 1, available: 0 },
    ]);
    const problem = await refused(
      countStock(shop, { lines: [{ variantId: lamp, locationId, counted: 1 }] }, world.ports),
    );
    assert.deepEqual(faults(problem), { '/lines/0/locationId': 'unknown_location' });
    assert.equal((await archive(false)).archivedAt, null);
    await line(2);
    assert.deepEqual(
      (await world.events(shop)).map(({ type }) => String(type)).filter((type) => type.includes('location')),
      ['commerce.location.created', 'commerce.location.archived', 'commerce.location.restored'],
    );
  });

  test('are not archived while buyers fetch goods there', async () => {
    const shop = await world.tenant();
    const { id } = await create(shop, { name: 'Shop', code: 'shop' }, world.ports);
    world.pickups.set(id, ['Fetch it']);
    const held = await refused(update(shop, { locationId: id, archived: true }, world.ports));
    assert.deepEqual([held.code, held.detail.includes('Fetch it')], ['location_in_use', true]);
    world.pickups.delete(id);
    assert.notEqual((await update(shop, { locationId: id, archived: true }, world.ports)).archivedAt, null);
  });

  test('one that is archived while others sell from it is either used or gone, never both', async () => {
    const shop = await world.tenant();
    const lamp = world.variant(shop);
    await setStockItems(
      shop,
      { variants: [{ variantId: lamp, items: [{ quantity: 1, policy: 'continue' }] }] },
      world.ports,
    );
    const locationId = (await listLocations(shop, { limit: 9 })).items[0]?.id ?? '';
    for (let round = 0; round < 6; round += 1) {
      const holder = newId();
      const [short, archived] = await Promise.all([
        selling(shop, async (tx) =>
          reserve(tx, { holder, mode: 'live', lines: [{ variantId: lamp, quantity: 1 }], expiresAt: null }),
        ),
        updateLocation(shop, { locationId, archived: true }, world.ports).then(
          () => true,
          () => false,
        ),
      ]);
      assert.notEqual(short.length === 0, archived);
      await selling(shop, async (tx) => release(tx, { holder }));
      if (!archived) continue;
      await updateLocation(shop, { locationId, archived: false }, world.ports);
      await countStock(shop, { lines: [{ variantId: lamp, counted: 1 }] }, world.ports);
      await countStock(shop, { lines: [{ variantId: lamp, counted: 0 }] }, world.ports);
    }
  });

  test('are so many at most', async () => {
    const shop = await world.tenant();
    await createLocation(shop, { name: 'x', code: 'first' });
    await world.admin.query(sql`
      insert into stock.location (tenant_id, location_id, name, code, priority)
      select ${shop.tenant}::uuid, gen_random_uuid(), 'x', 'c' || n, n from generate_series(2, ${mostLocations}::int) n`);
    assert.equal((await refused(createLocation(shop, { name: 'x', code: 'more' }))).code, 'location_limit');
    await world.admin.query(sql`delete from stock.location where tenant_id = ${shop.tenant}::uuid and code <> 'first'`);
  });
});
