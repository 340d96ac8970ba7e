import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { inSnake } from './snake.ts';

const event = inSnake(
  z.object({
    eventId: z.string(),
    payload: z.record(z.string(), z.unknown()),
    causalId: z.string().optional(),
    madeBy: z.array(z.object({ displayName: z.string().nullable() })),
  }),
);

test('an answer is spelled in snake_case, and keys that users name stay as they are', () => {
  const value = {
    eventId: 'e',
    payload: { orderId: { lineNo: 1 } },
    causalId: undefined,
    madeBy: [{ displayName: null }],
  };
  assert.deepEqual(event.of(value), {
    event_id: 'e',
    payload: { orderId: { lineNo: 1 } },
    made_by: [{ display_name: null }],
  });
});

test('its schema says the names that are sent, and what may be left out', () => {
  const { properties, required } = z.toJSONSchema(event.schema) as Record<string, unknown>;
  assert.deepEqual(Object.keys(properties as object), ['event_id', 'payload', 'causal_id', 'made_by']);
  assert.deepEqual(required, ['event_id', 'payload', 'made_by']);
});

test('what the schema does not name is not sent', () => {
  const { of } = inSnake(z.object({ id: z.string() }));
  const held = { id: 'e', secretHash: 'x' };
  assert.deepEqual(of(held), { id: 'e' });
});
