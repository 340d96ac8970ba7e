import { z } from 'zod';
import type { Fixed } from './shape.ts';
import { type Spelling, spellingOf } from './spelling.ts';

/**
 * An answer that an address spells in snake_case: its schema there, and what is sent of a value of the inside.
 * @example const chain = inSnake(z.object({ tenantId: z.uuid() })); chain.of({ tenantId }) is { tenant_id }
 */
export function inSnake<S extends z.ZodType>(answer: S) {
  let known: Spelling | undefined;
  // When something is first answered or described: a start waits for none of it.
  const spelling = (): Spelling => {
    if (known !== undefined) return known;
    const { $schema: _dialect, ...inside } = z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' });
    known = spellingOf(inside);
    return known;
  };
  return {
    schema: z.lazy(() => z.unknown().meta(spelling().schema)) as z.ZodType,
    of: (value: Fixed<z.output<S>>): unknown => spelling().outward(value),
  };
}
