import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '@steward/sql';
import { listParties } from './list.ts';
import { updateParty } from './update.ts';
import { createParty } from './create.ts';
import { createWorld, refusal, type World } from '../fixtures/world.ts';

describe('a customer or supplier', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('is found by name, and told from the log by its id alone', async () => {
    const books = await world.tenant();
    const made = await createParty(books, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      taxIdLast4: '6789',
      supplier: true,
    });
    await createParty(books, { name: 'Bob' });
    assert.deepEqual([made.customer, made.currency, made.termsDays], [false, 'EUR', 30]);
    const found = await listParties(books, { name: 'LOVE', role: 'supplier' }, { limit: 1 });
    assert.deepEqual([found.items.map(({ id }) => id), found.nextCursor], [[made.id], null]);
    await updateParty(books, made.id, { email: null, archived: true });
    assert.deepEqual((await listParties(books, { role: 'supplier' }, { limit: 9 })).items, []);
    assert.equal((await listParties(books, { archived: true }, { limit: 9 })).items.length, 2);
    assert.equal((await updateParty(books, made.id, { archived: false })).email, null);
    for (const wrong of [
      { name: ' ' },
      { email: 'x' },
      { termsDays: -1 },
      { currency: 'XXX' },
      { taxIdLast4: '123456789' },
    ])
      assert.equal(
        await refusal(createParty(books, { name: 'x', ...wrong })),
        'invalid_request',
        JSON.stringify(wrong),
      );
    const [told] = await world.admin.query<{ n: bigint }>(sql`
      select count(*) as n from audit.event e where tenant_id = ${books.tenant}::uuid and e::text ~* 'lovelace|ada@|"6789"'`);
    assert.equal(told?.n, 0n);
  });
});
