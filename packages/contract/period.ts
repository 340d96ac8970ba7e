import { fail } from '@steward/kernel';
import { z } from 'zod';

/** A day of UTC that is asked about, from 1900 on: YYYY-MM-DD. */
export const periodDay = z.iso.date().refine((text) => text >= '1900', 'Give a day from 1900 on');

/**
 * @param most days of a period
 * @throws Problem `invalid_request` (400) where the period ends before it begins, or is longer
 */
export function requirePeriod({ from, to }: { readonly from: string; readonly to: string }, most: number): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days >= 1 && days <= most) return;
  const detail = days < 1 ? 'The period ends before it begins.' : `The period is longer than ${most} days.`;
  throw fail('invalid_request', detail, { errors: [{ pointer: '/to', code: 'period', detail }] });
}
