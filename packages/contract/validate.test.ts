import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@steward/kernel';
import { z } from 'zod';
import { validator } from './validate.ts';

test('a body that is missing is told what to send, not that a field without a name is required', () => {
  const check = validator(z.strictObject({ hours: z.int().default(24) }), 'body');
  assert.throws(
    () => check(undefined),
    (error: unknown) =>
      error instanceof Problem &&
      error.code === 'invalid_request' &&
      error.errors?.[0]?.pointer === '' &&
      error.errors[0].detail.includes('Send a JSON object'),
  );
  assert.deepEqual(check({}), { hours: 24 });
});
