import type { FieldError } from '@steward/kernel';

/** Faults that a summary describes; the rest is in `errors`. */
const most = 5;

/** Faults in the words of a summary. */
export function faultsTold(faults: readonly FieldError[]): string {
  const told = faults.slice(0, most).map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`);
  if (faults.length > most) told.push(`And ${faults.length - most} more.`);
  return told.join(' ');
}
