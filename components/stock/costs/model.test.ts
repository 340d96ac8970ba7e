import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import fc from 'fast-check';
import { costsOf, restock, ship } from '../component.ts';
import { createWorld, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { adjustStock } from '../levels/adjust.ts';
import { countStock } from '../levels/count.ts';
import { share } from './pool.ts';

// Moving average written down a second time: piece by piece and in exact fractions, beside the real thing.

const pieces = fc.integer({ min: 1, max: 6 });
/** Minor units, of which few divide by few pieces. */
const cents = fc.oneof(fc.bigInt({ min: 0n, max: 999n }), fc.bigInt({ min: 0n, max: 10n ** 13n }));
const cost = fc.option(cents, { nil: undefined, freq: 4 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('receive' as const), pieces, cost }) },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('send' as const), pieces, line: fc.integer({ min: 0, max: 3 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('back' as const), pieces, line: fc.integer({ min: 0, max: 3 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const), pieces }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('count' as const), pieces, cost }) },
  ),
  { minLength: 5, maxLength: 30, size: 'max' },
);

/** A fraction over a denominator above zero. */
type Fraction = readonly [bigint, bigint];
/** The integer that is nearest; of two, the even one. */
const nearest = ([over, under]: Fraction): bigint => {
  const below = over / under;
  const beyond = 2n * (over - below * under) - under;
  return beyond < 0n ? below : beyond > 0n ? below + 1n : below + (below % 2n);
};

/** Pieces by whether their cost is known; known ones are alike. */
class Model {
  unknown = 0;
  known = 0;
  /** Pieces that left before there were any. */
  owed = 0;
  value = 0n;
  /** What came in with a cost, less what came back with one. */
  received = 0n;
  /** What left, and what was late. */
  expensed = 0n;
  readonly gone = new Map<number, { pieces: number; cost: bigint }>();

  get onHand(): number {
    return this.unknown + this.known - this.owed;
  }
  /** One after the other, each of the pieces that leave together at the same average. */
  take(pieces: number): { known: number; cost: bigint } {
    let known = 0;
    for (let left = pieces; left > 0; left -= 1)
      if (this.unknown > 0) this.unknown -= 1;
      else if (this.known > known) known += 1;
      else this.owed += 1;
    const cost = known === 0 ? 0n : nearest([this.value * BigInt(known), BigInt(this.known)]);
    this.known -= known;
    this.value -= cost;
    this.expensed += cost;
    return { known, cost };
  }
  /** Those with a known cost are first gone already. */
  put(pieces: number, known: number, cost: bigint): void {
    let [late, kept, plain] = [0, 0, pieces - known];
    for (let left = known; left > 0; left -= 1)
      if (this.owed > 0) {
        this.owed -= 1;
        late += 1;
      } else kept += 1;
    for (; plain > 0 && this.owed > 0; plain -= 1) this.owed -= 1;
    const lateCost = late === 0 ? 0n : nearest([cost * BigInt(late), BigInt(known)]);
    this.unknown += plain;
    this.known += kept;
    this.value += cost - lateCost;
    this.expensed += lateCost;
  }
}

test('a share is the nearest integer to the exact fraction, the even one of two, and the whole of all', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), pieces, pieces, (all, some, more) => {
      const total = some + more;
      assert.equal(share(all, total, some), nearest([all * BigInt(some), BigInt(total)]));
      assert.equal(share(all, total, total), all);
    }),
  );
});

