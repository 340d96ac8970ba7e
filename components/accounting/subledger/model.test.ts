import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantContext } from '@steward/sql';
import { formatAmount, type Money, parseAmount } from '@steward/kernel';
import fc from 'fast-check';
import { allocateCredit } from '../allocations/make.ts';
import { undoAllocation } from '../allocations/undo.ts';
import { createDocument } from '../documents/create.ts';
import { issueDocument } from '../documents/issue.ts';
import { type DocumentKind, documentKinds, natures } from '../documents/kind.ts';
import { voidDocument } from '../documents/void.ts';
import { even, newParty } from '../fixtures/documents.ts';
import { createWorld, type World } from '../fixtures/world.ts';
import { recordPayment } from '../payments/record.ts';
import { voidPayment } from '../payments/void.ts';
import { setRate } from '../rates/set.ts';
import { createTax } from '../taxes/create.ts';
import { revalue } from './revalue.ts';

/** What the small ledger beside the real one knows of an item. Minor units. */
interface Known {
  readonly id: string;
  readonly kind: DocumentKind | 'payment';
  readonly side: string;
  readonly nature: string;
  readonly currency: string;
  readonly party: number;
  readonly amount: bigint;
  open: bigint;
  void: boolean;
}

interface Model {
  readonly books: TenantContext;
  readonly parties: readonly string[];
  readonly tax: string;
  readonly items: Known[];
  readonly allocations: { id: string; credit: Known; charge: Known; amount: bigint; undone: boolean }[];
  refused: number;
}

const currencies = ['EUR', 'USD', 'JPY', 'KWD'];
const expected = new Set([
  'over_allocated',
  'not_matching',
  'allocated',
  'already_void',
  'not_allocated',
  'date_too_early',
  'nothing_to_issue',
]);
const day = (number: number): string => new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 10);
const last = 120;

