import type { Fixed } from '@steward/contract';
import { jsonPointer } from '@steward/kernel';
import { z } from 'zod';

export const change = z.object({
  /** RFC 6901 */
  pointer: z.string(),
  /** Absent where there was nothing. */
  before: z.unknown().optional(),
  /** Absent where nothing is left. */
  after: z.unknown().optional(),
});
export type Change = Fixed<z.output<typeof change>>;

/** One fact that came out otherwise than it was shown. */
export const drift = z.object({
  /** Of which thing, in people's words; absent for the preview itself. */
  of: z.string().optional(),
  id: z.string().optional(),
  ...change.shape,
});
export type Drift = Fixed<z.output<typeof drift>>;

/** Where two JSON values differ. Members and items are compared by their place. */
export function differences(before: unknown, after: unknown, pointer = ''): Change[] {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [a, b] = [before as Record<string, unknown>, after as Record<string, unknown>];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      differences(a[key], b[key], pointer + jsonPointer([key])),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

const isBranch = (value: unknown): boolean => typeof value === 'object' && value !== null;
