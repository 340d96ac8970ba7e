import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@steward/kernel';
import { byDoor, createWorld, selling } from '../fixtures/world.ts';
import { createLocation } from './create.ts';
import { locationIn } from './location-in.ts';
import { updateLocation } from './update.ts';

test('a location is one of the tenant in use', async () => {
  await using world = await createWorld();
  const [shop, other] = [await world.tenant(), await world.tenant()];
  const create = byDoor(createLocation);
  const { id } = await create(shop, { name: 'Berlin', code: 'berlin' }, world.ports);
  const known = async (of: typeof shop, one = id) => selling(of, async (tx) => locationIn(tx, one));
  assert.deepEqual([await known(shop), await known(other), await known(shop, newId())], [true, false, false]);
  await byDoor(updateLocation)(shop, { locationId: id, archived: true }, world.ports);
  assert.equal(await known(shop), false);
});
