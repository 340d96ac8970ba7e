import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createTax } from '@steward/accounting';
import { newId } from '@steward/kernel';
import { refundOrder } from '@steward/orders';
import type { TenantContext } from '@steward/sql';
import { placing, type Wish } from '../fixtures/order.ts';
import { byDoor, createWorld, type World } from '../fixtures/world.ts';
import { updatePostingProfile } from '../profile/update.ts';

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
});
