import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { archiveTax, createTax, formatPercentage } from '@steward/accounting';
import type { Discount, LineTax } from '@steward/checkout';
import { newId } from '@steward/kernel';
import { orderIn } from '@steward/orders';
import { anything } from '@steward/audit/testing';
import fc from 'fast-check';
import { placing, untaxed, type Wish } from '../fixtures/order.ts';
import { createWorld, type World } from '../fixtures/world.ts';

const rates = [0n, 50_000n, 70_000n, 88_750n, 190_000n, 250_000n, 333_333n, 1_000_000n];
const every = { productIds: new Set<string>(), collectionIds: new Set<string>() };

describe('an order and its invoice', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  test('agree to the unit: net, tax of each rate and total, whatever was sold at which rates, discounts and prices', async () => {
    const context = await world.tenant();
    const taxes: LineTax[] = [];
    for (const percentage of rates) {
      const { id } = await createTax(context, { name: `Tax ${percentage}`, percentage: formatPercentage(percentage) });
      taxes.push({ treatment: 'taxed', taxId: id, percentage });
    }
    // What was sold keeps its rate.
    await archiveTax(context, { taxId: taxes[1]?.taxId ?? '' }, { zonesTaxedBy: async () => [] });
    const tax = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...taxes) },
      fc.constant<LineTax>(untaxed),
      fc.constantFrom(...taxes).map((one): LineTax => ({ ...one, treatment: 'reverse_charge', taxId: null })),
      fc.constantFrom(...taxes).map((one): LineTax => ({ ...one, treatment: 'exempt', taxId: null })),
    );
    const price = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 1_000_000n));
    const rule: fc.Arbitrary<Discount['rule']> = fc.oneof(
      fc.record({
        kind: fc.constant('percentage' as const),
        on: fc.constantFrom('products' as const, 'order' as const),
        percentage: fc.bigInt(0n, 1_000_000n),
        among: fc.constant(every),
      }),
      fc.record({
        kind: fc.constant('fixed_amount' as const),
        on: fc.constantFrom('products' as const, 'order' as const),
        amount: fc.bigInt(0n, 2_000n),
        among: fc.constant(every),
      }),
      fc.constant({ kind: 'free_shipping' as const }),
    );
    const wish: fc.Arbitrary<Wish> = fc.record({
      currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
      pricing: fc.constantFrom('inclusive' as const, 'exclusive' as const),
      lines: fc.array(
        fc.record({
          quantity: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 999_999 })),
          unitPrice: price,
          tax,
        }),
        { minLength: 1, maxLength: 6 },
      ),
      shipping: fc.option(fc.record({ price, tax })),
      discounts: fc.array(
        rule.map((one): Discount => ({ id: newId(), rule: one, combinesWith: new Set() })),
        { maxLength: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(wish, async (one) => {
        const placed = placing(one);
        const { id } = await world.owe(context, placed);
        await world.work();
        const own = (await world.postings(context)).find(({ orderId }) => orderId === id);
        if (placed.total === 0n) return assert.deepEqual([own?.state, own?.reason], ['left_out', 'no_amount']);
        assert.equal(own?.state, 'drafted', `${own?.reason}: ${own?.detail}`);
        const order = await context.require(anything).write(async (tx) => orderIn(tx, id));
        const { document } = await world.books(context, 'service_get_document', { documentId: own?.documentId });
        const {
          net,
          tax: charged,
          total,
          taxes: sums,
        } = document as unknown as {
          net: object;
          tax: object;
          total: object;
          taxes: { taxId: string; net: object; tax: object }[];
        };
        assert.deepEqual([net, charged, total], [order?.net, order?.tax, order?.total]);
        const byTax = (all: readonly { taxId: string | null; net: object; tax: object }[]) =>
          all
            .filter(({ taxId }) => taxId !== null)
            .map(({ taxId, net: of, tax: sum }) => [taxId, of, sum])
            .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
        assert.deepEqual(byTax(sums), byTax((order?.taxes ?? []).filter(({ treatment }) => treatment === 'taxed')));
      }),
      { numRuns: 40 },
    );
    assert.deepEqual(await world.told(), []);
  });
});
