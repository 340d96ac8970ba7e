import type { FieldError } from '@steward/kernel';

/** Named in a summary, each with its words; the rest stands in `errors`. */
const most = 5;

/** Faults as a summary tells them. */
export function faultsTold(faults: readonly FieldError[]): string {
  const told = faults.slice(0, most).map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
  if (faults.length > most) told.push(`And ${faults.length - most} more.`);
  return told.join(' ');
}
