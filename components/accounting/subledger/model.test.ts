import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { even, newParty } from '../fixtures/documents.ts';
import { day, expected, last, type Model, run, startMonth, step } from '../fixtures/model.ts';
import { Replay } from '../fixtures/replay.ts';
import { formatAmount, parseAmount } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { agedItems, agedReport } from '../reports/aged.ts';
import type { OpenItem } from './open-items.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { parseRate } from '../rates/rate.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';

/** The aged reports of a day, held against the open items one by one. */
async function aged(books: TenantContext, asOf: string, all: readonly OpenItem[]): Promise<void> {
  for (const side of ['receivable', 'payable'] as const) {
    const items = all.filter((item) => item.side === side);
    const expected = new Map<string, { name: string; sums: bigint[]; ids: Set<string> }>();
    for (const { party_id: id, party_name: name, due_on: due, nature, base, item_id: item } of items) {
      const late = (Date.parse(asOf) - Date.parse(due)) / 86_400_000;
      const at = [0, 30, 60, 90].filter((days) => late > days).length;
      const own = expected.get(id) ?? { name, sums: [0n, 0n, 0n, 0n, 0n], ids: new Set() };
      own.sums[at] = (own.sums[at] ?? 0n) + (nature === 'charge' ? base : -base);
      own.ids.add(item);
      expected.set(id, own);
    }
    const amounts = (sums: readonly bigint[]) =>
      [...sums, sums.reduce((sum, one) => sum + one, 0n)].map((one) => formatAmount(one, 'EUR'));
    const report = await agedReport(books, { side, asOf });
    assert.deepEqual(
      report.parties.map(({ partyId, name, count, buckets, total }) => [
        partyId,
        name,
        count,
        ...buckets.map(({ amount }) => amount),
        total.amount,
      ]),
      [...expected]
        .toSorted(([a, { name }], [b, { name: other }]) => (name === other ? (a < b ? -1 : 1) : name < other ? -1 : 1))
        .map(([id, { name, sums, ids }]) => [id, name, ids.size, ...amounts(sums)]),
    );
    const whole = [0, 1, 2, 3, 4].map((at) =>
      [...expected.values()].reduce((sum, { sums }) => sum + (sums[at] ?? 0n), 0n),
    );
    assert.deepEqual(
      [...report.buckets, report.total].map(({ amount }) => amount),
      amounts(whole),
    );
    for await (const { party, items: shown } of agedItems(books, report)) {
      const own = expected.get(party.partyId);
      for (const { id, bucket, base } of shown) {
        assert.ok(own?.ids.delete(id) === true, 'each once');
        own.sums[bucket] = (own.sums[bucket] ?? 0n) - (parseAmount(base.amount, 'EUR') ?? 0n);
      }
      assert.deepEqual([own?.ids.size, own?.sums], [0, [0n, 0n, 0n, 0n, 0n]]);
    }
  }
}

describe('any documents, payments, journal and bank entries, closes and what takes them back, in any order', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const runs = 6 * Number(process.env['LONG_RUNS'] ?? 1);
  test(
    'leave control accounts equal to what is open, the books balanced, and every report what a replay of the entries gives',
    { timeout: 60_000 + runs * 10_000 },
    async (t) => {
      const done: Record<string, number> = {};
      let steps = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }),
          fc.array(fc.nat({ max: last }), { minLength: 4, maxLength: 4 }),
          async (plan, days) => {
            const books = await world.tenant({ startMonth });
            const model: Model = {
              books,
              parties: [await newParty(books), await newParty(books)],
              tax: (await createTax(books, { name: 'VAT', percentage: '17.5' })).id,
              items: [],
              allocations: [],
              ledger: new Replay(),
              rates: new Map(),
              closed: new Set(),
              carried: undefined,
              refused: 0,
            };
            for (const [of, rate] of [
              ['USD', '0.9137'],
              ['KWD', '3.0149'],
            ] as const) {
              await setRate(books, { currency: of, day: day(0), rate });
              model.rates.set(of, new Map([[day(0), parseRate(rate) ?? 0n]]));
            }
            for (const one of plan) {
              try {
                if (await run(model, one)) done[one.do] = (done[one.do] ?? 0) + 1;
              } catch (error) {
                const { code = '' } = error as { code?: string };
                if (!expected.has(code)) throw error;
                model.refused += 1;
              }
              const state = await even(books, day(last));
              const open = new Map(state.items.map((item) => [item.item_id, item]));
              for (const item of model.items) {
                const { open: left = 0n, base = 0n } = open.get(item.id) ?? {};
                assert.deepEqual([left, base], [item.open, item.openBase], item.kind);
              }
              await model.ledger.agrees(books, day(0), day(last));
              steps += 1;
            }
            for (const number of [...days, 0, 58, last - 1]) {
              await model.ledger.agrees(books, day(number % 50), day(number));
              const state = await even(books, day(number));
              await aged(books, day(number), state.items);
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
