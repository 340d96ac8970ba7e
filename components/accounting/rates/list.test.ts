import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWorld, type World } from '../fixtures/world.ts';
import { listRates } from './list.ts';
import { setRate } from './set.ts';

describe('exchange rates', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('are listed as they were set, the latest first, in pages of any size', async () => {
    const books = await world.tenant();
    const days = ['2026-01-01', '2026-02-01', '2026-02-01', '2026-02-01', '2026-03-01'];
    const rates = ['USD', 'USD', 'GBP', 'KWD', 'USD'].map((currency, index) => ({
      currency,
      day: days[index] ?? '',
      rate: `${index}.5`,
    }));
    for (const one of rates) await setRate(books, one);
    const expected = [4, 2, 3, 1, 0].map((index) => rates[index]);
    for (const limit of [1, 2, 3, 200]) {
      const seen: unknown[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await listRates(books, { limit, cursor: after });
        seen.push(...page.items);
        more = page.nextCursor !== null;
        after = page.nextCursor ?? undefined;
      }
      assert.deepEqual(seen, expected, `pages of ${limit}`);
    }
    const dollars = await listRates(books, { currency: 'USD', to: '2026-02-28', limit: 10 });
    assert.deepEqual(
      dollars.items.map(({ day }) => day),
      ['2026-02-01', '2026-01-01'],
    );
    assert.deepEqual((await listRates(await world.tenant(), { limit: 10 })).items, []);
  });
});
