import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@steward/kernel';
import { byDoor, createWorld } from '../fixtures/world.ts';
import { readCatalogue } from '../permissions.ts';
import { createProducts } from './create.ts';
import { productsIn } from './products-in.ts';

test('of ids, those of products of the tenant are known, drafts too', async () => {
  await using world = await createWorld();
  const [{ context }, other] = [await world.tenant(), await world.tenant()];
  const create = byDoor(createProducts);
  const { products } = await create(
    context,
    { products: [{ title: 'Shirt', status: 'active' }, { title: 'Shoe' }] },
    world.deps,
  );
  const theirs = await create(other.context, { products: [{ title: 'Sock' }] }, world.deps);
  const own = products.map(({ id }) => id);
  const asked = [...own, newId(), ...theirs.products.map(({ id }) => id)];
  const scope = world.system(context.tenant).require(readCatalogue);
  const known = await scope.write(async (tx) => productsIn(tx, asked));
  assert.deepEqual(known, new Set(own));
});
