import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import { sql, type TenantContext } from '@steward/sql';
import fc from 'fast-check';
import { keep, release, reserve, restock, ship } from '../component.ts';
import { available, createWorld, selling, type World } from '../fixtures/world.ts';
import { setStockItems } from '../items/set.ts';
import { adjustStock } from '../levels/adjust.ts';
import { countStock } from '../levels/count.ts';

// The rules of stock at one location, written down a second time in the plainest way, beside the real thing.

/** What one piece of each variant takes, by item. */
const takes: readonly Readonly<Record<number, number>>[] = [{ 0: 1 }, { 1: 1 }, { 2: 1 }, { 0: 2, 1: 1 }, { 1: 3 }];
const items = [0, 1, 2];

interface Line {
  readonly variant: number;
  readonly quantity: number;
}
type Step =
  | { readonly do: 'reserve'; readonly holder: number; readonly lines: readonly Line[]; readonly lasts: boolean }
  | { readonly do: 'release' | 'keep'; readonly holder: number }
  | { readonly do: 'ship' | 'restock'; readonly holder: number; readonly source: number; readonly line: Line }
  | { readonly do: 'adjust' | 'count'; readonly item: number; readonly quantity: number };

const holder = fc.integer({ min: 0, max: 3 });
const line = fc.record({
  variant: fc.integer({ min: 0, max: takes.length - 1 }),
  quantity: fc.integer({ min: 1, max: 3 }),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('reserve' as const),
        holder,
        lines: fc.array(line, { minLength: 1, maxLength: 3 }),
        lasts: fc.boolean(),
      }),
    },
    fc.record({ do: fc.constantFrom('release' as const, 'keep' as const), holder }),
    fc.record({
      do: fc.constantFrom('ship' as const, 'restock' as const),
      holder,
      source: fc.integer({ min: 0, max: 5 }),
      line,
    }),
    fc.record({
      do: fc.constantFrom('adjust' as const, 'count' as const),
      item: fc.constantFrom(...items),
      quantity: fc.integer({ min: 0, max: 6 }),
    }),
  ),
  { minLength: 5, maxLength: 25 },
);

/** What is held of each item, and whether it lasts. */
interface Held {
  of: number[];
  lasts: boolean;
}

class Model {
  readonly onHand = [4, 5, 6];
  readonly held = new Map<number, Held>();
  readonly done = new Set<string>();

  needs(lines: readonly Line[]): number[] {
    return items.map((item) => lines.reduce((sum, one) => sum + one.quantity * (takes[one.variant]?.[item] ?? 0), 0));
  }
  /** Others’ reservations that last. */
  others(but?: number): number[] {
    return items.map((item) =>
      [...this.held].reduce((sum, [id, { of, lasts }]) => sum + (id !== but && lasts ? (of[item] ?? 0) : 0), 0),
    );
  }
  free(but?: number): number[] {
    const others = this.others(but);
    return items.map((item) => (this.onHand[item] ?? 0) - (others[item] ?? 0));
  }
  /** Whoever asks for an item takes away what has expired of it. */
  sweep(touched: readonly number[]): void {
    for (const [id, one] of this.held)
      if (!one.lasts) {
        one.of = one.of.map((n, item) => (touched.includes(item) ? 0 : n));
        if (one.of.every((n) => n === 0)) this.held.delete(id);
      }
  }
}

const touchedBy = (needs: readonly number[]): number[] => items.filter((item) => (needs[item] ?? 0) > 0);

