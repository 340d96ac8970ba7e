import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@steward/kernel';
import type { TenantContext } from '@steward/sql';
import { available, byDoor, createWorld, placing, refused, type World } from '../fixtures/world.ts';
import { cancelOrder } from '../orders/cancel.ts';
import { fulfilOrder } from './fulfil.ts';
import { updateFulfilment } from './update.ts';

const fulfil = byDoor(fulfilOrder);
const track = byDoor(updateFulfilment);
let world: World;
before(async () => {
  world = await createWorld();
});
after(async () => world[Symbol.asyncDispose]());

const left = async (context: TenantContext, variantId: string) => {
  const [row] = await world.levels(context, variantId);
  return row;
};

describe('what leaves', () => {
  test('goes in parts, from what was reserved, and tells how it can be tracked', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 5);
    const made = await world.place(context, placing([{ variantId, quantity: 3 }, { quantity: 2 }]));
    const [first, second] = made.lines;
    const half = await fulfil(context, {
      orderId: made.id,
      lines: [{ lineId: first?.id, quantity: 2 }],
      carrier: 'DHL',
      trackingNumber: 'JD014',
      trackingUrl: 'https://track.example.com/JD014',
    });
    assert.deepEqual(
      [half.fulfilmentStatus, half.status, half.unitsFulfilled, half.lines.map(({ fulfilled }) => fulfilled)],
      ['partially_fulfilled', 'open', 2, [2, 0]],
    );
    assert.deepEqual(
      half.fulfilments.map(({ carrier, lines }) => [carrier, lines]),
      [['DHL', [{ lineId: first?.id, quantity: 2 }]]],
    );
    assert.deepEqual(await left(context, variantId), { on_hand: 3, reserved: 1 });
    const more = await refused(
      fulfil(context, {
        orderId: made.id,
        lines: [
          { lineId: second?.id, quantity: 1 },
          { lineId: first?.id, quantity: 2 },
        ],
      }),
    );
    assert.deepEqual([more.code, more.errors?.[0]?.pointer], ['more_than_open', '/lines/1/quantity']);
    const whole = await fulfil(context, { orderId: made.id });
    assert.deepEqual([whole.fulfilmentStatus, whole.unitsFulfilled], ['fulfilled', 5]);
    assert.deepEqual(await left(context, variantId), { on_hand: 2, reserved: 0 });
    assert.equal((await refused(fulfil(context, { orderId: made.id }))).code, 'more_than_open');
    assert.deepEqual(await world.told(), []);
  });

  test('is refused as a whole where stock is short, and says of what', async () => {
    const context = await world.tenant();
    const [one, two] = [await world.stocked(context, 1), await world.stocked(context, 4)];
    const made = await world.place(context, placing([{ variantId: two }, { variantId: one }]));
    await world.count(context, one, 1);
    await world.unreserve(made.id, context);
    const other = await world.place(context, placing([{ variantId: one }]));
    const short = await refused(fulfil(context, { orderId: made.id }));
    assert.deepEqual([short.code, short.errors?.length], ['stock_insufficient', 1]);
    assert.match(short.detail, /Shirt 2: 1 are to be sent, and there are 0/);
    assert.deepEqual((await available(context, [two]))[0]?.available, 4);
    assert.equal((await fulfil(context, { orderId: other.id })).fulfilmentStatus, 'fulfilled');
    assert.deepEqual(await world.told(), []);
  });

  test('leaves once, however often and however many say it', async () => {
    const context = await world.tenant();
    const variantId = await world.stocked(context, 9);
    const made = await world.place(context, placing([{ variantId, quantity: 4 }]));
    const lines = [{ lineId: made.lines[0]?.id, quantity: 1 }];
    const again = await Promise.all(
      Array.from({ length: 6 }, async () => fulfil(context, { orderId: made.id, lines, reference: 'S-1' })),
    );
    assert.deepEqual(new Set(again.map(({ unitsFulfilled }) => unitsFulfilled)), new Set([1]));
    const raced = await Promise.allSettled(
      Array.from({ length: 8 }, async () => fulfil(context, { orderId: made.id, lines })),
    );
    assert.equal(raced.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.deepEqual(await left(context, variantId), { on_hand: 5, reserved: 0 });
    assert.deepEqual(await world.told(), []);
  });

  test('and a cancelled order exclude each other', async () => {
    const context = await world.tenant();
    for (let round = 0; round < 4; round += 1) {
      const variantId = await world.stocked(context, 2);
      const made = await world.place(context, placing([{ variantId, quantity: 2 }]));
      const [sent, cancelled] = await Promise.allSettled([
        fulfil(context, { orderId: made.id }),
        byDoor(cancelOrder)(context, { orderId: made.id, reason: 'customer' }, world.deps),
      ]);
      assert.notEqual(sent.status, cancelled.status);
      assert.deepEqual(
        await left(context, variantId),
        sent.status === 'fulfilled' ? { on_hand: 0, reserved: 0 } : { on_hand: 2, reserved: 0 },
      );
    }
    assert.deepEqual(await world.told(), []);
  });

  test('is refused of lines of others, of none, of nonsense', async () => {
    const context = await world.tenant();
    const made = await world.place(context, placing([{ quantity: 2 }]));
    const other = await world.place(context, placing());
    const lineId = made.lines[0]?.id;
    const cases = [
      [{ lines: [{ lineId: other.lines[0]?.id, quantity: 1 }] }, 'invalid_request'],
      [
        {
          lines: [
            { lineId, quantity: 1 },
            { lineId, quantity: 1 },
          ],
        },
        'invalid_request',
      ],
      [{ lines: [] }, 'invalid_request'],
      [{ lines: [{ lineId, quantity: 0 }] }, 'invalid_request'],
      [{ lines: [{ lineId, quantity: 1.5 }] }, 'invalid_request'],
      [{ lines: [{ lineId, quantity: 3 }] }, 'more_than_open'],
      [{ trackingUrl: 'http://track.example.com/1' }, 'invalid_request'],
      [{ trackingUrl: 'javascript:alert(1)' }, 'invalid_request'],
    ] as const;
    for (const [given, code] of cases)
      assert.equal((await refused(fulfil(context, { orderId: made.id, ...given }))).code, code, JSON.stringify(given));
    assert.equal((await refused(fulfil(context, { orderId: newId() }))).code, 'not_found');
    const stranger = await world.tenant();
    assert.equal((await refused(fulfil(stranger, { orderId: made.id }))).code, 'not_found');
    const viewer = await world.tenant({ vera: 'viewer' });
    assert.equal((await refused(fulfil(viewer, { orderId: made.id }))).code, 'insufficient_role');
  });

  test('is tracked otherwise later', async () => {
    const context = await world.tenant();
    const made = await world.place(context, placing());
    const sent = await fulfil(context, { orderId: made.id, carrier: 'DHL' });
    const fulfilmentId = sent.fulfilments[0]?.id;
    const changed = await track(context, { fulfilmentId, trackingNumber: 'JD015', carrier: null });
    assert.deepEqual(
      changed.fulfilments.map(({ carrier, trackingNumber, version }) => [carrier, trackingNumber, version]),
      [[null, 'JD015', 2]],
    );
    assert.equal((await track(context, { fulfilmentId, trackingNumber: 'JD015' })).fulfilments[0]?.version, 2);
    assert.equal((await refused(track(context, { fulfilmentId: newId() }))).code, 'not_found');
    assert.deepEqual(
      (await world.events(context)).map(({ type }) => type),
      ['commerce.order.placed', 'commerce.order.fulfilled', 'commerce.fulfilment.updated'],
    );
    for (const change of ['carrier = $$UPS$$', `tracking_url = 'https://evil.example.com/'`, 'version = 9'])
      assert.notDeepEqual(
        await world.told(`update orders.fulfilment set ${change} where fulfilment_id = '${fulfilmentId ?? ''}'`),
        [],
      );
    assert.deepEqual(await world.told(), []);
  });
});