describe('the cost of stock, beside a model', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const open = async (lacks: boolean): Promise<{ shop: TenantContext; variantId: string; itemId: string }> => {
    const shop = await world.tenant();
    const variantId = world.variant(shop);
    const { variants } = await setStockItems(
      shop,
      { variants: [{ variantId, items: [{ quantity: 1, policy: lacks ? 'continue' : 'deny' }] }] },
      world.ports,
    );
    return { shop, variantId, itemId: variants[0]?.items[0]?.id ?? '' };
  };

  test('after any steps, what was received is what left and what is on hand is worth, to the unit', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (all, lacks) => {
        const { shop, variantId, itemId } = await open(lacks);
        const lines = Array.from({ length: 4 }, () => newId());
        const sources: string[] = [];
        const model = new Model();
        const eur = (minor: bigint | undefined) =>
          minor === undefined
            ? {}
            : { cost: { amount: `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`, currency: 'EUR' } };
        for (const step of all) {
          const { pieces: some } = step;
          switch (step.do) {
            case 'receive': {
              model.put(some, step.cost === undefined ? 0 : some, step.cost ?? 0n);
              model.received += step.cost ?? 0n;
              await adjustStock(
                shop,
                { reason: 'received', lines: [{ itemId, delta: some, ...eur(step.cost) }] },
                world.ports,
              );
              break;
            }
            case 'send': {
              if (!lacks && model.onHand < some) break;
              const { known, cost: took } = model.take(some);
              const before = model.gone.get(step.line) ?? { pieces: 0, cost: 0n };
              model.gone.set(step.line, { pieces: before.pieces + known, cost: before.cost + took });
              const source = { kind: 'fulfilment', id: newId() };
              sources.push(source.id);
              await selling(shop, async (tx) =>
                ship(tx, {
                  holder: newId(),
                  mode: 'live',
                  source,
                  lines: [{ line: lines[step.line] ?? '', variantId, quantity: some }],
                }),
              );
              break;
            }
            case 'back': {
              const gone = model.gone.get(step.line) ?? { pieces: 0, cost: 0n };
              const known = Math.min(gone.pieces, some);
              const came = known === 0 ? 0n : nearest([gone.cost * BigInt(known), BigInt(gone.pieces)]);
              model.gone.set(step.line, { pieces: gone.pieces - known, cost: gone.cost - came });
              model.expensed -= came;
              model.put(some, known, came);
              const source = { kind: 'return', id: newId() };
              sources.push(source.id);
              await selling(shop, async (tx) =>
                restock(tx, {
                  mode: 'live',
                  source,
                  lines: [{ line: lines[step.line] ?? '', variantId, quantity: some }],
                }),
              );
              break;
            }
            case 'lose': {
              if (!lacks && model.onHand < some) break;
              model.take(some);
              await adjustStock(shop, { reason: 'lost', lines: [{ itemId, delta: -some }] }, world.ports);
              break;
            }
            case 'count': {
              if (some > model.onHand) model.put(some - model.onHand, 0, 0n);
              else model.take(model.onHand - some);
              const says = model.unknown > 0 ? step.cost : undefined;
              if (says !== undefined) {
                model.known += model.unknown;
                model.unknown = 0;
                model.value += says;
                model.received += says;
              }
              await countStock(shop, { lines: [{ itemId, counted: some, ...eur(says) }] }, world.ports);
              break;
            }
          }
          const [row] = await world.admin.query(sql`
            select costed, value from stock.valuation where tenant_id = ${shop.tenant}::uuid and item_id = ${itemId}::uuid`);
          assert.deepEqual(
            [Number(row?.['costed'] ?? 0), BigInt((row?.['value'] as bigint | undefined) ?? 0)],
            [model.known, model.value],
            JSON.stringify(step, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
          );
          assert.ok(model.value >= 0n);
          assert.equal(model.received, model.expensed + model.value);
        }
        const changes = await world.admin.query<{ source_id: string }>(sql`
          select source_id from stock.movement where tenant_id = ${shop.tenant}::uuid and source_kind = 'change'`);
        const found = await selling(shop, async (tx) =>
          costsOf(tx, [...sources, ...changes.map((one) => one.source_id)]),
        );
        const posted = [...found.values()].reduce((sum, one) => sum + one.sold + one.lost, 0n);
        assert.equal(posted, model.expensed, 'what sources cost');
      }),
      { numRuns: 25 * Number(process.env['LONG_RUNS'] ?? 1) },
    );
    assert.deepEqual(await world.told(), []);
  });
});
