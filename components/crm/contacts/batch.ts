import type { FieldError, Problem } from '@steward/kernel';
import type { BatchEntry } from './upsert.ts';

export type Counts = Record<BatchEntry['status'], number>;

export function counted(entries: readonly BatchEntry[]): Counts {
  const counts: Counts = { created: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { status } of entries) counts[status] += 1;
  return counts;
}

/** Why one of many was refused, with pointers from the beginning of the body. */
export const placed = (
  { code, detail, errors, members }: Problem,
  place: string,
): { code: string; detail: string; errors?: FieldError[] } => ({
  ...members,
  code,
  detail,
  ...(errors === undefined
    ? {}
    : { errors: errors.map((error) => ({ ...error, pointer: `${place}${error.pointer}` })) }),
});