const party = fc.nat({ max: 1 });
const date = fc.nat({ max: last - 2 });
const currency = fc.constantFrom(...currencies);
const amount = fc.bigInt({ min: 1n, max: 99_999n });
const pick = fc.nat();
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('document' as const),
      kind: fc.constantFrom(...documentKinds),
      party,
      date,
      currency,
      prices: fc.array(fc.integer({ min: -30_000, max: 90_000 }), { minLength: 1, maxLength: 4 }),
      taxed: fc.boolean(),
      inclusive: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('payment' as const),
      received: fc.boolean(),
      refund: fc.nat({ max: 9 }).map((one) => one === 0),
      party,
      date,
      currency,
      amount,
      pick,
      part: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('allocate' as const), pick, other: pick, date, part: fc.nat({ max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), pick, date }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('void' as const), pick, date }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rate' as const),
      currency: fc.constantFrom('USD', 'JPY', 'KWD'),
      date,
      rate: fc.integer({ min: 1, max: 4_000_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revalue' as const), date }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const minor = ({ amount: text, currency: of }: Money): bigint => parseAmount(text, of) ?? 0n;
/** All of it, half, a third, or more than there is. */
const partOf = (whole: bigint, part: number): bigint =>
  [whole, (whole + 1n) / 2n, whole / 3n, whole + 1n][part] ?? whole;

/** Each answers what the model makes of it once the real one has done it; the model refuses nothing by itself. */
async function run(model: Model, one: Step): Promise<void> {
  const { books, items, allocations } = model;
  if (one.do === 'document') {
    const made = await createDocument(books, {
      kind: one.kind,
      partyId: model.parties[one.party] ?? '',
      issueDate: day(one.date),
      currency: one.currency,
      pricing: one.inclusive ? 'inclusive' : 'exclusive',
      lines: one.prices.map((price, index) => ({
        description: 'x',
        quantity: '1.5',
        unitPrice: formatAmount(BigInt(price), one.currency),
        account: index % 2 === 0 ? '4000' : '6100',
        taxId: one.taxed ? model.tax : undefined,
      })),
    });
    const { document } = await issueDocument(books, { id: made.id });
    const { side, nature } = natures[one.kind];
    const total = minor(document.total);
    items.push({
      id: document.id,
      kind: one.kind,
      side,
      nature,
      currency: one.currency,
      party: one.party,
      amount: total,
      open: total,
      void: false,
    });
  } else if (one.do === 'payment') {
    const side = one.received !== one.refund ? 'receivable' : 'payable';
    const nature = one.received === (side === 'receivable') ? 'credit' : 'charge';
    const target = at(
      items.filter(
        (item) =>
          item.side === side &&
          item.nature !== nature &&
          item.party === one.party &&
          item.currency === one.currency &&
          item.open > 0n,
      ),
      one.pick,
    );
    const size =
      target === undefined ? one.amount : partOf(target.open, one.part) + (one.amount % 2n === 0n ? one.amount : 0n);
    const part = target === undefined ? 0n : partOf(target.open, one.part);
    const { payment } = await recordPayment(books, {
      direction: one.received ? 'received' : 'made',
      refund: one.refund,
      partyId: model.parties[one.party] ?? '',
      account: '1000',
      date: day(one.date),
      currency: one.currency,
      amount: formatAmount(size === 0n ? 1n : size, one.currency),
      allocations:
        target === undefined || part === 0n ? [] : [{ itemId: target.id, amount: formatAmount(part, one.currency) }],
    });
    const own: Known = {
      id: payment.id,
      kind: 'payment',
      side,
      nature,
      currency: one.currency,
      party: one.party,
      amount: minor(payment.amount),
      open: minor(payment.amount),
      void: false,
    };
    items.push(own);
    for (const { id } of payment.allocations) settle(model, id, own, target as Known, part);
  } else if (one.do === 'allocate') {
    const own = at(
      items.filter(({ nature, open }) => nature === 'credit' && open > 0n),
      one.pick,
    );
    const target =
      own === undefined
        ? undefined
        : at(
            items.filter(
              (item) =>
                item.nature === 'charge' && item.side === own.side && item.currency === own.currency && item.open > 0n,
            ),
            one.other,
          );
    if (own === undefined || target === undefined) return;
    const part = partOf(own.open < target.open ? own.open : target.open, one.part);
    if (part === 0n) return;
    const made = await allocateCredit(books, {
      creditId: own.id,
      date: day(one.date),
      allocations: [{ itemId: target.id, amount: formatAmount(part, own.currency) }],
    });
    settle(model, made.allocations[0]?.id ?? '', own, target, part);
  } else if (one.do === 'undo') {
    const allocation = at(allocations, one.pick);
    if (allocation === undefined) return;
    await undoAllocation(books, { id: allocation.id, date: one.date % 2 === 0 ? undefined : day(one.date) });
    assert.equal(allocation.undone, false, 'an allocation is taken back once');
    allocation.undone = true;
    allocation.credit.open += allocation.amount;
    allocation.charge.open += allocation.amount;
  } else if (one.do === 'void') {
    const item = at(items, one.pick);
    if (item === undefined) return;
    const input = { id: item.id, date: one.date % 2 === 0 ? undefined : day(one.date) };
    await (item.kind === 'payment' ? voidPayment(books, input) : voidDocument(books, input));
    assert.deepEqual([item.open, item.void], [item.amount, false], 'what is voided is whole');
    Object.assign(item, { open: 0n, void: true });
  } else if (one.do === 'rate') {
    await setRate(books, {
      currency: one.currency,
      day: day(one.date),
      rate: `${Math.floor(one.rate / 1e4)}.${String(one.rate % 1e4).padStart(4, '0')}`,
    });
  } else {
    await revalue(books, day(one.date));
  }
}

function settle(model: Model, id: string, own: Known, other: Known, amount_: bigint): void {
  own.open -= amount_;
  other.open -= amount_;
  assert.ok(own.open >= 0n && other.open >= 0n, 'nothing is allocated twice');
  const [credit, charge] = own.nature === 'credit' ? [own, other] : [other, own];
  assert.deepEqual([credit.party, credit.side], [charge.party, charge.side]);
  model.allocations.push({ id, credit, charge, amount: amount_, undone: false });
}

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
    async () => {
      let steps = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 10, maxLength: 40 }),
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
              ['JPY', '0.0061'],
              ['KWD', '3.0149'],
            ] as const)
              await setRate(books, { currency: of, day: day(0), rate });
            for (const one of plan) {
              try {
                await run(model, one);
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
      assert.ok(refused < steps / 2, `${refused} of ${steps} steps were refused`);
    },
  );
});
