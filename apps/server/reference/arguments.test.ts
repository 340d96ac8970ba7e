import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { argumentRows, type ArgumentSchema } from './arguments.ts';

const rows = (schema: z.ZodType): string[] =>
  argumentRows(z.toJSONSchema(schema, { io: 'input' }) as ArgumentSchema).map(
    ({ name, type, required, says }) => `${name} | ${type} | ${required ? 'yes' : ''} | ${says}`,
  );

test('arguments are told with their values, formats, ranges and what is inside them', () => {
  const schema = z.strictObject({
    side: z.enum(['in', 'out']).default('in'),
    id: z.uuid(),
    limit: z.int().min(1).max(200).optional().meta({ description: 'How many.' }),
    any: z.int().optional(),
    code: z.string().regex(/^a|b$/),
    lines: z
      .array(z.strictObject({ account: z.string().min(1).max(40), tags: z.array(z.string().max(5)).max(3).optional() }))
      .min(2)
      .max(200),
    either: z.union([z.string(), z.null()]).optional(),
    map: z.record(z.string(), z.strictObject({ name: z.string() })).optional(),
  });
  assert.deepEqual(rows(schema), [
    'side | `"in"` or `"out"` |  | default `"in"`.',
    'id | string (UUID) | yes | ',
    'limit | integer |  | How many. 1 to 200.',
    'any | integer |  | ',
    'code | string | yes | matches `^a\\|b$`.',
    'lines | list of object | yes | 2 to 200 items.',
    'lines[].account | string | yes | 1 to 40 characters.',
    'lines[].tags | list of string |  | up to 3 items; each up to 5 characters.',
    'either | string or null |  | ',
    'map | object |  | ',
    'map.*.name | string | yes | ',
  ]);
});
