import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createTax } from '@steward/accounting';
import { newId } from '@steward/kernel';
import { recordOrderPayment, refundOrder } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { placing, untaxed, type Wish } from '../fixtures/order.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';
import { reconcileOrders } from '../reports/reconcile.ts';

describe('what is given back of an order', () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => world[Symbol.asyncDispose]());

  const posting = async (): Promise<TenantContext> => {
    const context = await world.tenant();
    await byDoor(updatePostingProfile)(context, { mode: 'post' });
    return context;
  };
  const states = async (context: TenantContext) =>
    (await world.postings(context)).map(
      ({ kind, state, reason }) => `${kind} ${state}${reason === null ? '' : `: ${reason}`}`,
    );
  const documents = async (context: TenantContext): Promise<Record<string, never>[]> =>
    (await world.books(context, 'service_list_documents', {}))['documents'] as never;
  const noted = async (context: TenantContext, many: number): Promise<void> => {
    await using bus = world.bus();
    bus.start();
    while ((await world.postings(context)).length < many) await setTimeout(20);
    await world.work();
    await world.work();
  };
  /** Three pieces whose tax does not divide, less a discount. */
  const awkward = async (context: TenantContext, pricing: 'inclusive' | 'exclusive'): Promise<Wish> => {
    const { id } = await createTax(context, { name: `Tax ${newId()}`, percentage: '19' });
    const tax = { treatment: 'taxed', taxId: id, percentage: 190_000n } as const;
    const every = { productIds: new Set<string>(), collectionIds: new Set<string>() };
    return {
      pricing,
      lines: [{ quantity: 3, unitPrice: 3333n, tax }],
      shipping: { price: 490n, tax },
      discounts: [
        {
          id: newId(),
          rule: { kind: 'fixed_amount', on: 'order', amount: 100n, among: every },
          combinesWith: new Set(),
        },
      ],
    };
  };

  for (const pricing of ['inclusive', 'exclusive'] as const)
    test(`becomes credit notes and payments made, which end at nothing: prices ${pricing}`, async () => {
      const context = await posting();
      const order = await world.paid(context, placing(await awkward(context, pricing)));
      await noted(context, 2);
      const [line] = order.lines;
      for (let unit = 0; unit < 3; unit += 1)
        await byDoor(refundOrder)(context, {
          orderId: order.id,
          lines: [{ lineId: line?.id, quantity: 1 }],
          ...(unit === 2 ? { shipping: order.shipping?.total } : {}),
          reason: 'damaged',
        });
      await noted(context, 5);
      assert.deepEqual((await states(context)).toSorted(), [
        'invoice posted',
        'payment posted',
        'refund posted',
        'refund posted',
        'refund posted',
      ]);
      const all = await documents(context);
      const sum = (kind: string, of: string): bigint =>
        all
          .filter((one) => String(one['kind']) === kind)
          .reduce(
            (total, one) => total + BigInt((one[of] as unknown as { amount: string }).amount.replace('.', '')),
            0n,
          );
      for (const member of ['net', 'tax', 'total'])
        assert.equal(sum('credit_note', member), sum('invoice', member), member);
      assert.deepEqual(
        all.map(({ open }) => (open as unknown as { amount: string }).amount),
        all.map(() => '0.00'),
      );
      for (const { id } of all.filter(({ kind }) => String(kind) === 'credit_note')) {
        const { document } = await world.books(context, 'service_get_document', { documentId: id });
        const { lines } = document as unknown as { lines: readonly { description: string }[] };
        assert.equal(lines[0]?.description, 'Shirt 1, M', 'as the invoice names it');
      }
      assert.deepEqual(await world.told(), []);
    });

  test('lowers the invoice where it is not paid yet: nothing moves, and what is left of it is open', async () => {
    const context = await posting();
    const { id: taxId } = await createTax(context, { name: `Tax ${newId()}`, percentage: '19' });
    const tax = { treatment: 'taxed', taxId, percentage: 190_000n } as const;
    const order = await world.awaiting(context, placing({ lines: [{ quantity: 3, unitPrice: 1190n, tax }] }));
    await noted(context, 1);
    const lines = [{ lineId: order.lines[0]?.id, quantity: 1 }];
    await byDoor(refundOrder)(context, { orderId: order.id, lines, reason: 'changed_mind' });
    await noted(context, 2);
    assert.deepEqual((await states(context)).toSorted(), ['invoice posted', 'refund posted']);
    const [note, invoice] = (await documents(context)).toSorted((a, b) =>
      String(a['kind']) < String(b['kind']) ? -1 : 1,
    );
    const said = (document: Record<string, never> | undefined) => [
      document?.['kind'],
      (document?.['total'] as { amount: string } | undefined)?.amount,
      (document?.['open'] as { amount: string } | undefined)?.amount,
      document?.['status'],
    ];
    assert.deepEqual(said(invoice), ['invoice', '35.70', '23.80', 'issued']);
    assert.deepEqual(said(note), ['credit_note', '11.90', '0.00', 'paid']);
    await byDoor(recordOrderPayment)(context, { orderId: order.id });
    await noted(context, 3);
    assert.deepEqual(
      (await documents(context)).map((one) => said(one)[2]),
      ['0.00', '0.00'],
    );
    const day = new Date().toISOString().slice(0, 10);
    const { differences, currencies } = await byDoor(reconcileOrders)(context, { from: day, to: day });
    assert.deepEqual(differences, []);
    assert.deepEqual(
      currencies.map(({ credited, captured, paid, notPaidBack }) =>
        [credited, captured, paid, notPaidBack].map(({ amount }) => amount),
      ),
      [['11.90', '23.80', '23.80', '0.00']],
    );
    assert.deepEqual(await world.told(), []);
  });

  test('is a difference of the reconciliation while its credit note is not in the books', async () => {
    const context = await posting();
    const order = await world.awaiting(context, placing({ lines: [{ quantity: 2, unitPrice: 1000n, tax: untaxed }] }));
    await noted(context, 1);
    const lines = [{ lineId: order.lines[0]?.id, quantity: 1 }];
    await byDoor(refundOrder)(context, { orderId: order.id, lines, reason: 'changed_mind' });
    const day = new Date().toISOString().slice(0, 10);
    const { differences } = await byDoor(reconcileOrders)(context, { from: day, to: day });
    assert.deepEqual(
      differences.map(({ kind, order: says, books }) => [kind, says.amount, books.amount]),
      [['refund', '10.00', '0.00']],
    );
  });

  test('is written in the language of the seller, as the invoice is', async () => {
    const context = await posting();
    await world.books(context, 'service_update_seller', { language: 'de' });
    const order = await world.paid(
      context,
      placing({ lines: [{ quantity: 1, unitPrice: 1000n, tax: untaxed }], shipping: { price: 490n, tax: untaxed } }),
    );
    await noted(context, 2);
    await byDoor(refundOrder)(context, {
      orderId: order.id,
      shipping: order.shipping?.total,
      adjustment: { amount: '1.00', currency: 'EUR' },
      reason: 'goodwill',
    });
    await noted(context, 3);
    const all = await Promise.all(
      (await documents(context)).map(
        async ({ id }) => (await world.books(context, 'service_get_document', { documentId: id }))['document'],
      ),
    );
    const said = all as unknown as readonly {
      kind: string;
      seller: { language: string };
      buyer: { address: string | null };
      lines: readonly { description: string }[];
    }[];
    assert.deepEqual(
      said
        .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
        .map(({ seller, lines }) => [seller.language, ...lines.map(({ description }) => description.split(':')[0])]),
      [
        ['de', 'Versand', 'Ausgleich'],
        ['de', 'Shirt 1, M', 'Versand'],
      ],
    );
  });
});
