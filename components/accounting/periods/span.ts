import { invalidAt } from '../errors.ts';

export interface Span {
  readonly from: string;
  readonly to: string;
}

/** @throws Problem `invalid_request` (400) where a period ends before it begins */
export function inOrder({ from, to }: { readonly [K in keyof Span]?: string | undefined }, end = '/to'): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalidAt(end, `The period ends on ${to}, before it begins on ${from}: swap the two days.`);
}
