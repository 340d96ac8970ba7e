import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { defineEvents, payload } from './define.ts';
import type { PublishedEvent, RecordedEvent } from './event.ts';

const { grammar, event, announcement } = defineEvents('shop', {
  recorded: {
    'shop.order.placed': payload({
      order_id: z.string(),
      lines: z.int(),
      mode: z.enum(['live', 'test']),
      note: z.string().optional(),
      buyer: z
        .string()
        .meta({ 'x-personal': { subject: '/order_id' } })
        .optional(),
    }),
    'shop.order.paid': payload({ order_id: z.string(), entries: z.array(z.string()) }, '2.1.0'),
  },
  published: { 'shop.order.placed': payload({ orderId: z.string() }) },
  reserved: ['shop.till.**'],
});

const placed = { order_id: 'o-1', lines: 2, mode: 'live' } as const;

test('one declaration is the constructor, with its version, and the grammar', () => {
  assert.deepEqual(event('shop.order.paid', { order_id: 'o-1', entries: [] }, { causalId: 'e-1' }), {
    causalId: 'e-1',
    type: 'shop.order.paid',
    eventVersion: '2.1.0',
    grammar: 'shop',
    source: 'shop',
    payload: { order_id: 'o-1', entries: [] },
  });
  assert.deepEqual(announcement('shop.order.placed', { orderId: 'o-1' }, { subject: 'o-1' }), {
    subject: 'o-1',
    type: 'shop.order.placed',
    source: 'shop',
    data: { orderId: 'o-1' },
  });
  assert.deepEqual(
    grammar.events.map(({ types, major }) => [types, major]),
    [
      ['shop.order.placed', 1],
      ['shop.order.paid', 2],
    ],
  );
  assert.deepEqual(grammar.reserved, ['shop.till.**']);
  assert.equal(grammar.events[0]?.schema['additionalProperties'], false);
  assert.deepEqual((grammar.events[0]?.schema['properties'] as Record<string, object> | undefined)?.['buyer'], {
    type: 'string',
    'x-personal': { subject: '/order_id' },
  });
});

test('what is not declared does not compile', () => {
  const record = (one: RecordedEvent): string => one.type;
  const publish = (one: PublishedEvent): string => one.type;
  const lists: readonly string[] = ['n-1'];
  const more = { ...placed, colour: 'red' };
  const said = [
    record(event('shop.order.placed', placed)),
    record(event('shop.order.placed', { ...placed, note: 'gift' })),
    record(event('shop.order.paid', { order_id: 'o-1', entries: lists })),
    record({ ...event('shop.order.placed', placed), id: 'e-1' }),
    // @ts-expect-error no such type
    record(event('shop.order.packed', placed)),
    // @ts-expect-error a member is missing
    record(event('shop.order.placed', { order_id: 'o-1', mode: 'live' })),
    // @ts-expect-error a member nobody declared
    record(event('shop.order.placed', { ...placed, colour: 'red' })),
    // @ts-expect-error and where it comes with a value that was made before
    record(event('shop.order.placed', more)),
    // @ts-expect-error a member of another type
    record(event('shop.order.placed', { ...placed, lines: '2' })),
    // @ts-expect-error none of the values
    record(event('shop.order.placed', { ...placed, mode: 'dry' })),
    // @ts-expect-error the payload of another event
    record(event('shop.order.paid', placed)),
    // @ts-expect-error what is only announced
    publish(announcement('shop.order.paid', { orderId: 'o-1' })),
    // @ts-expect-error a member of the other spelling
    publish(announcement('shop.order.placed', { order_id: 'o-1' })),
    // @ts-expect-error a literal beside the declaration
    record({ type: 'shop.order.placed', eventVersion: '1.0.0', grammar: 'shop', source: 'shop', payload: placed }),
    // @ts-expect-error the same of what is announced
    publish({ type: 'shop.order.placed', source: 'shop', data: { orderId: 'o-1' } }),
  ];
  assert.equal(said.length, 15);
});
