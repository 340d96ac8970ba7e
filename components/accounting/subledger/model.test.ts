import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { even, newParty } from '../fixtures/documents.ts';
import { day, expected, last, type Model, run, step } from '../fixtures/model.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';

describe('any documents, payments, allocations and what takes them back, in any order', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const runs = Number(process.env['MODEL_RUNS'] ?? '12');
  test(
    'leave control accounts equal to what is open, on every day, and the books balanced',
    { timeout: 600_000 },
    async (t) => {
      const done: Record<string, number> = {};
      let steps = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }),
          fc.array(fc.nat({ max: last }), { minLength: 4, maxLength: 4 }),
          async (plan, days) => {
            const books = await world.tenant();
            const model: Model = {
              books,
              parties: [await newParty(books), await newParty(books)],
              tax: (await createTax(books, { name: 'VAT', percentage: '17.5' })).id,
              items: [],
              allocations: [],
              refused: 0,
            };
            for (const [of, rate] of [
              ['USD', '0.9137'],
              ['KWD', '3.0149'],
            ] as const)
              await setRate(books, { currency: of, day: day(0), rate });
            for (const one of plan) {
              try {
                if (await run(model, one)) done[one.do] = (done[one.do] ?? 0) + 1;
              } catch (error) {
                const { code = '' } = error as { code?: string };
                if (!expected.has(code)) throw error;
                model.refused += 1;
              }
              const state = await even(books, day(last));
              const open = new Map(state.items.map((item) => [item.item_id, item.open]));
              for (const item of model.items) assert.equal(open.get(item.id) ?? 0n, item.open, item.kind);
              steps += 1;
            }
            for (const number of [...days, 0, last - 1]) {
              const state = await even(books, day(number));
              for (const item of state.items) assert.ok(item.open >= 0n, 'nothing was ever open below nothing');
            }
            refused += model.refused;
          },
        ),
        { numRuns: runs },
      );
      t.diagnostic(`${steps} steps, ${refused} refused; ${JSON.stringify(done)}`);
      assert.ok(refused < steps / 2, `${refused} of ${steps} steps were refused`);
    },
  );
});
