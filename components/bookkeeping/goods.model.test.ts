import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@steward/kernel';
import type { Order } from '@steward/orders';
import fc from 'fast-check';
import { goodsOf } from './fixtures/goods.ts';
import { byDoor, createWorld, type World } from './fixtures/world.ts';
import { carryOutOrderPosting } from './postings/carry-out-one.ts';
import { carryOutDue } from './postings/worker.ts';
import { updatePostingProfile } from './profile/update.ts';
import { reconcileOrders } from './reports/reconcile.ts';

// Whatever happens to goods, and in whichever order and how often the books hear of it: what was received is what was sold, what was lost and what is there.

const pieces = fc.integer({ min: 1, max: 5 });
const item = fc.integer({ min: 0, max: 1 });
const order = fc.integer({ min: 0, max: 3 });
/** Minor units, of which few divide by few pieces. */
const cents = fc.oneof(fc.bigInt({ min: 0n, max: 999n }), fc.bigInt({ min: 0n, max: 10n ** 12n }));
const given = fc.option(cents, { nil: undefined, freq: 5 });
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('receive' as const), item, pieces, given }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('place' as const), item, pieces }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), order, pieces }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('back' as const), order, pieces, damaged: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const), item, pieces }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('find' as const), item, pieces, given }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('count' as const), item, pieces, given }) },
    // What the books hear of it, and do.
    { weight: 5, arbitrary: fc.record({ do: fc.constant('hear' as const), news: fc.integer({ min: 0, max: 1000 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('carry' as const), news: fc.integer({ min: 0, max: 1000 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('mode' as const), mode: fc.constantFrom('off', 'drafts', 'post') }),
    },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** The integer that is nearest to a fraction; of two, the even one. */
const nearest = (over: bigint, under: bigint): bigint => {
  const below = over / under;
  const beyond = 2n * (over - below * under) - under;
  return beyond < 0n ? below : beyond > 0n ? below + 1n : below + (below % 2n);
};

/** What the books should have of all items. */
const figures = () => ({ broughtIn: 0n, sold: 0n, lost: 0n });

/** Pieces of one item by whether their cost is known; known ones are alike. */
class Pile {
  unknown = 0;
  known = 0;
  /** Left before there were any. */
  owed = 0;
  value = 0n;

  get onHand(): number {
    return this.unknown + this.known - this.owed;
  }

  take(pieces: number): { known: number; cost: bigint } {
    let known = 0;
    for (let left = pieces; left > 0; left -= 1)
      if (this.unknown > 0) this.unknown -= 1;
      else if (this.known > known) known += 1;
      else this.owed += 1;
    const cost = known === 0 ? 0n : nearest(this.value * BigInt(known), BigInt(this.known));
    this.known -= known;
    this.value -= cost;
    return { known, cost };
  }

  /** Answers what was late. Those with a known cost are first gone already. */
  put(pieces: number, known: number, cost: bigint): bigint {
    const late = Math.min(this.owed, known);
    this.owed -= late;
    const without = Math.min(this.owed, pieces - known);
    this.owed -= without;
    const lateCost = late === 0 ? 0n : nearest(cost * BigInt(late), BigInt(known));
    this.unknown += pieces - known - without;
    this.known += known - late;
    this.value += cost - lateCost;
    return lateCost;
  }
}

interface Sale {
  readonly item: number;
  readonly order: Order;
  readonly gone: { known: number; cost: bigint };
}

describe('goods and their books', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const doors = { profile: byDoor(updatePostingProfile), reconcile: byDoor(reconcileOrders) };
  const amountOf = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
  const minorOf = (amount: string | undefined): bigint => BigInt((amount ?? '0.00').replace('.', ''));

  class Shop {
    readonly piles = [new Pile(), new Pile()];
    readonly books = figures();
    readonly sales: Sale[] = [];
    readonly context;
    readonly goods;
    readonly variants: readonly string[];

    constructor(context: Awaited<ReturnType<World['tenant']>>) {
      this.context = context;
      this.goods = goodsOf(world, context);
      this.variants = [this.goods.variant(), this.goods.variant()];
    }

    static async open(lacks: boolean): Promise<Shop> {
      const shop = new Shop(await world.tenant());
      await world.shop(shop.context, 'service_set_stock_items', {
        variants: shop.variants.map((variantId) => ({
          variantId,
          items: [{ quantity: 1, policy: lacks ? 'continue' : 'deny' }],
        })),
      });
      return shop;
    }

    /** The model follows what was done: what is refused changes nothing. */
    async do(step: Step): Promise<void> {
      const { books, goods, context } = this;
      switch (step.do) {
        case 'hear': {
          const all = await goods.news();
          const one = all[step.news % Math.max(1, all.length)];
          if (one !== undefined) await world.tell(context, 'commerce.stock.costed', one);
          return;
        }
        case 'work': {
          await carryOutDue(world.ports);
          return;
        }
        case 'carry': {
          const all = await world.postings(context);
          const one = all[step.news % Math.max(1, all.length)];
          if (one !== undefined) await carryOutOrderPosting(context, { postingId: one.id }, world.ports);
          return;
        }
        case 'mode': {
          await doors.profile(context, { mode: step.mode });
          return;
        }
        case 'send':
        case 'back': {
          const sale = this.sales.at(-1 - step.order);
          if (sale !== undefined) await (step.do === 'send' ? this.send(sale, step.pieces) : this.back(sale, step));
          return;
        }
        case 'place': {
          const variantId = this.variants[step.item];
          const placed = await goods.bought(step.pieces, 'live', variantId);
          this.sales.push({ item: step.item, order: placed, gone: { known: 0, cost: 0n } });
          return;
        }
        case 'count': {
          await this.count(step);
          return;
        }
        default: {
          const [pile, variantId = ''] = [this.piles[step.item] as Pile, this.variants[step.item]];
          if (step.do === 'lose') {
            await goods.adjust(variantId, -step.pieces, 'lost');
            books.lost += pile.take(step.pieces).cost;
            return;
          }
          const cost = step.given;
          const reason = step.do === 'receive' ? 'received' : 'found';
          await goods.adjust(variantId, step.pieces, reason, cost === undefined ? undefined : amountOf(cost));
          books.sold += pile.put(step.pieces, cost === undefined ? 0 : step.pieces, cost ?? 0n);
          if (step.do === 'receive') books.broughtIn += cost ?? 0n;
          else books.lost -= cost ?? 0n;
        }
      }
    }

    async send({ item, order, gone }: Sale, pieces: number): Promise<void> {
      await this.goods.send(order, pieces);
      const { known, cost } = (this.piles[item] as Pile).take(pieces);
      this.books.sold += cost;
      gone.known += known;
      gone.cost += cost;
    }

    async back(
      { item, order, gone }: Sale,
      { pieces, damaged }: { readonly pieces: number; readonly damaged: boolean },
    ): Promise<void> {
      const broken = damaged ? 1 : 0;
      await this.goods.takeBack(order, pieces, broken);
      const sound = pieces - broken;
      const known = Math.min(gone.known, sound);
      const came = known === 0 ? 0n : nearest(gone.cost * BigInt(known), BigInt(gone.known));
      gone.known -= known;
      gone.cost -= came;
      this.books.sold += (this.piles[item] as Pile).put(sound, known, came) - came;
    }

    async count(step: Extract<Step, { do: 'count' }>): Promise<void> {
      const pile = this.piles[step.item] as Pile;
      // What of them has no known cost once they are counted.
      const left = pile.owed > 0 ? step.pieces : Math.max(pile.unknown + step.pieces - pile.onHand, 0);
      const says = left > 0 ? step.given : undefined;
      await this.goods.count(
        this.variants[step.item] ?? '',
        step.pieces,
        says === undefined ? undefined : amountOf(says),
      );
      if (step.pieces > pile.onHand) pile.put(step.pieces - pile.onHand, 0, 0n);
      else this.books.lost += pile.take(pile.onHand - step.pieces).cost;
      if (says === undefined) return;
      pile.known += pile.unknown;
      pile.unknown = 0;
      pile.value += says;
      this.books.broughtIn += says;
    }

    /** All is heard, once more, and done. */
    async end(): Promise<void> {
      await doors.profile(this.context, { mode: 'post' });
      for (const one of await this.goods.news()) await world.tell(this.context, 'commerce.stock.costed', one);
      await world.work();
      for (const own of await world.postings(this.context))
        if (own.state !== 'posted') await carryOutOrderPosting(this.context, { postingId: own.id }, world.ports);
    }
  }

  test('end as one: what was received is what was sold, what was lost, and what stock is worth', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (all, lacks) => {
        const shop = await Shop.open(lacks);
        const { context, books } = shop;
        for (const step of all)
          await shop.do(step).catch((error: unknown) => {
            if (!(error instanceof Problem) || error.status >= 500) throw error;
          });
        const value = shop.piles.reduce((sum, pile) => sum + pile.value, 0n);
        assert.equal(books.broughtIn, books.sold + books.lost + value);
        await shop.end();
        const bill = amountOf(books.broughtIn);
        if (books.broughtIn > 0n)
          await world.books(context, 'service_post_journal_entry', {
            date: '2026-01-01',
            currency: 'EUR',
            narration: 'Bills of what was received',
            lines: [
              { account: '1200', debit: bill },
              { account: '2300', credit: bill },
            ],
          });
        const { rows } = (await world.books(context, 'service_get_trial_balance', {
          asOf: '2199-12-31',
        })) as unknown as {
          rows: { code: string; debit: { amount: string } | null; credit: { amount: string } | null }[];
        };
        const expected = { '1200': value, '2300': -books.broughtIn, '5000': books.sold, '5200': books.lost };
        assert.deepEqual(
          new Map(rows.map(({ code, debit, credit }) => [code, minorOf(debit?.amount) - minorOf(credit?.amount)])),
          new Map(Object.entries(expected).filter(([, net]) => net !== 0n)),
        );
        const on = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
        const { costs } = await doors.reconcile(context, { from: on(-1), to: on(1) });
        assert.deepEqual(
          [costs.sold, costs.lost, costs.posted, costs.notPosted].map(({ amount }) => minorOf(amount)),
          [books.sold, books.lost, books.sold + books.lost, 0n],
        );
        const { stock, differences } = costs;
        assert.deepEqual(differences, []);
        assert.deepEqual(
          [stock.value, stock.balance, stock.difference, stock.billed, stock.broughtIn, stock.notPosted].map(
            ({ amount }) => minorOf(amount),
          ),
          [value, value, 0n, books.broughtIn, books.broughtIn, 0n],
        );
      }),
      { numRuns: 15 * Number(process.env['LONG_RUNS'] ?? 1) },
    );
    assert.deepEqual(await world.told(), []);
  });
});