describe('stock, beside a model', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const openShop = async (): Promise<{ shop: TenantContext; variants: string[]; itemIds: string[] }> => {
    const shop = await world.tenant();
    const variants = takes.map(() => world.variant(shop));
    const { lines } = await countStock(
      shop,
      { lines: items.map((item) => ({ variantId: variants[item] ?? '', counted: 4 + item })) },
      world.ports,
    );
    const itemIds = lines.map(({ itemId }) => itemId);
    await setStockItems(
      shop,
      {
        variants: takes.slice(items.length).map((own, at) => ({
          variantId: variants[items.length + at] ?? '',
          items: Object.entries(own).map(([item, quantity]) => ({ itemId: itemIds[Number(item)], quantity })),
        })),
      },
      world.ports,
    );
    return { shop, variants, itemIds };
  };

  test('after any steps, both have the same on hand, reserved and available, and answer alike', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { shop, variants, itemIds } = await openShop();
        const holders = Array.from({ length: 8 }, () => newId());
        const sources = Array.from({ length: 6 }, () => newId());
        const id = (at: number): string => holders[at] ?? '';
        const model = new Model();
        for (const step of all) {
          const about = JSON.stringify(step);
          switch (step.do) {
            case 'reserve': {
              const needs = model.needs(step.lines);
              const mine = model.held.get(step.holder);
              model.sweep([...touchedBy(needs), ...touchedBy(mine?.of ?? [])]);
              const free = model.free(step.holder);
              const enough = items.every((item) => (needs[item] ?? 0) <= (free[item] ?? 0));
              if (enough) model.held.set(step.holder, { of: needs, lasts: step.lasts });
              const short = await selling(shop, async (tx) =>
                reserve(tx, {
                  holder: id(step.holder),
                  mode: 'live',
                  lines: step.lines.map(({ variant, quantity }) => ({ variantId: variants[variant] ?? '', quantity })),
                  expiresAt: step.lasts ? null : new Date(Date.now() - 1000),
                }),
              );
              assert.equal(short.length === 0, enough, about);
              break;
            }
            case 'release': {
              model.held.delete(step.holder);
              await selling(shop, async (tx) => release(tx, { holder: id(step.holder) }));
              break;
            }
            case 'keep': {
              const mine = model.held.get(step.holder);
              const as = step.holder + 4;
              const before = model.held.get(as)?.of ?? [0, 0, 0];
              model.held.delete(step.holder);
              if (mine !== undefined)
                model.held.set(as, { of: mine.of.map((n, item) => n + (before[item] ?? 0)), lasts: true });
              await selling(shop, async (tx) => keep(tx, { holder: id(step.holder), as: id(as) }));
              break;
            }
            case 'ship': {
              const key = `ship ${step.source}`;
              const needs = model.needs([step.line]);
              model.sweep(touchedBy(needs));
              const mine = model.held.get(step.holder);
              const free = model.free(step.holder);
              const enough = model.done.has(key) || items.every((item) => (needs[item] ?? 0) <= (free[item] ?? 0));
              if (enough && !model.done.has(key)) {
                model.done.add(key);
                for (const item of items) model.onHand[item] = (model.onHand[item] ?? 0) - (needs[item] ?? 0);
                if (mine !== undefined) {
                  mine.of = mine.of.map((n, item) => Math.max(n - (needs[item] ?? 0), 0));
                  if (mine.of.every((n) => n === 0)) model.held.delete(step.holder);
                }
              }
              const short = await selling(shop, async (tx) =>
                ship(tx, { holder: id(step.holder), ...moving(step, sources, variants) }),
              );
              assert.equal(short.length === 0, enough, about);
              break;
            }
            case 'restock': {
              const key = `restock ${step.source}`;
              const needs = model.needs([step.line]);
              model.sweep(touchedBy(needs));
              if (!model.done.has(key))
                for (const item of items) model.onHand[item] = (model.onHand[item] ?? 0) + (needs[item] ?? 0);
              model.done.add(key);
              await selling(shop, async (tx) => restock(tx, moving(step, sources, variants)));
              break;
            }
            case 'adjust':
            case 'count': {
              const { item, quantity } = step;
              const now = model.onHand[item] ?? 0;
              const next = step.do === 'count' ? quantity : now + quantity - 3;
              if (next === now && step.do === 'adjust') break;
              const right = next >= (model.others()[item] ?? 0);
              if (right) {
                model.sweep([item]);
                model.onHand[item] = next;
              }
              const itemId = itemIds[item] ?? '';
              const work =
                step.do === 'count'
                  ? countStock(shop, { lines: [{ itemId, counted: quantity }] }, world.ports)
                  : adjustStock(shop, { reason: 'correction', lines: [{ itemId, delta: next - now }] }, world.ports);
              const done = await work.then(
                () => true,
                (error: unknown) => (error as { code?: string }).code !== 'stock_insufficient',
              );
              assert.equal(done, right, about);
              break;
            }
          }
          const free = model.free();
          const said = await available(shop, variants);
          assert.deepEqual(
            said.map((one) => one.available),
            takes.map((own) =>
              Math.min(...Object.entries(own).map(([item, each]) => Math.floor((free[Number(item)] ?? 0) / each))),
            ),
            about,
          );
        }
        const levels = await world.admin.query(sql`
          select item_id, on_hand::int, reserved::int from stock.level where tenant_id = ${shop.tenant}::uuid`);
        for (const item of items) {
          const level = levels.find((row) => row['item_id'] === itemIds[item]);
          const reserved = [...model.held.values()].reduce((sum, { of }) => sum + (of[item] ?? 0), 0);
          assert.deepEqual([level?.['on_hand'], level?.['reserved']], [model.onHand[item], reserved]);
        }
      }),
      { numRuns: 6 * Number(process.env['LONG_RUNS'] ?? 1) },
    );
    assert.deepEqual(await world.told(), []);
  });
});

const moving = (
  { source, line: { variant, quantity } }: { readonly source: number; readonly line: Line },
  sources: readonly string[],
  variants: readonly string[],
) => ({
  mode: 'live' as const,
  source: { kind: 'test', id: sources[source] ?? '' },
  lines: [{ line: 'one', variantId: variants[variant] ?? '', quantity }],
});
