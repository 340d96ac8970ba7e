import { jsonPointer } from '@steward/kernel';
export interface Change {
  /** RFC 6901 */
  readonly pointer: string;
  /** Absent where there was nothing. */
  readonly before?: unknown;
  /** Absent where nothing is left. */
  readonly after?: unknown;
}

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
